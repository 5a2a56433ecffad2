/** Mixtures that descriptions name: "polyester staple fibres, under 85%, mixed mainly or solely with cotton". */
import { withoutExclusions } from '../../text/exclusions.js'
import { decidingMaterials, type Share, SUM_MIN, sumOf } from './composition.js'
import type { Materials } from './materials.js'
import type { Values } from './statements.js'

/** Which materials a mixture consists of, as values of an attribute. */
export interface Mixture {
  main: readonly number[]
  /** Among the materials other than `main`, one of these must have the largest share; empty if any material may. */
  others: readonly number[]
  /** Among the materials other than `main`, none of these may have the largest share. */
  notOthers: readonly number[]
}

export interface Composition {
  /** The materials that decide the code. */
  main: readonly number[]
  shares: readonly Share[]
  /** If there are no shares, the material with the next largest share. */
  second: readonly number[]
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
  const main = materials.values.narrowest(materials.valuesIn(withoutExclusions(description.slice(0, mixed.index))))
  // with "fibres other than cotton", the others are only examples
  return { main, others: notOthers.length > 0 ? [] : materials.valuesIn(others), notOthers }
}

/** Whether goods of these materials may be the mixture. */
export function isMixture(mixture: Mixture, composition: Composition, { values }: Materials): boolean {
  const { main } = composition
  if (mixture.main.length === 0 || main.length === 0) return true
  if (!values.haveCommon(main, mixture.main)) return false
  const second = secondOf(composition, mixture.main, values)
  if (second.length === 0) return true
  if (second.every(value => values.isIn(value, mixture.notOthers))) return false
  return mixture.others.length === 0 || values.haveCommon(second, mixture.others)
}

/** The materials with the largest share apart from those of `main`. */
function secondOf({ shares, second }: Composition, main: readonly number[], values: Values): readonly number[] {
  const rest = shares.filter(({ value }) => !values.isIn(value, main))
  return rest.length === 0 ? second : decidingMaterials(rest, values, SUM_MIN - sumOf(shares) + sumOf(rest))
}
