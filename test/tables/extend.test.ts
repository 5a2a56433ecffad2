import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import t from 'tap'
import { readDialect } from '../../src/tables/dialect.js'
import { type ExtendOptions, extendTable } from '../../src/tables/extend.js'
import { readSheetCells } from '../../src/tables/xlsx.js'
import { temporaryDirectory } from '../support/service.js'

const folder = temporaryDirectory(t)
const file = join(folder, 'in.csv')

function extend(out: string, changes: Partial<ExtendOptions> = {}): Promise<number> {
  return extendTable({
    file,
    out,
    separator: undefined,
    forExcel: false,
    force: true,
    progress: () => {},
    signal: new AbortController().signal,
    begin: () => ({
      columns: [
        { name: 'first', kind: 'text' },
        { name: 'code', kind: 'code' },
      ],
      fill: cellAt => [cellAt(0), '007'],
    }),
    ...changes,
  })
}

/** Random cells, many of them with characters that are special in CSV. */
const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\n', '\r', ' ', '=', '0', 'ش', '\ufeff') }),
)
const name = fc.string({ unit: fc.constantFrom('a', ' ', '"', 'ن', '\n'), minLength: 1, maxLength: 4 })
const rows = fc.tuple(fc.integer({ min: 2, max: 4 }), fc.nat(20)).chain(([columns, count]) =>
  fc.tuple(
    fc.array(name, { minLength: columns, maxLength: columns }),
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
      minLength: count,
      maxLength: count,
    }),
  ),
)

t.test('all cells are written unchanged, followed by the added cells', async t => {
  const out = join(folder, 'out.csv')
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      async ([header, body], separator, newline, bom) => {
        const options = { delimiter: separator, record_delimiter: newline, bom }
        writeFileSync(file, stringify([header, ...body], { ...options, quoted: true }))
        const count = await extend(out)
        const text = readFileSync(out, 'utf8')
        const actual: string[][] = parse(text, { bom: true, delimiter: separator })
        const expected = [[...header, 'first', 'code'], ...body.map(cells => [...cells, cells[0], '007'])]
        return (
          count === body.length &&
          text.startsWith('\ufeff') === bom &&
          text.endsWith(newline) &&
          JSON.stringify(actual) === JSON.stringify(expected)
        )
      },
    ),
    { numRuns: 200 },
  )
  t.pass('the property holds for all generated cases')
})

t.test('a table with more cells or longer cells than XLSX allows is refused', async t => {
  const out = join(folder, 'out.xlsx')
  writeFileSync(file, `a,b\n${'x'.repeat(32_768)},1\n`)
  await t.rejects(extend(out), /row 2 has a cell of 32768 characters, but XLSX allows 32767; write CSV instead$/)
  writeFileSync(file, `a,b\n${'x'.repeat(32_767)},1\n`)
  t.equal(await extend(out), 1)
  t.equal((await readSheetCells(out))[1]?.[0], 'x'.repeat(32_767))
  writeFileSync(file, `a,b\n${'1,2\n'.repeat(250_000)}`)
  await t.rejects(extend(out), /more than 1000000 cells or 1048576 rows, the limit for XLSX; write CSV/)
  t.equal(await extend(join(folder, 'out.csv')), 250_000)
})

t.test('extra separators at the end of rows are dropped, and a header without rows is a table', async t => {
  const out = join(folder, 'out.csv')
  writeFileSync(file, '\n\na,b\n1,2,,\n')
  t.equal(await extend(out), 1)
  t.equal(readFileSync(out, 'utf8'), 'a,b,first,code\n1,2,1,007\n')
  writeFileSync(file, 'a,b')
  t.equal(await extend(out), 0)
  t.equal(readFileSync(out, 'utf8'), 'a,b,first,code\n')
  writeFileSync(file, '\n\n')
  await t.rejects(extend(out), /the file has no header/)
  writeFileSync(file, 'a;b\n1;2\n')
  t.equal(await extend(out, { separator: ',' }), 1)
  t.equal(readFileSync(out, 'utf8'), '"a;b",first,code\n"1;2","1;2",007\n')
})

