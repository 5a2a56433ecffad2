import type { Catalog } from '../catalog/catalog.js'
import { SUBHEADING_DIGITS } from '../catalog/editions.js'
import { digitsOnly, isCode } from '../hs-code.js'
import { invalidParameter, Refusal } from './refusal.js'
import { oneOf } from './wording.js'

/** How a code of an earlier edition relates to today's. */
export type Relation = 'same' | 'moved' | 'split'

export interface Correlation {
  relation: Relation
  /** Records, likeliest first. */
  targets: Uint32Array
}

const CODE_RULE = `A code of an earlier edition is ${SUBHEADING_DIGITS} digits without dots or spaces`

export function edition(catalog: Catalog, year: string, code: string): Correlation | Refusal {
  const { years } = catalog.editions
  if (years.length === 0) return invalidParameter('edition', 'is not supported: this dataset has no earlier editions')
  if (!years.includes(year)) return invalidParameter('edition', `must be ${oneOf(years)}`)
  if (!(isCode(code) && code.length === SUBHEADING_DIGITS)) {
    const digits = digitsOnly(code)
    const isHint = digits.length === SUBHEADING_DIGITS && digits !== code
    return new Refusal('invalidCode', isHint ? `${CODE_RULE}; did you mean ${digits}?` : `${CODE_RULE}.`)
  }
  const targets = catalog.editions.targets(year, code)
  if (targets.length === 0) return new Refusal('notFound', `HS code ${code} was not in HS ${year}.`)
  return { relation: relationOf(catalog, code, targets), targets }
}

export function relationOf({ trie }: Catalog, code: string, targets: Uint32Array): Relation {
  if (targets.length > 1) return 'split'
  return targets[0] === trie.find(code) ? 'same' : 'moved'
}
