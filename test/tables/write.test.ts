import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { TableColumn, Value } from '../../src/tables/table-writer.js'
import { type Table, type TableFormat, writeTable, writeTableFile } from '../../src/tables/write.js'
import { temporaryDirectory } from '../support/service.js'

const COLUMNS: TableColumn[] = [
  { name: 'code', kind: 'code' },
  { name: 'path', kind: 'codes' },
  { name: 'rate', kind: 'number' },
  { name: 'unit', kind: 'text' },
  { name: 'active', kind: 'flag' },
]
const ROWS: Value[][] = [
  ['090210', ['09', '0902'], 5, 'kg', true],
  ['0101', ['01'], 0, null, false],
]
const TABLE: Table = { columns: COLUMNS, rows: ROWS }

async function written(format: TableFormat, table = TABLE): Promise<string> {
  let text = ''
  const sink = {
    writeFile: async (data: string | Uint8Array) => {
      text += data
    },
  }
  await writeTable(table, sink, { format, forExcel: false })
  return text
}

t.test('JSON keeps numbers, lists and nulls; in CSV every cell is text', async t => {
  const objects = [
    { code: '090210', path: ['09', '0902'], rate: 5, unit: 'kg', active: true },
    { code: '0101', path: ['01'], rate: 0, unit: null, active: false },
  ]
  t.strictSame(JSON.parse(await written('json')), objects)
  t.equal(await written('jsonl'), objects.map(one => `${JSON.stringify(one)}\n`).join(''))
  t.strictSame((await written('csv')).trim().split(/\r?\n/), [
    'code,path,rate,unit,active',
    '090210,09 0902,5,kg,true',
    '0101,01,0,,false',
  ])
})

t.test('a table without rows is an empty list in JSON, and only a header in CSV', async t => {
  const empty = { columns: COLUMNS, rows: [] }
  t.strictSame(JSON.parse(await written('json', empty)), [])
  t.equal(await written('jsonl', empty), '')
  t.equal((await written('csv', empty)).trim(), 'code,path,rate,unit,active')
})

t.test('a failed or aborted write leaves the old file, and a finished one replaces all of it', async t => {
  const directory = temporaryDirectory(t)
  const out = join(directory, 'codes.jsonl')
  const many = { columns: COLUMNS, rows: Array.from({ length: 1200 }, () => ROWS[0]) }
  const seen: number[] = []
  const progress = (rows: number) => seen.push(rows)
  t.equal(await writeTableFile(many, out, false, { format: 'jsonl', forExcel: false, progress }), 1200)
  t.strictSame(seen, [500, 1000])
  t.equal(readFileSync(out, 'utf8').trim().split('\n').length, 1200)

  writeFileSync(out, 'mine')
  await t.rejects(writeTableFile(TABLE, out, false, { format: 'csv', forExcel: false }), { message: /codes\.jsonl/ })
  const signal = AbortSignal.abort(new Error('stopped'))
  await t.rejects(writeTableFile(many, out, true, { format: 'jsonl', forExcel: false, signal }), { message: /stopped/ })
  t.equal(readFileSync(out, 'utf8'), 'mine')
  t.strictSame(readdirSync(directory), ['codes.jsonl'], 'a failed write leaves no temporary file')

  let read = 0
  const counted = function* () {
    for (const row of many.rows) {
      read++
      yield row
    }
  }
  const options = { format: 'jsonl', forExcel: false, signal } as const
  await t.rejects(writeTableFile({ columns: COLUMNS, rows: counted() }, out, true, options), { message: /stopped/ })
  t.equal(read, 500, 'an abort takes effect after the current piece')
  await t.rejects(writeTableFile(TABLE, out, true, options), { message: /stopped/ }, 'also in a table of one piece')

  const meanwhile = join(directory, 'meanwhile.csv')
  const rows = function* () {
    writeFileSync(meanwhile, 'of another')
    yield* ROWS
  }
  await t.rejects(writeTableFile({ columns: COLUMNS, rows: rows() }, meanwhile, false, { format: 'csv', forExcel: false }), {
    message: /the file already exists; --force replaces/,
  })
  t.equal(readFileSync(meanwhile, 'utf8'), 'of another')

  const book = join(directory, 'codes.xlsx')
  t.equal(await writeTableFile(TABLE, book, false, { format: 'xlsx', forExcel: false }), 2)
  t.ok(existsSync(book))
  t.equal(readFileSync(book).toString('latin1', 0, 2), 'PK', 'a workbook is a ZIP file')
})
