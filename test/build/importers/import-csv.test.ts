import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { TableRow } from '../../../src/tables/csv.js'
import { readTable } from '../../../src/tables/table.js'
import { temporaryDirectory } from '../../support/service.js'

interface Style {
  quoteAll: boolean
  lineEnd: string
  byteOrderMark: boolean
  lastLineEnd: boolean
  /** The number of blank lines before each row. */
  blankLines: number
}

const style: fc.Arbitrary<Style> = fc.record({
  quoteAll: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  byteOrderMark: fc.boolean(),
  lastLineEnd: fc.boolean(),
  blankLines: fc.nat(2),
})

const text = fc.string({
  unit: fc.oneof(fc.constantFrom('"', ',', '\n', ' ', ';', 'خ', '\ufeff'), fc.string({ unit: 'grapheme' })),
  maxLength: 8,
})
const table = fc
  .integer({ min: 2, max: 5 })
  .chain(width => fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }))

/** Returns the table as CSV text, and the line on which each row begins. */
function write(rows: string[][], { quoteAll, lineEnd, byteOrderMark, lastLineEnd, blankLines }: Style): [string, number[]] {
  const lines: number[] = []
  let written = byteOrderMark ? '\ufeff' : ''
  for (const cells of rows) {
    written += lineEnd.repeat(blankLines)
    lines.push(written.split('\n').length)
    const quoted = cells.map(cell => (quoteAll || /[",\n\r\ufeff]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    written += quoted.join(',') + lineEnd
  }
  return [lastLineEnd ? written : written.slice(0, -lineEnd.length), lines]
}

t.test('cells do not depend on quoting, line ends or blank lines, and each row has the line on which it begins', async t => {
  const file = join(temporaryDirectory(t), 'table.csv')
  const read = async (rows: string[][], style: Style) => {
    const header = rows[0]?.map((_, i) => `column ${i}`) ?? []
    const [content, lines] = write([header, ...rows], style)
    writeFileSync(file, content)
    const found: TableRow[] = []
    const count = await readTable(
      file,
      () => {},
      names => {
        t.strictSame(names, header)
        return row => found.push(row)
      },
    )
    t.equal(count, rows.length)
    t.strictSame(
      found.map(({ line }) => line),
      lines.slice(1),
    )
    return found.map(({ cells }) => cells)
  }
  await fc.assert(
    fc.asyncProperty(table, style, style, async (rows, one, other) => {
      const first = await read(rows, one)
      const second = await read(rows, other)
      if (JSON.stringify(first) !== JSON.stringify(rows)) throw new Error('the first style changed the cells')
      if (JSON.stringify(second) !== JSON.stringify(rows)) throw new Error('the second style changed the cells')
    }),
    { numRuns: 300 },
  )
  t.pass('all tables were read as they were written')
})
