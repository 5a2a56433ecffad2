import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readSheetCells } from '../../../src/tables/xlsx.js'
import { cell, rowsOf, workbook, zip } from '../../fixture/xlsx.js'
import { type Run, run } from '../../support/cli.js'
import { HANG_MS, processorMs } from '../../support/processor-time.js'
import { temporaryDirectory } from '../../support/service.js'

const TABLE = [
  ['hs_code', 'description_en', 'description_ar'],
  ['8501', 'Motors', 'محركات'],
  ['8502', 'Generating sets', 'مجموعات توليد'],
]

interface Imported extends Run {
  out: string
  directory: string
  ms: number
}

async function importXlsx(t: Test, bytes: Buffer): Promise<Imported> {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'tariff.xlsx')
  writeFileSync(file, bytes)
  const out = join(directory, 'out')
  const started = performance.now()
  // a file beyond a limit must be refused before the reader uses much memory
  const env = { NODE_OPTIONS: '--max-old-space-size=256' }
  const result = await run(['import', file, '--layout', 'generic', '--out', out], env)
  return { ...result, out, directory, ms: performance.now() - started }
}

function refused(t: Test, { code, stdout, stderr, directory }: Imported, message: RegExp): void {
  t.equal(code, 2, `the exit code is 2: ${stderr}`)
  t.match(stderr, message)
  t.equal(stderr.trim().split('\n').length, 1, `the error has one line: ${stderr}`)
  t.equal(stdout, '')
  t.strictSame(readdirSync(directory), ['tariff.xlsx'])
}

t.test('a workbook within the limits is read', async t => {
  const { code, stderr, out } = await importXlsx(t, zip(workbook(rowsOf(TABLE))))
  t.equal(code, 0, stderr)
  t.match(readFileSync(join(out, 'chapters', '85.csv'), 'utf8'), '8502,Generating sets,مجموعات توليد')
})

t.test('a sheet with a cell in its last corner exceeds the limit on cells', async t => {
  const far = `<row r="1048576">${cell('XFD1048576', 'x')}</row>`
  const message = /xlsx: .*sheet1\.xml extends from A1 to XFD1048576.*10000000 cells.*CSV/
  refused(t, await importXlsx(t, zip(workbook(rowsOf(TABLE) + far))), message)
  // the same range from two cells, and from a tag in an unusual notation
  const wide = `<row r="4">${cell('XFD4', 'x')}</row><row r="1048576">${cell('A1048576', 'x')}</row>`
  refused(t, await importXlsx(t, zip(workbook(rowsOf(TABLE) + wide))), message)
  const unusual = far.replace('<c r="XFD1048576"', "<c s='>'\n r = 'XFD1048576'")
  refused(t, await importXlsx(t, zip(workbook(rowsOf(TABLE) + unusual))), message)
})

t.test('formatted cells without a value do not count towards the limit on cells', async t => {
  const formatted = '<row r="4"><c r="XFD4" s="0"/></row><row r="1048576"><c r="A1048576" s="0" /></row>'
  const { code, stderr } = await importXlsx(t, zip(workbook(rowsOf(TABLE) + formatted)))
  t.equal(code, 0, stderr)
})

t.test('more rows than a sheet can have are refused', async t => {
  const message = /sheet1\.xml has more than 1048576 rows.*CSV/
  for (const rows of ['<row r="3000000"/>', '<row/>'.repeat(1_100_000)])
    refused(t, await importXlsx(t, zip(workbook(rowsOf(TABLE) + rows))), message)
})

t.test('a row or cell with an invalid address is refused', async t => {
  for (const row of [
    '<row r="99999999999"/>',
    '<row r="1e9"/>',
    '<row r="&#57;99999999"/>',
    `<row r="4">${cell('ABCDE4', 'x')}</row>`,
    '<row a="<" r="99999999"/>',
  ])
    refused(t, await importXlsx(t, zip(workbook(rowsOf(TABLE) + row))), /xlsx: this is not a readable XLSX/)
})

/** Each of these texts compresses to a file of about 2 KB. Without limits, reading such a file took seconds to minutes. */
const LONG_TOKENS: [string, RegExp][] = [
  [`<row r="4"${' '.repeat(1_000_000)}/>`, /sheet1\.xml has a tag of more than 65536 bytes.*CSV/],
  [`<sheetView a='${'>'.repeat(1_000_000)}'/>`, /sheet1\.xml has a tag of more than 65536 bytes.*CSV/],
  [`<x ${'a="" '.repeat(200_000)}/>`, /sheet1\.xml has a tag of more than 65536 bytes.*CSV/],
  [`<!--${'<x>'.repeat(1_000_000)}-->`, /sheet1\.xml has text of more than 1048576 bytes.*CSV/],
  [' '.repeat(3_000_000), /sheet1\.xml has text of more than 1048576 bytes.*CSV/],
  [`<x a="${'<y>'.repeat(400_000)}"/>`, /not a readable XLSX file: .*sheet1\.xml has a tag inside a tag/],
  [`<row ${' '.repeat(40_000)}`, /not a readable XLSX file: .*sheet1\.xml has a tag inside a tag/],
]

