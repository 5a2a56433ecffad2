/** The GCC integrated tariff: 12 digits padded with zeros, dashes before the text for depth, Arabic and English. */
import { digitsOfLength } from '../../src/codes/digits.js'
import { HEADING_DIGITS, headingOf, padded, SUBHEADING_DIGITS } from '../../src/codes/levels.js'
import { lowerBound } from '../../src/lower-bound.js'
import {
  type Cells,
  type Entry,
  type Layout,
  type LayoutResult,
  PrefixGroups,
  type RowReader,
  readRate,
  textOf,
} from './layout.js'

const DIGITS = 12
/** Maximum digits of a code of the common tariff; longer codes are national lines. */
const COMMON_DIGITS = 8

export const restoreDigits = (code: string): string | undefined => digitsOfLength(code, DIGITS)

/** Removes the zeros that pad the code. */
export function significantDigits(line: string): string {
  return line.replace(/0{1,12}$/, '').padEnd(HEADING_DIGITS, '0')
}

/** Whether some code starts with these digits followed by a digit other than 0. */
function isSharedBySiblings(sorted: string[], digits: string): boolean {
  return sorted[lowerBound(sorted, `${digits}1`)]?.startsWith(digits) ?? false
}

export const gcc12: Layout = {
  name: 'gcc12',
  lineDigits: [8, 12],
  defaultRate: 5,
  columns: {
    code: ['code12', 'code', 'hs_code', 'hscode', 'tariff code', 'رمز النظام المنسق', 'البند', 'رمز السلعة'],
    en: ['text_en', 'description_en', 'english', 'description', 'الوصف الإنجليزي'],
    ar: ['text_ar', 'description_ar', 'arabic', 'الوصف', 'الصنف', 'الوصف العربي'],
    rate: ['rate', 'duty', 'duty rate', 'tariff_rate', 'فئة الرسم', 'الرسم'],
  },
  required: ['code'],

  read(result: LayoutResult): RowReader {
    // whether siblings share a code's digits is known only after the last row
    const table: Cells[] = []
    return { row: cells => table.push(cells), end: () => readPadded(table, result) }
  },
}

/** `isLine`: whether the row with this line number is surely a tariff line, not a group. */
export function readPadded(table: Cells[], result: LayoutResult, isLine: (line: number) => boolean = () => false): void {
  const codes = table.map(({ code }) => restoreDigits(code))
  const sorted = codes.filter(code => code !== undefined).sort()
  const groups = new PrefixGroups()
  table.forEach((cells, i) => {
    const line12 = codes[i]
    if (line12 === undefined) {
      result.skipped.push({ line: cells.line, why: `"${cells.code}" is not a code of 12 digits` })
      return
    }
    const en = textOf(cells, 'en', result)
    const ar = textOf(cells, 'ar', result)
    const significant = significantDigits(line12)
    const digits = significant.length
    const mayBeGroup = digits < COMMON_DIGITS && digits % 2 === 1 && !isLine(cells.line)
    // an odd number of digits means a group if siblings share them, otherwise a code that ends in 0
    if (mayBeGroup && isSharedBySiblings(sorted, significant)) {
      groups.add(significant, en, ar)
      return
    }
    const code = digits > COMMON_DIGITS ? line12 : line12.slice(0, digits + (digits % 2))
    const rate = readRate(cells.rate)
    if (rate === undefined) result.oddRates.push({ line: cells.line, why: `${code}: "${cells.rate}"` })
    result.entries.push({ line: cells.line, code, en, ar, rate: rate ?? '', ...groups.contextOf(code) })
  })
  result.entries = withImpliedCodes(result.entries)
}

/**
 * Adds longer codes that the file leaves out because they repeat a shorter one: heading 2203 also stands for subheading 220300,
 * and 010221 for 01022100 if national lines follow. Users look up both forms.
 */
function withImpliedCodes(entries: Entry[]): Entry[] {
  const byCode = new Map(entries.map(entry => [entry.code, entry]))
  const all: Entry[] = []
  const divided = new Set(entries.filter(({ code }) => code.length > HEADING_DIGITS).map(({ code }) => headingOf(code)))
  const addPaddedCode = (code: string, digits: number) => {
    const implied = padded(code.slice(0, digits), digits)
    if (byCode.has(implied)) return
    let above: Entry | undefined
    for (let n = digits - 1; n >= HEADING_DIGITS && above === undefined; n--) above = byCode.get(implied.slice(0, n))
    if (above === undefined || padded(above.code, digits) !== implied) return
    const entry = { ...above, code: implied, rate: '' }
    byCode.set(implied, entry)
    all.push(entry)
  }
  for (const entry of entries) {
    all.push(entry)
    if (entry.code.length === HEADING_DIGITS && !divided.has(entry.code)) addPaddedCode(entry.code, SUBHEADING_DIGITS)
    if (entry.code.length > SUBHEADING_DIGITS) addPaddedCode(entry.code, SUBHEADING_DIGITS)
    if (entry.code.length > COMMON_DIGITS) addPaddedCode(entry.code, COMMON_DIGITS)
  }
  return all
}
