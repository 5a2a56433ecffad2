/** TARIC: 10 padded digits and a level per row. A code occurs twice if it is both a group heading and a line. */
import { type Cells, type Layout, type LayoutResult, PrefixGroups, type RowReader, readRate, textOf } from './layout.js'

const DIGITS = 10

export const euTaric: Layout = {
  name: 'eu-taric',
  lineDigits: [8, 10],
  defaultRate: 0,
  columns: {
    code: ['goods_code', 'Goods code', 'goods code'],
    en: ['description', 'Description'],
    rate: ['rate', 'duty'],
    indent: ['hier_pos', 'Hier. Pos.', 'Hier. Pos'],
  },
  required: ['code', 'en', 'indent'],

  read(result: LayoutResult): RowReader {
    const groups = new PrefixGroups()
    const take = (cells: Cells, next: Cells | undefined) => {
      const { line, code: raw, indent, rate: rateText } = cells
      // some exports add two digits for the kind of line
      const digits = raw.trim().split(/\s/)[0]?.padStart(DIGITS, '0') ?? ''
      const level = Number(indent)
      if (!/^[0-9]{10}$/.test(digits) || !(level >= 2 && level <= DIGITS)) {
        result.skipped.push({ line, why: `"${raw}" at level "${indent}" is not a goods code` })
        return
      }
      const code = digits.slice(0, level)
      const text = textOf(cells, 'en', result)
      if (next !== undefined && next.code.trim() === raw.trim() && next.indent.trim() === indent.trim()) {
        // the group covers the siblings that share all but the last significant digit
        groups.add(code.replace(/0$/, '').slice(0, level - 1), text, '')
        return
      }
      const rate = readRate(rateText)
      if (rate === undefined) result.oddRates.push({ line, why: `${code}: "${rateText.trim()}"` })
      result.entries.push({ line, code, en: text, ar: '', rate: rate ?? '', ...groups.contextOf(code) })
    }
    // whether a row is a group depends on the next row
    let held: Cells | undefined
    return {
      row(cells) {
        if (held !== undefined) take(held, cells)
        held = cells
      },
      end() {
        if (held !== undefined) take(held, undefined)
      },
    }
  },
}
