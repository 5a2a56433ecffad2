/**
 * Measures that a text states ("2.0 l", "150 g/m²", "70% cotton"), and the limits that descriptions set ("over 1,500 up to
 * 3,000 cm3", "85% or more cotton").
 */
import { words } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'

/** A value in `unit`; the unit of a share in percent includes the material. */
export interface Measure {
  unit: string
  value: number
}

export interface Limits {
  unit: string
  /** Values from `min` to `max` match; with `isMinOut` or `isMaxOut`, that limit itself does not. */
  min: number
  isMinOut: boolean
  max: number
  isMaxOut: boolean
}

/** Units as texts write them, with the unit in which limits are compared and the factor. */
const UNITS: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  cc: ['cm3', 1],
  cm3: ['cm3', 1],
  'cm³': ['cm3', 1],
  سي: ['cm3', 1],
  'g/m²': ['g/m²', 1],
  'g/m2': ['g/m²', 1],
  gsm: ['g/m²', 1],
  'جم/م2': ['g/m²', 1],
  'غرام/م2': ['g/m²', 1],
  kw: ['kW', 1],
  كيلوواط: ['kW', 1],
  kva: ['kVA', 1],
  v: ['V', 1],
  volt: ['V', 1],
  volts: ['V', 1],
  فولت: ['V', 1],
  kv: ['V', 1000],
  l: ['l', 1],
  ltr: ['l', 1],
  litre: ['l', 1],
  litres: ['l', 1],
  liter: ['l', 1],
  liters: ['l', 1],
  لتر: ['l', 1],
  ml: ['l', 0.001],
  مل: ['l', 0.001],
  kg: ['kg', 1],
  kgs: ['kg', 1],
  كجم: ['kg', 1],
  كغ: ['kg', 1],
  كيلو: ['kg', 1],
  g: ['kg', 0.001],
  gm: ['kg', 0.001],
  gr: ['kg', 0.001],
  جم: ['kg', 0.001],
  غرام: ['kg', 0.001],
}
const NUMBER = '\\d[\\d,]*(?:\\.\\d+)?'
const SORTED_UNITS = Object.keys(UNITS).sort((a, b) => b.length - a.length)
// regexp-ignore: linear, a number is digits and commas, and a unit is one of a list of plain words
const STATED = new RegExp(`(?<![\\p{L}\\p{N}.,-])(${NUMBER})\\s?(${SORTED_UNITS.join('|')})(?![\\p{L}\\p{N}²³/-])`, 'giu')
// regexp-ignore: linear, three digits at most, then letters
const SHARE = /(?<![\p{N}.,-])(\d{1,3}(?:\.\d+)?)\s?[%٪]\s?(\p{L}+)/gu
const OVER = 'over|exceeding|above|more than'
const UPPER = 'up to|not over|not exceeding|not more than|at most'
const UNDER = 'under|below|less than'
const LEAST = 'at least|from'
// regexp-ignore: dataset text, descriptions of at most 1,000 characters
const LIMIT = new RegExp(
  `(?:\\b(fat|sugar) content )?(?:\\b(${OVER}|${UPPER}|${UNDER}|${LEAST}) )?(${NUMBER})(?: to (${NUMBER}))?` +
    '(?: ?(cm3|g/m²|kW|kVA|V|kg|g|litres?|l|%)(?![a-z]))?(?: (or more|or less))?(?:(?<=%.*) (?:by weight )?(?:of )?([a-z]+))?',
  'giu',
)
/** Indices of two groups in a match of LIMIT. */
const UNIT = 5
const MATERIAL = 7
const NO_MATERIAL: ReadonlySet<string> = new Set(['', 'but', 'or', 'and', 'not', 'in', 'by', 'up', 'with', 'to'])
const LITRE = /^litres?$/u

