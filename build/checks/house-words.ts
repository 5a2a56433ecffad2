/** Compares the two descriptions of a row with each other and with their parent. */
import { chapterOf } from '../../src/codes/levels.js'
import type { Defect } from '../dataset/defect.js'
import { parentsOf } from '../dataset/parents.js'
import type { Row } from '../dataset/rows.js'

const BRACKETS_AFTER_EXCLUSION = {
  // regexp-ignore: dataset text, a description has at most 1,000 characters
  description_en: /\b(?:other than|except)\b[^()]*\([^)]*\)$/i,
  // regexp-ignore: dataset text, a description has at most 1,000 characters
  description_ar: /(?<!\p{L})(?:عدا|من غير)(?!\p{L})[^()]*\([^)]*\)$/u,
} as const

/** Reports examples after an exclusion, which read as if they were excluded as well. */
export function checkBrackets(rows: readonly Row[]): Defect[] {
  const defects: Defect[] = []
  for (const row of rows) {
    for (const name of ['description_en', 'description_ar'] as const) {
      if (BRACKETS_AFTER_EXCLUSION[name].test(row[name]))
        defects.push(defect(row, `${name} has brackets after an exclusion; put examples before it`))
    }
  }
  return defects
}

/** A number. "3D" is a word: Arabic spells it out. */
const NUMBER = /\d+(?:[.,٫،]\d+)*(?![\d]|D\b)/gu
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/

/** Numbers in ascending order. Separators do not matter: 1,000 equals 1000, and 0.5 equals 0٫5. */
export function numbersIn(text: string): number[] {
  const values = (text.match(NUMBER) ?? []).flatMap(written => {
    const plain = written.replaceAll('٫', '.').replaceAll('،', ',')
    if (THOUSANDS.test(plain)) return [Number(plain.replaceAll(',', ''))]
    const value = Number(plain.replace(',', '.'))
    // "1,1,2" in the name of a chemical is three numbers
    return Number.isNaN(value) ? plain.split(/[.,]/).map(Number) : [value]
  })
  return values.sort((a, b) => a - b)
}

/** Units of limits, as both languages write them. Longer names come before their prefixes. */
const UNITS: readonly [name: string, english: string, arabic: string][] = [
  ['g/m²', 'g/m²', '(?:جم|غ)/م²'],
  ['kg', 'kg|kilograms?', 'كجم|كغ|كيلوجراما?|كيلوغراما?'],
  ['mg', 'mg', 'ملجم|مجم|ملغ'],
  // "g rms" is an acceleration
  ['g', 'g(?! rms)|grams?', 'جم|غ|جراما?|جرامات|غراما?'],
  ['mm', 'mm|millimetres?', 'مم|مليمترا?'],
  ['cm³', 'cm³|cc', 'سم³'],
  ['cm²', 'cm²', 'سم²'],
  ['cm', 'cm|centimetres?', 'سم|سنتيمترا?'],
  ['m³', 'm³', 'م³'],
  ['m²', 'm²', 'م²'],
  ['m', 'm|metres?', 'م|مترا?|أمتار'],
  ['ml', 'ml', 'مل|مليلترا?'],
  ['litre', 'L|l|litres?', 'لترا?|لترات'],
  ['kVA', 'kVA', 'كيلوفولت[ -]?أمبير|ك ?ف ?أ'],
  ['MW', 'MW', 'ميجا ?واط'],
  ['kW', 'kW|kilowatts?', 'كيلو ?واط|كيلووات'],
  ['kV', 'kV', 'كيلو ?فولت(?! ?أمبير)'],
  ['V', 'V|volts?', 'فولتا?(?! ?أمبير)'],
  ['W', 'W|watts?', 'واطا?|وات'],
  ['%', '%|percent|per cent', '%|في المائة|بالمائة'],
  ['tonne', 't|tonnes?|tons?', 'طنا?|أطنان'],
  ['decitex', 'decitex|dtex', 'ديسيتكس'],
]
const LETTER = '\\p{L}\\p{M}²³'

