/** Mixtures that descriptions name: "polyester staple fibres, under 85%, mixed mainly or solely with cotton". */
import { withoutExclusions } from '../../text/exclusions.js'
import { decidingMaterials, type Share, SUM_MIN, sumOf } from './composition.js'
import type { Materials } from './materials.js'

/** Which materials a mixture consists of, as values of an attribute. */
export interface Mixture {
  main: readonly number[]
  /** Among the materials other than `main`, one of these must have the largest share; empty if any material may. */
  others: readonly number[]
  /** Among the materials other than `main`, none of these may have the largest share. */
  notOthers: readonly number[]
}

const MIXED = /,? \bmixed mainly (?:or solely )?with\b/iu
/** The list of materials ends at a comma before a limit. */
const LIST_END = /[;(]|, (?=under|over|up to|not sewing|not for)/u
const NOT = /\b(?:other than|not|non)\b/iu
const EXAMPLES = /, such as/u

/** `description`: in English. Undefined if it names no mixture. */
export function mixtureIn(description: string, materials: Materials): Mixture | undefined {
  const mixed = MIXED.exec(description)
  if (mixed === null) return undefined
  const [list] = description.slice(mixed.index + mixed[0].length).split(LIST_END)
  const [others, ...excluded] = list.split(NOT)
  const notOthers = excluded.flatMap(part => materials.valuesIn(part.split(EXAMPLES)[0]))
  const main = materials.narrowest(materials.valuesIn(withoutExclusions(description.slice(0, mixed.index))))
  // with "fibres other than cotton", the others are only examples
  return { main, others: notOthers.length > 0 ? [] : materials.valuesIn(others), notOthers }
}

/** Whether goods with these shares may be the mixture. */
export function isMixture({ main, others, notOthers }: Mixture, shares: readonly Share[], { values }: Materials): boolean {
  const deciding = decidingMaterials(shares, values)
  if (main.length === 0 || deciding.length === 0) return true
  if (!values.haveCommon(deciding, main)) return false
  const rest = shares.filter(({ value }) => !values.isIn(value, main))
  const second = decidingMaterials(rest, values, SUM_MIN - sumOf(shares) + sumOf(rest))
  if (second.length === 0) return true
  if (second.every(value => values.isIn(value, notOthers))) return false
  return others.length === 0 || values.haveCommon(second, others)
}
