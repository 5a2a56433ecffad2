/** Shares of materials that a text states: "60% cotton 40% polyester", "cotton/polyester 60/40", «60% قطن». */
import { fold, wordsOfFolded } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'
import { type Materials, type NamedMaterial, skipBetween } from './materials.js'
import { exactly, isCompared, type Range } from './range.js'
import type { Values } from './statements.js'

export interface Share {
  /** A value of an attribute. */
  value: number
  percent: number
}

/** Above 100 because shares are rounded. */
const SUM_MAX = 101
export const SUM_MIN = 99
// regexp-ignore: linear, three digits at most, then a mark or a plain word
const PERCENT = `(?<![\\p{L}\\p{N}.,/-])(\\d{1,3}(?:\\.\\d{1,3})?)\\s?(?:[%٪]|(?:percent|${fold('بالمئة|بالمائة|في المئة|في المائة')})(?!\\p{L}))`
const RATIO = '(?<![\\p{L}\\p{N}.,/-])(\\d{1,2}(?:/\\d{1,2}){1,3})(?![\\p{L}\\p{N}.,/"-])'
// regexp-ignore: linear, as its parts
const STATED = new RegExp(`${PERCENT}|${RATIO}`, 'gu')
// regexp-ignore: linear, one word on each side of a mark
const BLEND = /(?<!\p{L})\p{L}{2,12}[-/]\p{L}{2,12}(?!\p{L})/gu
/** Parts of goods that do not decide their code: "100% polyester lining". */
const PARTS: ReadonlySet<string> = new Set(
  fold('lining lined backing backed coating coated filling filler fill padding wadding trim بطانة حشوة حشو تعبئة طلاء').split(
    ' ',
  ),
)

/** One number with a percent sign, or the numbers of a ratio such as 60/40, and the position of the next word. */
interface Mark {
  percents: readonly number[]
  at: number
}

type ByPlace = ReadonlyMap<number, NamedMaterial>

/** The largest share first. `folded`: a folded text. Empty if the numbers cannot be shares of one material or mixture. */
export function sharesIn(folded: string, materials: Materials, stemmer: Stemmer): Share[] {
  const { marks, written } = read(folded)
  if (marks.length === 0) return []
  const all = materials.namedIn(
    written,
    written.map(word => stemmer.stem(word)),
  )
  // in "fabric, 60% cotton", "fabric" only names the goods
  const narrowest = new Set(materials.values.narrowest(all.map(({ value }) => value)))
  const named = all.filter(({ value }) => narrowest.has(value))
  const byStart = new Map(named.map(one => [one.start, one]))
  const byEnd = new Map(named.map(one => [one.end, one]))
  const stating = marks
    .map(mark => ({ ...mark, after: following(mark, byStart, written), before: preceding(mark, byEnd) }))
    .filter(({ after, before }) => after.length > 0 || before.length > 0)
  const isBefore = stating.some(({ after }) => after.length === 0) && stating.every(({ before }) => before.length > 0)
  const places = new Set(marks.map(({ at }) => at))
  // a title may repeat the composition, also in the other language
  const stated = new Map<string, Share>()
  for (const { percents, at, after, before } of stating) {
    const found = isBefore ? before : after
    if (found.length === 0) continue
    if (isOfPart(written, places, Math.min(at, found[0].start), Math.max(at, found[found.length - 1].end))) continue
    for (const [n, { value }] of found.entries()) stated.set(`${value} ${percents[n]}`, { value, percent: percents[n] })
  }
  const shares = [...stated.values()]
  return sumOf(shares) > SUM_MAX ? [] : shares.sort((a, b) => b.percent - a.percent)
}

function read(folded: string): { marks: Mark[]; written: string[] } {
  const marks: Mark[] = []
  const written: string[] = []
  let end = 0
  for (const match of folded.matchAll(STATED)) {
    written.push(...wordsOfFolded(folded.slice(end, match.index)))
    end = match.index + match[0].length
    const percents = (match[1] ?? match[2]).split('/').map(Number)
    const total = percents.reduce((sum, one) => sum + one, 0)
    const isShare = percents.length > 1 ? total >= SUM_MIN && total <= SUM_MAX : total === 100 || !isCompared(folded, match)
    if (isShare) marks.push({ percents, at: written.length })
  }
  written.push(...wordsOfFolded(folded.slice(end)))
  return { marks, written }
}