export function measuresIn(text: string, stemmer: Stemmer): Measure[] {
  const found: Measure[] = []
  for (const [, number, written] of text.matchAll(STATED)) {
    const [unit, factor] = UNITS[written.toLowerCase()]
    const value = toNumber(number) * factor
    found.push({ unit, value })
    // may be the size of an engine, whose limits are in cm3
    if (unit === 'l') found.push({ unit: 'cm3', value: value * 1000 })
  }
  for (const [, number, material] of text.matchAll(SHARE)) {
    const [word] = words(material)
    if (word !== undefined) found.push({ unit: shareOf(stemmer.stem(word)), value: Number(number) })
  }
  return found
}

/** `description`: in English. */
export function limitsIn(description: string, stemmer: Stemmer): Limits[] {
  const byUnit = new Map<string, Limits>()
  const all = [...description.matchAll(LIMIT)]
  for (const [i, match] of all.entries()) {
    const [, content, before = '', number, upTo, ownUnit, after = '', following = ''] = match
    const next = all[i + 1]
    // "over 1,500 up to 3,000 cm3": the first number has the unit of the next
    const isRange = ownUnit === undefined && next?.[UNIT] !== undefined && isAdjacent(match, next)
    const word = content ?? (isRange ? (next[MATERIAL] ?? '') : following)
    const unit = unitOf(ownUnit ?? (isRange ? next[UNIT] : undefined), word, stemmer) ?? lastShare(ownUnit, byUnit)
    if (unit === undefined) continue
    const value = toNumber(number) * (ownUnit?.toLowerCase() === 'g' ? 0.001 : 1)
    const limits = byUnit.get(unit) ?? { unit, min: 0, isMinOut: false, max: Infinity, isMaxOut: false }
    const kind = before.toLowerCase()
    if (upTo !== undefined) Object.assign(limits, { min: value, isMinOut: false, max: toNumber(upTo), isMaxOut: false })
    else if (after === 'or more' || LEAST.split('|').includes(kind)) Object.assign(limits, { min: value, isMinOut: false })
    else if (after === 'or less' || UPPER.split('|').includes(kind)) Object.assign(limits, { max: value, isMaxOut: false })
    else if (UNDER.split('|').includes(kind)) Object.assign(limits, { max: value, isMaxOut: true })
    else if (OVER.split('|').includes(kind)) Object.assign(limits, { min: value, isMinOut: true })
    else continue
    byUnit.set(unit, limits)
  }
  return [...byUnit.values()]
}

/** Whether all measures of some unit are outside the limits of that unit. */
export function isOutside(measures: readonly Measure[], limits: readonly Limits[]): boolean {
  return limits.some(one => {
    const own = measures.filter(({ unit }) => unit === one.unit)
    return own.length > 0 && own.every(({ value }) => !fits(value, one))
  })
}

function fits(value: number, { min, isMinOut, max, isMaxOut }: Limits): boolean {
  return (isMinOut ? value > min : value >= min) && (isMaxOut ? value < max : value <= max)
}

function isAdjacent(first: RegExpExecArray, second: RegExpExecArray): boolean {
  return second.index - (first.index + first[0].length) <= ' and '.length
}

function unitOf(written: string | undefined, word: string, stemmer: Stemmer): string | undefined {
  if (written === undefined) return undefined
  if (written === '%') return NO_MATERIAL.has(word.toLowerCase()) ? undefined : shareOf(stemmer.stem(word.toLowerCase()))
  if (LITRE.test(written)) return 'l'
  return written === 'g' ? 'kg' : written
}

/** "fat content over 1% but not over 6%": the second share is of the same material. */
function lastShare(written: string | undefined, byUnit: ReadonlyMap<string, Limits>): string | undefined {
  return written === '%' ? [...byUnit.keys()].findLast(unit => unit.startsWith('% ')) : undefined
}

const shareOf = (material: string): string => `% ${material}`

const toNumber = (written: string): number => Number(written.replaceAll(',', ''))
