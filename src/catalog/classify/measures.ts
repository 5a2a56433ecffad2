/** Measures that a text states: "2.0 l", "under 150 g/m²", "70% cotton", "600 mm wide", "Ne 30/2". */
import { fold } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'
import { blendIn, blendMeasures, decidingMaterials, relatedShares, type Share, shareMeasures, sharesIn } from './composition.js'
import { dimensionsIn } from './dimensions.js'
import type { Materials } from './materials.js'
import { groupByUnit, NUMBER, type RangesByUnit, rangeAt, toNumber } from './range.js'
import { yarnMeasuresIn } from './yarn-counts.js'

/** Units as texts write them, each with the unit used for comparison and the factor. */
const UNITS: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  cc: ['cm3', 1],
  cm3: ['cm3', 1],
  سي: ['cm3', 1],
  'g/m2': ['g/m²', 1],
  gsm: ['g/m²', 1],
  'جم/م2': ['g/m²', 1],
  'غرام/م2': ['g/m²', 1],
  w: ['kW', 0.001],
  watt: ['kW', 0.001],
  watts: ['kW', 0.001],
  واط: ['kW', 0.001],
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
  dtex: ['decitex', 1],
  decitex: ['decitex', 1],
  ديسيتكس: ['decitex', 1],
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
const NAMES = Object.keys(UNITS).sort((a, b) => b.length - a.length)
// regexp-ignore: linear, a number is digits and commas, and a unit is one of a list of plain words
const STATED = new RegExp(`(?<![\\p{L}\\p{N}.,-])(${NUMBER})\\s?(${NAMES.join('|')})(?![\\p{L}\\p{N}/-])`, 'gu')
// regexp-ignore: linear, three digits at most, then letters
const SHARE = /(?<![\p{N}.,-])(\d{1,3}(?:\.\d+)?)\s?[%٪](?=(\s?\p{L}+(?:\s\p{L}+){0,5}))/gu
const DIGIT = /\p{N}/u
const BLEND_MARK = /\p{L}[-/]\p{L}/u
/** Folding would turn the sign into the letter o. */
const DIAMETER_SIGN = /[Øø⌀](?=\s?\d)/gu

export interface Measured {
  measures: RangesByUnit
  /** Shares of materials, the largest first. */
  shares: readonly Share[]
  /** The materials that decide the code. */
  main: readonly number[]
  /** Of a blend without shares, the other material. */
  second: readonly number[]
}

const NOTHING: Measured = { measures: new Map(), shares: [], main: [], second: [] }

export function measuresIn(written: string, materials: Materials, stemmer: Stemmer): Measured {
  if (!DIGIT.test(written) && !BLEND_MARK.test(written)) return NOTHING
  const text = fold(written.replace(DIAMETER_SIGN, 'diameter '))
  const shares = sharesIn(text, materials, stemmer)
  const blend = shares.length === 0 ? blendIn(text, materials) : []
  const ofBlend = blend.length === 0 ? [] : blendMeasures(blend, materials)
  const measures = [...shareMeasures(shares, materials), ...ofBlend, ...dimensionsIn(text), ...yarnMeasuresIn(text)]
  for (const match of text.matchAll(STATED)) {
    const [unit, factor] = UNITS[match[2]]
    const range = rangeAt(text, match, unit, toNumber(match[1]) * factor)
    measures.push(range)
    // may be the size of an engine, whose limits are in cm3
    if (unit === 'l') measures.push({ ...range, unit: 'cm3', min: range.min * 1000, max: range.max * 1000 })
  }
  const known = new Set(measures.map(({ unit }) => unit))
  for (const match of text.matchAll(SHARE)) {
    const named = materials.shareIn(match[2])
    if (named === undefined || known.has(named.unit)) continue
    const share = rangeAt(text, match, named.unit, toNumber(match[1]))
    measures.push(share)
    if (named.value !== undefined)
      measures.push(...relatedShares(named.value, share, materials).filter(({ unit }) => !known.has(unit)))
  }
  const main = blend.length > 0 ? blend.slice(0, 1) : decidingMaterials(shares, materials.values)
  return { measures: groupByUnit(measures), shares, main, second: blend.slice(1) }
}
