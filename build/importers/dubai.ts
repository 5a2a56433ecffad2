/** Dubai Customs, HSCodeMaster: lines only, with the code of 12 digits, the old code of 8 digits, and the duty as a number. */
import { readDutyNumber } from './duty-text.js'
import { restoreDigits } from './gcc12.js'
import { type Cells, type Layout, type LayoutResult, type RowReader, textOf } from './layout.js'

export const dubai: Layout = {
  name: 'dubai',
  lineDigits: [8, 12],
  defaultRate: 5,
  country: { code: 'AE', authority: 'Dubai Customs', document: 'list of HS codes (HSCodeMaster)' },
  lacksDigits: [4, 6],
  columns: {
    code: ['NewHSCode'],
    ar: ['LongDescAr'],
    en: ['LongDescEn'],
    rate: ['DutyPercentage'],
  },
  required: ['code', 'en', 'rate'],

  read(result: LayoutResult): RowReader {
    return { row: cells => readRow(cells, result), end: () => {} }
  },
}

function readRow(cells: Cells, result: LayoutResult): void {
  const { line, code: written, rate: text } = cells
  const code = restoreDigits(written)
  if (code === undefined) {
    result.skipped.push({ line, why: `"${written}" is not a code of 12 digits` })
    return
  }
  // a blank cell is an unknown rate, because it could mean 0 or 5
  const duty = text.trim() === '' ? ({ status: 'unknown', rate: '' } as const) : readDutyNumber(text)
  if (duty === undefined) {
    result.refused.push({ line, why: `${code}: the duty "${text.trim()}" is not understood` })
    return
  }
  result.lines.push({ line, code, ...duty, date: '' })
  const [en, ar] = [textOf(cells, 'en', result), textOf(cells, 'ar', result)]
  result.entries.push({ line, code, en, ar, rate: duty.rate, contextEn: [], contextAr: [] })
}
