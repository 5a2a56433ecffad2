/** Any table with a column of codes; --map says which columns to use. */
import { isCode } from '../../src/codes/code.js'
import { asciiDigits, withLostZero, withoutSeparators } from '../../src/codes/digits.js'
import { type Cells, type Layout, type LayoutResult, type RowReader, readRate, textOf } from './layout.js'

export const generic: Layout = {
  name: 'generic',
  lineDigits: [],
  defaultRate: 0,
  columns: {
    code: ['hs_code', 'code'],
    en: ['description_en', 'en', 'description'],
    ar: ['description_ar', 'ar'],
    rate: ['tariff_rate', 'rate', 'duty'],
  },
  required: ['code'],

  read(result: LayoutResult): RowReader {
    const row = (cells: Cells) => {
      const { line, code: raw, rate: rateText } = cells
      const digits = withoutSeparators(asciiDigits(raw))
      const code = withLostZero(digits) ?? digits
      if (!isCode(code)) {
        result.skipped.push({ line, why: `"${raw}" is not a code` })
        return
      }
      const rate = readRate(rateText)
      if (rate === undefined) result.oddRates.push({ line, why: `${code}: "${rateText.trim()}"` })
      result.entries.push({
        line,
        code,
        en: textOf(cells, 'en', result),
        ar: textOf(cells, 'ar', result),
        contextEn: [],
        contextAr: [],
        rate: rate ?? '',
      })
    }
    return { row, end: () => {} }
  },
}
