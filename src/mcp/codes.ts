/** Codes as people and models write them: text or a number, with dots, or without the leading zero. */
import type { Catalog } from '../catalog/catalog.js'
import { AGENT_CANDIDATES_MAX, AGENT_CODES_MAX } from '../limits.js'
import { laterSources } from '../questions/codes.js'
import { Refusal } from '../questions/refusal.js'
import { ownEdition, type Resolved, Resolver, readEdition, refuseCodes } from '../questions/resolve.js'
import {
  type Answer,
  answer,
  codeFields,
  type ListAnswer,
  line,
  listAnswer,
  refused,
  type Worded,
  type Wording,
} from './answer.js'

/** A code sent as a number has lost its leading zero, if it had one. */
export type WrittenCode = string | number

/** The record of a code, or a refusal with advice on what to do instead. */
export function readWritten(catalog: Catalog, code: WrittenCode): number | Refusal {
  const written = String(code)
  const resolved = new Resolver(catalog, ownEdition(catalog)).resolve(written)
  const { status, record, candidates, nearest, reason } = resolved
  if (record >= 0) return record
  if (status === 'invalid')
    return new Refusal(
      'invalidCode',
      `"${written}" is not an HS code. ${reason} For words, use search_hs_codes or classify_goods.`,
    )
  const codes = candidates.slice(0, AGENT_CANDIDATES_MAX).map(at => catalog.records.code(at))
  if (status === 'ambiguous') {
    const ask = `"${written}" may be ${codes.join(' or ')}. Send the right one, as a string with its leading zero; ask the user if the goods do not make it clear.`
    return new Refusal('notFound', ask)
  }
  const sentences = [`HS code ${written} is not in the dataset.`]
  if (codes.length > 0) sentences.push(`An earlier edition had it; it is now ${codes.join(' or ')}.`)
  const comesFrom = codes.length > 0 ? [] : laterSources(catalog, written).slice(0, AGENT_CANDIDATES_MAX)
  if (comesFrom.length > 0)
    sentences.push(`It is a code of HS ${catalog.nextEdition.year} and takes over goods of ${comesFrom.join(' and ')}.`)
  const above = nearest < 0 ? undefined : catalog.records.code(nearest)
  sentences.push(
    above === undefined
      ? 'Search by words with search_hs_codes.'
      : `The nearest code above it is ${above}: look at its children with get_hs_code, or search by words.`,
  )
  return new Refusal('notFound', sentences.join(' '), {
    ...(above !== undefined && { nearest: above }),
    ...(codes.length > 0 && { moved_to: codes }),
    ...(comesFrom.length > 0 && { comes_from: comesFrom }),
  })
}

export function resolveCodes(
  catalog: Catalog,
  question: Worded & { codes: WrittenCode[]; edition?: WrittenCode },
): Answer | ListAnswer {
  const { edition: year = '', language = 'en' } = question
  const codes = question.codes.map(String)
  const refusal = refuseCodes(codes, AGENT_CODES_MAX)
  if (refusal !== undefined) return refused(refusal)
  const edition = readEdition(catalog, String(year))
  if (edition instanceof Refusal) return refused(edition)
  const resolver = new Resolver(catalog, edition)
  return listAnswer(
    codes,
    code => resolvedAnswer(catalog, resolver.resolve(code), language),
    all =>
      answer(
        all.map(({ text }) => text),
        { codes: all.map(({ fields }) => fields) },
      ),
  )
}

function resolvedAnswer(catalog: Catalog, resolved: Resolved, language: Wording) {
  const { input, status, record, nearest, reason } = resolved
  const codeOf = (at: number) => catalog.records.code(at)
  const candidates = resolved.candidates.slice(0, AGENT_CANDIDATES_MAX).map(codeOf)
  const meant = record < 0 ? undefined : codeFields(catalog, record, language)
  const parts = [`${input}: ${status}`]
  if (meant !== undefined) parts.push(line(meant))
  if (candidates.length > 0) parts.push(`candidates ${candidates.join(', ')}`)
  if (nearest >= 0) parts.push(`nearest ${codeOf(nearest)}`)
  if (reason !== undefined) parts.push(reason)
  const fields = {
    input,
    status,
    ...(meant ?? { hs_code: null }),
    ...(candidates.length > 0 && { candidates }),
    ...(nearest >= 0 && { nearest: codeOf(nearest) }),
    ...(reason !== undefined && { reason }),
  }
  return { text: parts.join('; '), fields }
}
