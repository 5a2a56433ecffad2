import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { fillTable, RawRows } from '../../src/tables/fill.js'
import { temporaryDirectory } from '../support/service.js'

const folder = temporaryDirectory(t)
const [file, out] = [join(folder, 'in.csv'), join(folder, 'out.csv')]
const signal = new AbortController().signal

async function filled(text: string, replaced: ReadonlyMap<number, string>, added: readonly string[]): Promise<string> {
  writeFileSync(file, text)
  const begin = () => ({ added, fill: () => ({ replaced, added }) })
  await fillTable({ file, out, separator: undefined, force: true, progress: () => {}, signal, begin })
  return readFileSync(out, 'utf8')
}

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'ب', '😀', ' ', '=', '1') }),
  fc.string({ unit: fc.constantFrom('a', '""', ',', ';', '\r', '\n', '\r\n', 'ب') }).map(text => `"${text}"`),
)

t.test('only the added cells change; quotes, line ends and the byte order mark stay as they are', async t => {
  const table = fc.record({
    bom: fc.constantFrom('', '\ufeff'),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    last: fc.boolean(),
    rows: fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }),
  })
  await fc.assert(
    fc.asyncProperty(table, async ({ bom, end, last, rows }) => {
      const text = `${bom}x,y,z${end}${rows.map(cells => cells.join(',')).join(end)}${last ? end : ''}`
      const expected = `${bom}x,y,z,+${end}${rows.map(cells => `${cells.join(',')},+`).join(end)}${last ? end : ''}`
      return (await filled(text, new Map(), ['+'])) === expected
    }),
    { numRuns: 200 },
  )
  t.equal(await filled('a;b\r\n\r\n"1";2', new Map([[0, 'x']]), ['+']), 'a;b;+\r\n\r\n"x";2;+', 'a filled cell keeps its quotes')
  t.equal(
    await filled('a,b\n1,2,,\n', new Map([[1, 'x,y']]), ['+']),
    'a,b,+\n1,"x,y",+,,\n',
    'extra separators at the end of a row are kept',
  )
  t.equal(await filled('a\n\n1\n', new Map(), ['+']), 'a,+\n,+\n1,+\n', 'in a table of one column, a blank line is a row')
})

t.test('nothing is written if another process creates the file meanwhile, or if the work is aborted at its end', async t => {
  writeFileSync(file, 'a,b\n1,2\n')
  const other = join(folder, 'meanwhile.csv')
  const fill = () => ({ replaced: new Map(), added: [] })
  const options = { file, separator: undefined, force: false, progress: () => {} }
  const begin = () => {
    writeFileSync(other, 'of another')
    return { added: [], fill }
  }
  await t.rejects(fillTable({ ...options, out: other, signal, begin }), /the file already exists; --force replaces/)
  t.equal(readFileSync(other, 'utf8'), 'of another')
  const stop = new AbortController()
  const abort = () => {
    stop.abort(new Error('enough'))
    return { added: [], fill }
  }
  const never = join(folder, 'never.csv')
  await t.rejects(fillTable({ ...options, out: never, signal: stop.signal, begin: abort }), /enough/)
  t.notOk(existsSync(never))
})

t.test('rows do not depend on how the text is divided into pieces', async t => {
  const text = 'a,"b\r\n""c""",d\r\n1,2,3\r\n\r\n"x","",\n'
  const whole = [...new RawRows('f', ',').take(text, true)]
  t.equal(whole.map(({ cells, end }) => cells.join(',') + end).join(''), text)
  t.strictSame(
    whole.map(({ line }) => line),
    [1, 3, 4, 5],
  )
  for (let at = 0; at <= text.length; at++) {
    const rows = new RawRows('f', ',')
    t.strictSame([...rows.take(text.slice(0, at), false), ...rows.take(text.slice(at), true)], whole)
  }
})

t.test('invalid CSV is refused with its line', async t => {
  for (const [text, message] of [
    ['a,b\n1,"2\n', /in\.csv:2: .*a quote is not closed/],
    ['a,b\n1,"2"x\n', /in\.csv:2: .*continues after its closing quote/],
    ['a,b\n1,2"x\n', /in\.csv:2: .*a cell contains a quote/],
    ['a,b\n1,2\n1\n', /in\.csv:3: the row has 1 fields, the header 2/],
    ['a,b\n1,2,3\n', /in\.csv:2: the row has 3 fields/],
    ['a,b\r1,2\r1\r', /in\.csv:3: the row has 1 fields/],
    ['\n\n', /the file has no header/],
    [`a,b\n1,"${'x'.repeat(1_100_000)}`, /in\.csv:2: .*longer than a megabyte; is a quote not closed\?/],
  ] as const)
    await t.rejects(filled(text, new Map(), ['+']), { message }, text)
})
