/** The United States schedule: dotted codes, an indent for depth, rows without a code as groups, rates as text. */
import { digitsOf } from '../../src/codes/digits.js'
import { type Cells, type Layout, type LayoutResult, type RowReader, readRate, textOf } from './layout.js'

export const usHts: Layout = {
  name: 'us-hts',
  lineDigits: [8, 10],
  defaultRate: 0,
  columns: {
    code: ['HTS Number', 'htsno'],
    en: ['Description'],
    rate: ['General Rate of Duty', 'general'],
    indent: ['Indent'],
  },
  required: ['code', 'en', 'indent'],

  read(result: LayoutResult): RowReader {
    /** Texts of the rows without a code above the current one, by indent. */
    let open: { indent: number; text: string }[] = []
    const row = (cells: Cells) => {
      const { line, code: dotted, indent: depth, rate: rateText } = cells
      const indent = Number(depth)
      const text = textOf(cells, 'en', result)
      if (!/^[0-9]{1,2}$/.test(depth.trim())) {
        result.skipped.push({ line, why: `the indent "${depth}" is not a number` })
        return
      }
      open = open.filter(group => group.indent < indent)
      const code = digitsOf(dotted)
      if (dotted.trim() === '') {
        open.push({ indent, text })
        return
      }
      if (code === '') {
        result.skipped.push({ line, why: `"${dotted}" is not a code` })
        return
      }
      const rate = readRate(rateText)
      if (rate === undefined) result.oddRates.push({ line, why: `${code}: "${rateText.trim()}"` })
      const contextEn = open.map(group => group.text).filter(group => group !== '')
      result.entries.push({ line, code, en: text, ar: '', contextEn, contextAr: [], rate: rate ?? '' })
    }
    return { row, end: () => {} }
  },
}
