/** Lengths whose dimension a text states: "1.2 mm thick", "Ø12 mm", «عرض 60 سم», and sheets of "3 x 1250 x 2500 mm". */
import { fold } from '../../text/fold.js'
import {
  after,
  before,
  DIAMETER,
  exactly,
  NUMBER,
  type Range,
  rangeAt,
  THICK,
  toNumber,
  WIDE,
  withoutComparison,
} from './range.js'

const MM_PER_INCH = 25.4
/** Only thicknesses are in microns. */
const MICRON = 0.001
const UNITS: Readonly<Record<string, number>> = {
  mm: 1,
  cm: 10,
  مم: 1,
  ملم: 1,
  سم: 10,
  '"': MM_PER_INCH,
  '”': MM_PER_INCH,
  inch: MM_PER_INCH,
  inches: MM_PER_INCH,
  in: MM_PER_INCH,
  بوصه: MM_PER_INCH,
  انش: MM_PER_INCH,
  micron: MICRON,
  microns: MICRON,
  mic: MICRON,
  um: MICRON,
  ميكرون: MICRON,
}
const UNIT = Object.keys(UNITS)
  .sort((a, b) => b.length - a.length)
  .join('|')
// regexp-ignore: linear, a number is digits and commas, and a unit is one of a list of plain words
const LENGTH = new RegExp(`(?<![\\p{L}\\p{N}.,/-])(${NUMBER})\\s?(?:(${UNIT}))(?![\\p{L}\\p{N}/-])`, 'gu')
// regexp-ignore: linear, as LENGTH
const SIZE = new RegExp(
  `(?<![\\p{L}\\p{N}.,/x×*-])(${NUMBER})\\s?(${UNIT})?\\s?[x×*]\\s?(${NUMBER})\\s?(${UNIT})?(?:\\s?[x×*]\\s?(${NUMBER})\\s?(${UNIT})?)?(?![\\p{L}\\p{N}/.-])`,
  'gu',
)
const BY_BEFORE = /[x×*]\s?$/u
const BY_AFTER = /^\s?[x×*]\s?\d/u

// regexp-ignore: linear, a list of plain words
const wordsOf = (words: string) => new RegExp(`(?<!\\p{L})(?:${fold(words)})(?!\\p{L})`, 'u')
/** Goods with thickness, width and length. If a title of panels has a single length, it is the thickness. */
const PANEL = wordsOf(
  'sheets?|plates?|boards?|panels?|plywood|mdf|veneers?|slabs?|(?:ال)?(?:لوح|ألواح|صفائح|صفيحة|صاج|رقائق|خشب)',
)
const STRIP = wordsOf('coils?|strips?|foils?|(?:ال)?(?:لفائف|شريط|أشرطة)')
/** If a title of rods has a single length in millimetres, it is the diameter. A size of tubes in inches is the diameter. */
const ROD = wordsOf('wires?|rods?|rebars?|bars?|(?:ال)?(?:سلك|أسلاك|قضيب|قضبان|سيخ|أسياخ)')
const TUBE = wordsOf('pipes?|tubes?|tubing|(?:ال)?(?:ماسورة|مواسير|أنبوب|أنابيب)')

/** Words for each dimension. They count only right before or after a length. */
const DIMENSIONS: readonly [string, string][] = [
  [WIDE, 'wide|width|بعرض|عرض'],
  [THICK, 'thick|thickness|thk|بسماكة|سماكة|السماكة|بسمك|سمك'],
  [DIAMETER, 'diameter|diam|dia|outside diameter|od|cross-section|across|بقطر|قطر|القطر'],
]
const MARKED = DIMENSIONS.map(([dimension, words]) => ({
  dimension,
  // regexp-ignore: linear, a list of plain words, then spaces and colons at the end of a few characters
  before: new RegExp(`(?<!\\p{L})(?:${fold(words)})\\.?(?: of)?[ :=]*$`, 'u'),
  // regexp-ignore: linear, lists of plain words
  after: new RegExp(`^ ?(?:or (?:more|less) )?(?:in |outside )?(?:${fold(words)})(?!\\p{L})`, 'u'),
}))
const WIDER = /^ or (?:wider|narrower)(?!\p{L})/u
/** A sheet is much wider than thick; beads of 9 x 6 mm are not sheets. */
const WIDTH_PER_THICKNESS = 10

/** `text`: folded. */
export function dimensionsIn(text: string): Range[] {
  const found: Range[] = []
  const lengths = [...text.matchAll(LENGTH)].filter(match => !isOfSize(text, match))
  const unstated = unstatedDimension(text, lengths.length === 1)
  for (const match of lengths) {
    const factor = UNITS[match[2]]
    const dimension = dimensionAt(text, match) ?? (factor === MICRON ? THICK : unstated(factor))
    if (dimension !== undefined) found.push(rangeAt(text, match, dimension, toNumber(match[1]) * factor))
  }
  if (PANEL.test(text) || STRIP.test(text)) for (const match of text.matchAll(SIZE)) found.push(...sheet(match))
  return found
}

const isOfSize = (text: string, match: RegExpExecArray): boolean =>
  BY_BEFORE.test(before(text, match)) || BY_AFTER.test(after(text, match))

/** The dimension of a length, by its unit, if the text does not name it. */
function unstatedDimension(text: string, isOnly: boolean): (factor: number) => string | undefined {
  const dimension = !isOnly ? undefined : PANEL.test(text) ? THICK : ROD.test(text) ? DIAMETER : undefined
  const isTube = TUBE.test(text)
  return factor => (factor === 1 ? dimension : factor === MM_PER_INCH && isTube ? DIAMETER : undefined)
}

function dimensionAt(text: string, match: RegExpExecArray): string | undefined {
  const [start, end] = [withoutComparison(before(text, match)), after(text, match)]
  if (WIDER.test(end)) return WIDE
  return (MARKED.find(one => one.after.test(end)) ?? MARKED.find(one => one.before.test(start)))?.dimension
}

/** Of three numbers, the smallest is the thickness and the middle one is the width; of two, only if one is much smaller. */
function sheet([, a, unitA, b, unitB, c, unitC]: RegExpExecArray): Range[] {
  const unit = unitC ?? unitB ?? unitA
  if (unit === undefined) return []
  const numbers: [string | undefined, string | undefined][] = [
    [a, unitA],
    [b, unitB],
    [c, unitC],
  ]
  const lengths = numbers
    .flatMap(([number, own]) => (number === undefined ? [] : [toNumber(number) * UNITS[own ?? unit]]))
    .sort((x, y) => x - y)
  const [thickness, width] = lengths
  if (thickness === 0 || width < WIDTH_PER_THICKNESS * thickness) return []
  return [exactly(THICK, thickness), exactly(WIDE, width)]
}