/** The materials right after a mark, one for each of its numbers; none if there are too few. */
function following({ percents, at }: Mark, byStart: ByPlace, written: readonly string[]): NamedMaterial[] {
  const found: NamedMaterial[] = []
  for (let next = at; found.length < percents.length; ) {
    const material = byStart.get(skipBetween(written, next))
    if (material === undefined) return []
    found.push(material)
    next = material.end
  }
  return found
}

/** The materials right before a mark, one for each of its numbers; none if there are too few. */
function preceding({ percents, at }: Mark, byEnd: ByPlace): NamedMaterial[] {
  const found: NamedMaterial[] = []
  for (let next = at; found.length < percents.length; ) {
    const material = byEnd.get(next)
    if (material === undefined) return []
    found.unshift(material)
    next = material.start
  }
  return found
}

/** Whether a share belongs to a part of the goods: "lining" is before it, or after it and not right before the next share. */
function isOfPart(written: readonly string[], places: ReadonlySet<number>, start: number, end: number): boolean {
  return PARTS.has(written[start - 1]) || (PARTS.has(written[end]) && !places.has(end + 1))
}

export const sumOf = (shares: readonly Share[]): number => shares.reduce((sum, { percent }) => sum + percent, 0)

/**
 * The materials with the largest share; none if an unnamed material may have a larger share. Kinds of materials are compared
 * first: 35 % polyester and 25 % nylon are more man-made fibres than 40 % cotton. `total`: the sum of all shares, including
 * those of unnamed materials.
 */
export function decidingMaterials(shares: readonly Share[], values: Values, total = SUM_MIN): number[] {
  let among = shares
  for (let depth = 0; ; depth++) {
    const groups = new Map<number | undefined, Share[]>()
    for (const share of among) {
      const kind = values.path(share.value)[depth]
      groups.set(kind, [...(groups.get(kind) ?? []), share])
    }
    const largest = Math.max(...[...groups.values()].map(sumOf))
    if (depth === 0 && largest <= total - sumOf(shares)) return []
    if (groups.size === 1 && groups.has(undefined)) return among.map(({ value }) => value)
    among = [...groups.values()].filter(group => sumOf(group) === largest).flat()
  }
}

/** The shares as measures, for broader materials as well. In a complete composition, all other materials have a share of 0. */
export function shareMeasures(shares: readonly Share[], materials: Materials): Range[] {
  const percents = new Map<number, number>()
  for (const { value, percent } of shares)
    for (const one of materials.values.path(value)) percents.set(one, (percents.get(one) ?? 0) + percent)
  if (sumOf(shares) >= SUM_MIN) {
    const stated = shares.map(({ value }) => value)
    for (const value of materials.all) if (!materials.values.isIn(value, stated)) percents.set(value, percents.get(value) ?? 0)
  }
  return [...percents].map(([value, percent]) => exactly(materials.unit(value), percent))
}

/** The materials of a blend named without shares, the main one first: "polyester-cotton". */
export function blendIn(folded: string, materials: Materials): number[] {
  for (const [pair] of folded.matchAll(BLEND)) {
    const named = materials.valuesIn(pair)
    if (named.length === 2 && materials.values.narrowest(named).length === 2) return named
  }
  return []
}

/** By custom, the main material of a blend is named first. */
export function blendMeasures([main, other]: readonly number[], materials: Materials): Range[] {
  const half = exactly(materials.unit(main), 50)
  return [
    { ...half, max: 100 },
    { ...half, unit: materials.unit(other), min: 0 },
  ]
}

/** With 85 % or more of polyester, a text has at least 85 % of man-made fibres, and at most 15 % of cotton. */
export function relatedShares(value: number, share: Range, materials: Materials): Range[] {
  const { values, all } = materials
  const broader = values.path(value).slice(0, -1)
  const others = all.filter(other => !values.haveCommon([other], [value]))
  return [
    ...broader.map(one => ({ ...share, unit: materials.unit(one), max: 100, isMaxOut: false })),
    ...others.map(other => ({ ...exactly(materials.unit(other), 100 - share.min), min: 0 })),
  ]
}
