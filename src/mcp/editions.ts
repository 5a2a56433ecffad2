import { nextCorrelationOf } from '../answers/correlations.js'
import type { Catalog } from '../catalog/catalog.js'
import { fromNumber, SUBHEADING_DIGITS } from '../codes/levels.js'
import { AGENT_CANDIDATES_MAX } from '../limits.js'
import { edition, type NextCorrelation } from '../questions/editions.js'
import { Refusal } from '../questions/refusal.js'
import { type Answer, answer, codeFields, line, refused, type Worded } from './answer.js'
import type { WrittenCode } from './codes.js'

/** Restores the leading zeros that a code loses if it is sent as a number. */
const asCode = (written: WrittenCode): string => (typeof written === 'number' ? fromNumber(written, SUBHEADING_DIGITS) : written)

export function showEdition(catalog: Catalog, question: Worded & { edition: WrittenCode; code: WrittenCode }): Answer {
  const { language = 'en' } = question
  const [year, code] = [String(question.edition), asCode(question.code)]
  const found = edition(catalog, year, code)
  if (found instanceof Refusal) return refused(found)
  if ('nextTargets' in found) return nextEditionAnswer(year, code, found)
  const all = Array.from(found.targets)
  const targets = all.slice(0, AGENT_CANDIDATES_MAX).map(at => codeFields(catalog, at, language))
  const lines = [`${code} of HS ${year}: ${found.relation}`, ...targets.map(line)]
  if (all.length > targets.length) lines.push(`Shown: ${targets.length} of ${all.length} codes, the likeliest first.`)
  return answer(lines, { edition: year, code, relation: found.relation, targets, targets_total: all.length })
}

function nextEditionAnswer(year: string, code: string, found: NextCorrelation): Answer {
  const { targets, ...fields } = nextCorrelationOf(year, code, found)
  const shown = targets.slice(0, AGENT_CANDIDATES_MAX)
  const lines = [
    `current code ${code} in HS ${year}: ${found.relation}; provisional`,
    ...shown.map(({ hs_code, part, certainty }) => `${hs_code}  part: ${part}, ${certainty}`),
  ]
  if (targets.length > shown.length) lines.push(`Shown: ${shown.length} of ${targets.length} codes, the likeliest first.`)
  return answer(lines, { ...fields, targets: shown, targets_total: targets.length })
}
