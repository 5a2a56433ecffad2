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
  mark: boolean
  lastLineEnd: boolean
  /** Blank lines before each row. */
  blank: number
}

const style: fc.Arbitrary<Style> = fc.record({
  quoteAll: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  mark: fc.boolean(),
  lastLineEnd: fc.boolean(),
  blank: fc.nat(2),
})

const text = fc.string({
  unit: fc.oneof(fc.constantFrom('"', ',', '\n', ' ', ';', 'خ', '\ufeff'), fc.string({ unit: 'grapheme' })),
  maxLength: 8,
})
const table = fc
  .integer({ min: 2, max: 5 })
  .chain(width => fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }))

/** The table as text, and the line on which each row begins. */
function write(rows: string[][], { quoteAll, lineEnd, mark, lastLineEnd, blank }: Style): [string, number[]] {
  const lines: number[] = []
  let written = mark ? '\ufeff' : ''
  for (const cells of rows) {
    written += lineEnd.repeat(blank)
    lines.push(written.split('\n').length)
    const quoted = cells.map(cell => (quoteAll || /[",\n\r\ufeff]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    written += quoted.join(',') + lineEnd
  }
  return [lastLineEnd ? written : written.slice(0, -lineEnd.length), lines]
}

t.test('the result does not depend on the quoting, and each row knows the line it begins on', async t => {
  const file = join(temporaryDirectory(t), 'table.csv')
  const read = async (rows: string[][], how: Style) => {
    const header = rows[0]?.map((_, i) => `column ${i}`) ?? []
    const [content, lines] = write([header, ...rows], how)
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
      if (JSON.stringify(first) !== JSON.stringify(rows)) throw new Error('the first differs from the table')
      if (JSON.stringify(second) !== JSON.stringify(rows)) throw new Error('the second differs from the table')
    }),
    { numRuns: 300 },
  )
  t.pass('all tables were read as they were written')
})
