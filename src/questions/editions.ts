import type { Catalog } from '../catalog/catalog.js'
import type { NextTarget } from '../catalog/next-edition.js'
import { isCode } from '../codes/code.js'
import { digitsOf } from '../codes/digits.js'
import { SUBHEADING_DIGITS, subheadingOf } from '../codes/levels.js'
import { refuseLaterCode, unknownCode } from './codes.js'
import { invalidParameter, Refusal } from './refusal.js'
import { oneOf } from './wording.js'

/** How a code of one edition relates to the codes of another. */
export type Relation = 'same' | 'moved' | 'split'

/** The current codes for a code of an earlier edition. */
export interface Correlation {
  relation: Relation
  /** Records, likeliest first. */
  targets: Uint32Array
}

/** The codes of the next edition, which have no records, for a current code. */
export interface NextCorrelation {
  relation: Relation
  /** Likeliest first. */
  nextTargets: readonly NextTarget[]
}

const EARLIER_RULE = `A code of an earlier edition is ${SUBHEADING_DIGITS} digits without dots or spaces`
const CURRENT_RULE = `To compare it with the next edition, a current code must be ${SUBHEADING_DIGITS} digits without dots or spaces`

/** The years that `edition` accepts. */
export function editionYears({ editions, nextEdition }: Catalog): readonly string[] {
  return nextEdition.year === '' ? editions.years : [...editions.years, nextEdition.year]
}

/** Accepts only the year of the next edition. */
export function readNextEdition({ nextEdition }: Catalog, year: string): string | Refusal {
  if (nextEdition.year === '') return invalidParameter('to', 'is not supported: this dataset does not cover the next edition')
  return year === nextEdition.year ? year : invalidParameter('to', `must be ${nextEdition.year}`)
}

export function edition(catalog: Catalog, year: string, code: string): Correlation | NextCorrelation | Refusal {
  const years = editionYears(catalog)
  if (years.length === 0) return invalidParameter('edition', 'is not supported: this dataset has no other editions')
  if (!years.includes(year)) return invalidParameter('edition', `must be ${oneOf(years)}`)
  const isNext = year === catalog.nextEdition.year
  if (!(isCode(code) && code.length === SUBHEADING_DIGITS)) return wrongLength(code, isNext ? CURRENT_RULE : EARLIER_RULE)
  if (isNext) return nextCorrelation(catalog, code)
  const targets = catalog.editions.targets(year, code)
  if (targets.length === 0) return new Refusal('notFound', `HS code ${code} was not in HS ${year}.`)
  return { relation: relationOf(catalog, code, targets), targets }
}

/** Editions are compared by six digits, so for a longer code the message suggests its first six. */
function wrongLength(code: string, rule: string): Refusal {
  const digits = digitsOf(code)
  const message = digits.length >= SUBHEADING_DIGITS ? `${rule}; did you mean ${subheadingOf(digits)}?` : `${rule}.`
  return new Refusal('invalidCode', message)
}

export function relationOf({ trie }: Catalog, code: string, targets: Uint32Array): Relation {
  if (targets.length > 1) return 'split'
  return targets[0] === trie.find(code) ? 'same' : 'moved'
}

function nextCorrelation(catalog: Catalog, code: string): NextCorrelation | Refusal {
  const subheading = catalog.trie.find(code)
  if (subheading < 0) return refuseLaterCode(catalog, code) ?? unknownCode(catalog, code)
  const nextTargets = catalog.nextEdition.targets(subheading)
  return { relation: nextRelationOf(code, nextTargets), nextTargets }
}

export function nextRelationOf(code: string, targets: readonly NextTarget[]): Relation {
  if (targets.length > 1) return 'split'
  return targets[0].hs_code === code ? 'same' : 'moved'
}