t.test('an existing file is replaced only with force, and the input never', async t => {
  const at = (name: string) => join(folder, name)
  writeFileSync(file, 'a,b\n1,2\n')
  writeFileSync(at('there.csv'), 'old')
  symlinkSync(file, at('link.csv'))
  linkSync(file, at('hard.csv'))
  mkdirSync(at('folder.csv'))
  await t.rejects(extend(at('there.csv'), { force: false }), /the file already exists; --force replaces/)
  t.equal(readFileSync(at('there.csv'), 'utf8'), 'old')
  for (const name of ['in.csv', 'link.csv', 'hard.csv'])
    await t.rejects(extend(at(name)), /this is the input itself; name another file/, `${name} is the input`)
  await t.rejects(extend(at('folder.csv')), /this is not a regular file/)
  await t.rejects(extend(at('out.txt')), /its name must end in \.csv or \.xlsx$/)
  t.equal(readFileSync(file, 'utf8'), 'a,b\n1,2\n')
  const stop = new AbortController()
  stop.abort(new Error('enough'))
  await t.rejects(extend(at('stopped.csv'), { signal: stop.signal }), /enough/)
  await t.rejects(extend(at('out.csv'), { file: at('none.csv') }), /none\.csv/)
  writeFileSync(at('empty.csv'), '')
  await t.rejects(extend(at('out.csv'), { file: at('empty.csv') }), /the file is empty/)
  t.notOk(existsSync(at('stopped.csv')))
  t.notOk(readdirSync(folder).some(name => name.endsWith('.tmp')))
})

t.test('an output file that another process creates meanwhile is not replaced without force', async t => {
  writeFileSync(file, 'a,b\n1,2\n')
  for (const name of ['meanwhile.csv', 'meanwhile.xlsx']) {
    const out = join(folder, name)
    const begin = () => {
      writeFileSync(out, 'of another')
      return { columns: [], fill: () => [] }
    }
    await t.rejects(extend(out, { force: false, begin }), /the file already exists; --force replaces/)
    t.equal(readFileSync(out, 'utf8'), 'of another')
    const stop = new AbortController()
    const abort = () => {
      stop.abort(new Error('at the end'))
      return { columns: [], fill: () => [] }
    }
    await t.rejects(extend(out, { begin: abort, signal: stop.signal }), /at the end/, 'an abort in the last piece counts')
    t.equal(readFileSync(out, 'utf8'), 'of another')
  }
  t.notOk(readdirSync(folder).some(name => name.endsWith('.tmp')))
})

t.test('an output that cannot be written is reported with its path', async t => {
  await t.rejects(extend(join(folder, 'none', 'out.csv')), /none\/out\.csv: there is no such directory/)
  await t.rejects(extend('/dev/null.csv/out.csv'), /\/dev\/null\.csv\/out\.csv: /)
})

t.test('with slow rows, an abort takes effect soon and progress is reported often, for every format', async t => {
  const rowCount = 1_000
  const input = { csv: join(folder, 'slow.csv'), xlsx: join(folder, 'slow.xlsx') }
  writeFileSync(input.csv, `item\n${'some words that describe goods\n'.repeat(rowCount)}`)
  await extend(input.xlsx, { file: input.csv, begin: () => ({ columns: [], fill: () => [] }) })
  for (const from of ['csv', 'xlsx'] as const)
    for (const to of ['csv', 'xlsx']) {
      const stop = new AbortController()
      const seen: number[] = []
      let filled = 0
      const fill = () => {
        // abort between two turns of the event loop, as a signal does
        if (filled++ === 0) setImmediate(() => stop.abort(new Error('stopped')))
        return []
      }
      const out = join(folder, `never.${to}`)
      const slow = {
        file: input[from],
        isSlow: true,
        signal: stop.signal,
        progress: (_: number, rows: number) => seen.push(rows),
      }
      await t.rejects(extend(out, { ...slow, begin: () => ({ columns: [], fill }) }), { message: 'stopped' })
      t.ok(filled < rowCount / 2, `${from} to ${to}: ${filled} rows were filled`)
      t.notOk(existsSync(out))
      await extend(join(folder, `all.${to}`), { ...slow, signal: new AbortController().signal })
      t.ok(seen.length >= 4, `${from} to ${to}: progress was reported ${seen.length} times`)
    }
})

t.test('blank lines before the header do not hide the separator and the line ends of the file', async t => {
  for (const before of ['\n', '\r\n\r\n', '\ufeff\r\n']) {
    const path = join(folder, 'blank-first.csv')
    writeFileSync(path, `${before}a;b\r\n1;2\r\n`)
    t.match(
      await readDialect(path),
      { separator: ';', newline: '\r\n', bom: before.startsWith('\ufeff') },
      JSON.stringify(before),
    )
  }
})
