/** Ranges of values with a unit, as texts state them ("over 200 g/m²"), and comparisons of ranges. */

/**
 * Values from `min` to `max` in `unit`; `isMinOut` and `isMaxOut` exclude the limit itself. The unit of a share in percent
 * includes the material; the unit of a length includes the dimension.
 */
export interface Range {
  unit: string
  min: number
  isMinOut: boolean
  max: number
  isMaxOut: boolean
}

/** A length is compared only if its dimension is known. */
export const WIDE = 'mm wide'
export const THICK = 'mm thick'
export const DIAMETER = 'mm in diameter'
export const PLIES = 'plies'

export const NUMBER = '\\d[\\d,]*(?:\\.\\d+)?'
export const toNumber = (written: string): number => Number(written.replaceAll(',', ''))

type Kind = 'over' | 'upTo' | 'under' | 'atLeast'
/** Comparisons before a number in a folded text; the first that fits applies, so "not more than" comes before "more than". */
const BEFORE: readonly [Kind, RegExp][] = [
  ['atLeast', /(?:≥|>=|\bat least|\bfrom|\bnot (?:under|below|less than)|\bmin(?:imum|\.)?|(?:لا|ولا) [يت]قل عن)\s?$/u],
  [
    'upTo',
    /(?:≤|<=|\bup to|\bnot (?:over|exceeding|above|more than)|\bat most|\bmax(?:imum|\.)?|(?:لا|ولا) [يت]زيد (?:عن|علي)|حتي)\s?$/u,
  ],
  ['over', /(?:>|\bover|\bexceeding|\babove|\bmore than|\bwider than|\bthicker than|اكثر من|[يت]زيد (?:عن|علي))\s?$/u],
  ['under', /(?:<|\bunder|\bbelow|\bless than|\bnarrower than|\bthinner than|اقل من|[يت]قل عن)\s?$/u],
]
/** Comparisons after a number and its unit. */
const AFTER: readonly [Kind, RegExp][] = [
  ['atLeast', /^(?: or more| or over| and above| or wider| or thicker|\+| فاكثر)/u],
  ['upTo', /^(?: or less| or under| and below| or narrower| or thinner| فاقل)/u],
]
/** Longer than the longest comparison and dimension. */
const AROUND_MAX = 40

type Match = RegExpExecArray | RegExpMatchArray
export const before = (text: string, { index = 0 }: Match): string => text.slice(Math.max(0, index - AROUND_MAX), index)

export function after(text: string, { index = 0, 0: matched }: Match): string {
  const end = index + matched.length
  return text.slice(end, end + AROUND_MAX)
}

const kindBefore = (text: string) => BEFORE.find(([, comparison]) => comparison.test(text))
const kindAfter = (text: string) => AFTER.find(([, comparison]) => comparison.test(text))

/** The text without the comparison at its end, if it has one. */
export function withoutComparison(text: string): string {
  const kind = kindBefore(text)
  return kind === undefined ? text : text.replace(kind[1], '')
}

/** Whether a number is not the value itself but a limit: "less than 85%". */
export const isCompared = (text: string, match: Match): boolean =>
  kindBefore(before(text, match)) !== undefined || kindAfter(after(text, match)) !== undefined

/** The range that a number means in its text. Without a comparison such as "over" next to it, the range is its exact value. */
export function rangeAt(text: string, match: Match, unit: string, value: number): Range {
  const [kind] = kindBefore(before(text, match)) ?? kindAfter(after(text, match)) ?? []
  const hasMin = kind !== 'upTo' && kind !== 'under'
  const hasMax = kind !== 'atLeast' && kind !== 'over'
  return {
    unit,
    min: hasMin ? value : 0,
    isMinOut: kind === 'over',
    max: hasMax ? value : Infinity,
    isMaxOut: kind === 'under',
  }
}

export const exactly = (unit: string, value: number): Range => ({
  unit,
  min: value,
  isMinOut: false,
  max: value,
  isMaxOut: false,
})

export type RangesByUnit = ReadonlyMap<string, readonly Range[]>

export function groupByUnit(ranges: readonly Range[]): RangesByUnit {
  const byUnit = new Map<string, Range[]>()
  for (const range of ranges) {
    const same = byUnit.get(range.unit)
    if (same === undefined) byUnit.set(range.unit, [range])
    else same.push(range)
  }
  return byUnit
}

/** Whether all measures of some unit are outside the limits of that unit. */
export const isOutside = (measures: RangesByUnit, limits: readonly Range[]): boolean =>
  limits.some(one => measures.get(one.unit)?.every(range => areDisjoint(range, one)) ?? false)

const areDisjoint = (a: Range, b: Range): boolean => isBelow(a, b) || isBelow(b, a)

const isBelow = ({ max, isMaxOut }: Range, { min, isMinOut }: Range): boolean =>
  max < min || (max === min && (isMaxOut || isMinOut))