t.test('a tag or text that is longer than in any real sheet is refused', async t => {
  for (const [sheetData, message] of LONG_TOKENS) {
    const result = await importXlsx(t, zip(workbook(rowsOf(TABLE) + sheetData)))
    refused(t, result, message)
  }
})

function fileOf(directory: string, sheetData: string): string {
  const file = join(directory, 'tariff.xlsx')
  writeFileSync(file, zip(workbook(sheetData)))
  return file
}

t.test('tags and texts of the maximum length do not hang the reader', async t => {
  const tag = `<x a="${'x'.repeat(65_000)}" b='>'/>`
  const text = `<!--${' '.repeat(1_000_000)}-->`
  const directory = temporaryDirectory(t)
  // the first read also loads the reader's code, so it is not measured
  await readSheetCells(fileOf(directory, rowsOf(TABLE)))
  for (const sheetData of [tag.repeat(30), text.repeat(5), ' '.repeat(1_000_000)]) {
    const file = fileOf(directory, rowsOf(TABLE) + sheetData)
    let rows: unknown[] = []
    const read = () =>
      processorMs(async () => {
        rows = await readSheetCells(file)
      })
    // the measured time includes other threads of this process, so the smaller of two measurements is used
    const ms = Math.min(await read(), await read())
    t.ok(ms < HANG_MS, `reading took ${ms.toFixed(0)} ms of processor time`)
    t.strictSame(rows, TABLE)
  }
})

t.test('parts of a workbook that add-ins wrote are ignored', async t => {
  const parts = workbook(rowsOf(TABLE))
  parts.push({
    name: 'customXml/item1.xml',
    text: `<x a="${'x'.repeat(100_000)}">${'x'.repeat(2_000_000)}</x>`,
  })
  parts.push({ name: 'xl/pivotCache/pivotCacheRecords1.xml', text: `<s v="${'ا'.repeat(60_000)}"/>` })
  const { code, stderr } = await importXlsx(t, zip(parts))
  t.equal(code, 0, stderr)
})

const BOMB = Buffer.alloc(100_000_000, ' ')

t.test('an archive that unpacks to more than the limit is refused, even if it declares a smaller size', async t => {
  const trueSize = await importXlsx(t, zip(workbook(BOMB)))
  refused(t, trueSize, /xlsx: it unpacks to more than 64000000 bytes.*CSV/)
  const falseSize = await importXlsx(t, zip(workbook(BOMB, 1000)))
  refused(t, falseSize, /xlsx: it unpacks to more than 64000000 bytes.*CSV/)
})

t.test('a text that many cells share is counted once for each cell', async t => {
  const strings = `<sst><si><t>${'x'.repeat(30_000)}</t></si></sst>`
  const shared = Array.from({ length: 20_000 }, (_, i) => `<row r="${i + 4}"><c r="B${i + 4}" t="s"><v>0</v></c></row>`)
  const parts = workbook(rowsOf(TABLE) + shared.join(''))
  parts.push({ name: 'xl/sharedStrings.xml', text: strings })
  refused(t, await importXlsx(t, zip(parts)), /xlsx: its cells hold more than 64000000 characters.*CSV/)
})

t.test('a truncated or damaged archive is refused in one line', async t => {
  const whole = zip(workbook(rowsOf(TABLE)))
  for (let length = 4; length < whole.length; length += 211)
    refused(t, await importXlsx(t, whole.subarray(0, length)), /this is not a readable XLSX file/)
  for (let at = 60; at < whole.length; at += 397) {
    const damaged = Buffer.from(whole)
    damaged.fill(0xff, at, at + 8)
    const result = await importXlsx(t, damaged)
    if (result.code === 0) t.ok(existsSync(result.out), 'if the damaged part is not read, the import succeeds')
    else refused(t, result, /xlsx/)
  }
})

t.test('an encrypted archive is refused in one line', async t => {
  const encrypted = zip(workbook(rowsOf(TABLE)))
  for (let at = encrypted.indexOf('PK\x03\x04'); at >= 0; at = encrypted.indexOf('PK\x03\x04', at + 1)) {
    const start = at + 30 + encrypted.readUInt16LE(at + 26)
    const end = start + encrypted.readUInt32LE(at + 18)
    encrypted.writeUInt16LE(1, at + 6)
    for (let i = start; i < end; i++) encrypted[i] = (encrypted[i] as number) ^ 0x5a
  }
  refused(t, await importXlsx(t, encrypted), /this is not a readable XLSX file/)
})

t.test('a workbook without a sheet, or with parts missing, is refused in one line', async t => {
  for (const parts of [[], workbook('').slice(0, 2), workbook('').slice(2)])
    refused(t, await importXlsx(t, zip(parts)), /this is not a readable XLSX file/)
})
