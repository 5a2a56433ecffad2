/** Codes as people and models write them. */
import type { Catalog } from '../catalog/catalog.js'
import { AGENT_CANDIDATES_MAX } from '../limits.js'
import { Refusal } from '../questions/refusal.js'
import { ownEdition, Resolver } from '../questions/resolve.js'

/** The record, or a refusal that says what to do instead. */
export function readWritten(catalog: Catalog, written: string): number | Refusal {
  const resolved = new Resolver(catalog, ownEdition(catalog)).resolve(written)
  const { status, record, candidates, nearest, reason } = resolved
  if (record >= 0) return record
  if (status === 'invalid') return new Refusal('invalidCode', `"${written}" is not an HS code. ${reason}`)
  const codes = candidates.slice(0, AGENT_CANDIDATES_MAX).map(at => catalog.records.code(at))
  if (status === 'ambiguous')
    return new Refusal('notFound', `"${written}" may be ${codes.join(' or ')}. Ask the user which is meant.`)
  const sentences = [`HS code ${written} is not in the dataset.`]
  if (codes.length > 0) sentences.push(`An earlier edition had it; it is now ${codes.join(' or ')}.`)
  const above = nearest < 0 ? undefined : catalog.records.code(nearest)
  if (above !== undefined) sentences.push(`The nearest code above it is ${above}: look at its children, or search by words.`)
  return new Refusal('notFound', sentences.join(' '), {
    ...(above !== undefined && { nearest: above }),
    ...(codes.length > 0 && { moved_to: codes }),
  })
}
