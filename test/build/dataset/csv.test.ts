import fc from 'fast-check'
import t from 'tap'
import { anyRecords, parseCsv } from '../../../build/dataset/csv.js'

type Result = { records: unknown } | { lines: unknown; message: string }

function attempt(parse: (text: string) => unknown, text: string): Result {
  try {
    return { records: parse(text) }
  } catch (error) {
    return { lines: (error as { lines?: number }).lines, message: (error as Error).message }
  }
}

t.test('any text is read in the same way as by the CSV library, whether or not its lines have quotes', async t => {
  const cell = fc.oneof(
    fc.constantFrom('', 'a', 'b c', '"a"', '"a, b"', '""', '"a ""b"" c"', 'a"b', '"a"b', ' "a"', '"a', '"a\nb"'),
    fc.constantFrom('خيول', '\ufeff', '\r', 'a\r'),
  )
  const line = fc.array(cell, { maxLength: 4 }).map(cells => cells.join(','))
  let validTexts = 0
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
      const text = lines.join(end)
      const expected = attempt(anyRecords, text)
      if ('records' in expected) validTexts++
      t.strictSame(attempt(parseCsv, text), expected, JSON.stringify(text))
    }),
    { numRuns: 2_000 },
  )
  t.ok(validTexts > 200, `more than 200 of the texts are valid CSV: ${validTexts}`)
})
