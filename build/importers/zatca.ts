/** Saudi Arabia's list (ZATCA, Tariff.xlsx): like gcc12, with duty texts in both languages and a date per record. */
import { padded as paddedCode, subheadingOf } from '../../src/codes/levels.js'
import { isDay } from '../../src/day.js'
import { type Duty, readDutyText } from './duty-text.js'
import { readPadded, restoreDigits, significantDigits } from './gcc12.js'
import type { Cells, Layout, LayoutResult, RowReader } from './layout.js'

const DIGITS = 12

interface PaddedRow {
  cells: Cells
  code: string
  /** Undefined for a group. */
  duty: Duty | undefined
}

export const zatca: Layout = {
  name: 'zatca',
  lineDigits: [8, 12],
  defaultRate: 5,
  vatRate: 15,
  country: { code: 'SA', authority: 'Zakat, Tax and Customs Authority', document: 'integrated customs tariff (Tariff.xlsx)' },
  columns: {
    code: ['Harmonized Code', 'رمز النظام المنسق', 'رمز النظام المنسق Harmonized Code'],
    ar: ['Item Arabic Name', 'الصنف باللغة العربية', 'الصنف باللغة العربية Item Arabic Name'],
    en: ['Item English Name', 'الصنف باللغة الانجليزية', 'الصنف باللغة الانجليزية Item English Name'],
    rate_ar: ['Arabic Duty Rate', 'فئة الرسم باللغة العربية', 'فئة الرسم باللغة العربية Arabic Duty Rate'],
    rate: ['English Duty Rate', 'فئة الرسم باللغة الانجليزية', 'فئة الرسم باللغة الانجليزية English Duty Rate'],
    date: ['Date', 'التاريخ', 'التاريخ Date'],
  },
  required: ['code', 'ar', 'en', 'rate_ar', 'rate', 'date'],

  read(result: LayoutResult): RowReader {
    // whether a row is a group with lines is known only after the last row
    const table: Cells[] = []
    return { row: cells => table.push(cells), end: () => readAll(table, result) }
  },
}

function readAll(table: Cells[], result: LayoutResult): void {
  const rows = table.flatMap(cells => readRow(cells, result) ?? [])
  const codes = new Set(rows.map(({ code }) => code))
  const beginnings = new Set<string>()
  for (const { code, duty } of rows) if (duty !== undefined) for (let n = 4; n <= DIGITS; n++) beginnings.add(code.slice(0, n))
  const isKept = ({ cells: { line }, code, duty }: PaddedRow) => {
    const subheading = subheadingOf(code)
    if (!codes.has(paddedCode(subheading, DIGITS))) {
      result.skipped.push({ line, why: `${code}: the file has no subheading ${subheading}` })
      return false
    }
    const hasLines = duty !== undefined || beginnings.has(significantDigits(code))
    if (!hasLines) result.skipped.push({ line, why: `${code} has no duty and no line below it` })
    return hasLines
  }
  const kept = rows.filter(isKept)
  for (const { cells, code, duty } of kept)
    if (duty !== undefined) result.lines.push({ line: cells.line, code, ...duty, date: readDate(cells, code, result) })
  const lines = new Set(result.lines.map(({ line }) => line))
  const padded = kept.map(({ cells, code, duty }) => ({ ...cells, code, rate: duty?.rate ?? '' }))
  readPadded(padded, result, line => lines.has(line))
}

function readRow(cells: Cells, result: LayoutResult): PaddedRow | undefined {
  const { line, code: written, rate, rate_ar } = cells
  const isBlank = rate.trim() === '' && rate_ar.trim() === ''
  if (isBlank && /^[0-9]{4}$/.test(written.trim())) {
    result.titles++
    return undefined
  }
  const code = restoreDigits(written)
  if (code === undefined) {
    result.skipped.push({ line, why: `"${written}" is not a code of 12 digits` })
    return undefined
  }
  if (isBlank) return { cells, code, duty: undefined }
  const duties = [rate, rate_ar].filter(text => text.trim() !== '').map(readDutyText)
  const [duty] = duties
  if (duties.every(other => other !== undefined && other.status === duty?.status && other.rate === duty.rate))
    return { cells, code, duty }
  result.refused.push({ line, why: `${code}: the duty "${rate.trim()}", in Arabic "${rate_ar.trim()}", is not understood` })
  return undefined
}

const MONTH_DAY_YEAR = /^([0-9]{1,2})\/([0-9]{1,2})\/([0-9]{4})(?: 12:00:00 AM)?$/

function readDate({ date, line }: Cells, code: string, result: LayoutResult): string {
  const written = date.trim()
  const [, month = '', day = '', year = ''] = MONTH_DAY_YEAR.exec(written) ?? []
  const iso = year === '' ? written : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (written !== '' && !isDay(iso)) result.refused.push({ line, why: `${code}: the date "${written}" is not understood` })
  return iso
}