function unitPattern(words: string): RegExp {
  // regexp-ignore: linear, built from our own units, none of which contains a repetition
  return new RegExp(`\\d[\\s-]?(?:${words})(?![${LETTER}])`, 'u')
}

const UNIT_PATTERNS = UNITS.map(([name, english, arabic]) => ({
  name,
  english: unitPattern(english),
  // Arabic keeps Latin letters in names of goods: oil 15W40
  arabic: unitPattern(`${arabic}|${english}`),
}))

/** Limits decide what a code covers, so both languages must state the same limits. */
export function checkNumbers(rows: readonly Row[]): Defect[] {
  const defects: Defect[] = []
  for (const row of rows) {
    const { description_en: english, description_ar: arabic } = row
    const [left, right] = [numbersIn(english).join(' '), numbersIn(arabic).join(' ')]
    if (left !== right) {
      const bothNumbers = `${left || 'none'} in English, ${right || 'none'} in Arabic`
      defects.push(defect(row, `the numbers of the two descriptions differ: ${bothNumbers}`))
      continue
    }
    if (left === '') continue
    for (const unit of UNIT_PATTERNS) {
      const inEnglish = unit.english.test(english)
      if (inEnglish !== unit.arabic.test(arabic))
        defects.push(defect(row, `only the ${inEnglish ? 'English' : 'Arabic'} description has the unit ${unit.name}`))
    }
  }
  return defects
}

/** If a description matches `EXCLUDES`, the description in the other language must match `MAY_EXCLUDE`. */
const EXCLUDES = {
  English: /\b(?:other than|except|excluding|apart from)\b/i,
  Arabic: /(?<!\p{L})و?(?:عدا|من غير)(?!\p{L})/u,
} as const
const MAY_EXCLUDE = {
  English: /\b(?:than|except|excluding|apart|outside|not|neither|nor|no|non|without|only)\b/i,
  // regexp-ignore: linear, plain words and one class, nothing repeats
  Arabic: /(?<!\p{L})(?:و|ل|ب)?(?:عدا|غير|دون|بلا|بدون|خالية|ليس|ليست|لا|سوى)(?!\p{L})/u,
} as const

/** Reports an exclusion that only one language has: without it the other text covers goods of another code. */
export function checkExclusions(rows: readonly Row[]): Defect[] {
  return rows.flatMap(row => {
    const { description_en: English, description_ar: Arabic } = row
    if (EXCLUDES.English.test(English) && !MAY_EXCLUDE.Arabic.test(Arabic))
      return [defect(row, 'the English description excludes something, the Arabic one nothing')]
    if (EXCLUDES.Arabic.test(Arabic) && !MAY_EXCLUDE.English.test(English))
      return [defect(row, 'the Arabic description excludes something, the English one nothing')]
    return []
  })
}

// regexp-ignore: dataset text, a description has at most 1,000 characters
const PERCENTAGE = /(\d+(?:\.\d+)?) ?%/gu
const FIRST_CHAPTER = '50'
const LAST_CHAPTER = '55'

function percentages(text: string): string[] {
  return [...text.matchAll(PERCENTAGE)].map(([, number = '']) => number)
}

/**
 * Yarns and fabrics are classified by the share of a fibre. A row must repeat its parent's share, because people read a row
 * without its parents.
 */
export function checkPercentages(rows: readonly Row[]): Defect[] {
  const parents = parentsOf(rows)
  const defects: Defect[] = []
  for (const row of rows) {
    const chapter = chapterOf(row.hs_code)
    const parent = parents.get(row.hs_code)
    if (chapter < FIRST_CHAPTER || chapter > LAST_CHAPTER || parent === undefined || parent.hs_code.length < 4) continue
    const own = percentages(row.description_en)
    const lost = percentages(parent.description_en).filter(number => !own.includes(number))
    if (lost.length > 0)
      defects.push(defect(row, `the description lacks ${lost.map(number => `${number}%`).join(', ')} of ${parent.hs_code}`))
  }
  return defects
}

function defect({ file, line }: Row, message: string): Defect {
  return { file, line, message }
}
