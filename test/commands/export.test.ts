import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import t from 'tap'
import { openCatalog } from '../../src/index.js'
import { readSheetCells } from '../../src/tables/xlsx.js'
import { builtSnapshot, run } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

const snapshot = await builtSnapshot(t)
const hs = await openCatalog({ snapshot })
const folder = temporaryDirectory(t)

const exported = async (...args: string[]) => run(['export', '--snapshot', snapshot, ...args])

/** A row in CSV form. */
const cells = (row: object) =>
  Object.values(row).map(value => (value === null ? '' : Array.isArray(value) ? value.join(' ') : String(value)))

t.test('every format has every code once, in code order, as in the library', async t => {
  const rows = [...hs.rows()]
  t.equal(rows.length, hs.dataset.records)
  const codes = rows.map(({ hs_code }) => hs_code)
  t.strictSame(codes, [...new Set(codes)].sort())

  const csv = await exported()
  t.equal(csv.code, 0, csv.stderr)
  const [header, ...lines] = parse(csv.stdout) as string[][]
  t.strictSame(header, Object.keys(rows[0] ?? {}))
  t.strictSame(lines, rows.map(cells))

  const json = await exported('--format', 'json')
  t.strictSame(JSON.parse(json.stdout), rows)
  const jsonl = await exported('--format', 'jsonl')
  t.strictSame(
    jsonl.stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line)),
    rows,
  )

  const sheet = join(folder, 'codes.xlsx')
  const written = await exported('--out', sheet)
  t.match(written, { code: 0, stdout: `${sheet}: ${rows.length} rows\n` })
  const [names, ...sheetRows] = await readSheetCells(sheet)
  t.strictSame(names, header)
  const row = sheetRows.find(([code]) => code === '010121') ?? sheetRows.find(([code]) => String(code).startsWith('0'))
  t.type(row?.[0], 'string', 'codes are text and keep their zeros')
  t.type(row?.[header?.indexOf('tariff_rate') ?? 0], 'number')
  t.equal(sheetRows.length, rows.length)
})

t.test('a country selects rates; a level and a code select rows', async t => {
  const saudi = await exported(
    '--country',
    'sa',
    '--as-of',
    '2026-03-01',
    '--within',
    '8523',
    '--level',
    '6',
    '--format',
    'jsonl',
  )
  t.equal(saudi.code, 0, saudi.stderr)
  const rows = saudi.stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  t.strictSame(rows, [...hs.rows({ country: 'SA', as_of: '2026-03-01', within: '8523', level: 6 })])
  t.match(rows[0], { hs_code: '852321', path: ['85', '8523'], tariff_rate: 20, country: 'SA', rate_list: '2026-02-25' })
  t.ok(rows.every(({ level, hs_code }) => level === 6 && hs_code.startsWith('8523')))
  t.notOk('country' in ([...hs.rows({ within: '852321' })][0] ?? {}))
})

t.test('CSV for Excel keeps codes as text', async t => {
  const { stdout } = await exported('--excel', '--within', '0101')
  t.match(stdout, /^\ufeffhs_code,/)
  t.match(stdout, /\n"\t0101",4,"\t01",/)
})

t.test('imported formulas are not run: CSV for Excel guards them, other formats keep the text', async t => {
  const live = await builtSnapshot(t, dataset => {
    const file = join(dataset, 'chapters', '01.csv')
    writeFileSync(file, readFileSync(file, 'utf8').replace(',Donkeys,', ',=1+1,'))
  })
  const row = async (...args: string[]) => {
    const { stdout } = await run(['export', '--snapshot', live, '--within', '010130', '--level', '6', ...args])
    return stdout.trimEnd().split('\n')[1] ?? ''
  }
  t.match(await row('--excel'), ",'=1+1,")
  t.match(await row(), ',=1+1,')
  const numbers = async (...args: string[]) => {
    const { stdout } = await exported('--within', '01', ...args)
    const [header = [], ...rows] = parse(stdout, { bom: true }) as string[][]
    return rows.map(cells => [cells[header.indexOf('level')], cells[header.indexOf('tariff_rate')]])
  }
  t.strictSame(await numbers('--excel'), await numbers())
})

t.test('a file is written completely or not at all, and replaced only on request', async t => {
  const own = temporaryDirectory(t)
  const out = join(own, 'codes.jsonl')
  t.equal((await exported('--out', out)).code, 0)
  t.match(await exported('--out', out), { code: 2, stderr: /the file already exists; --force replaces it/ })
  t.equal((await exported('--out', out, '--force', '--within', '0101', '--level', '4')).code, 0)
  t.equal(readFileSync(out, 'utf8').split('\n').length, 2)
  t.strictSame(readdirSync(own), ['codes.jsonl'])
})

t.test('a layout has the columns that the importing program expects, and no text is too long for that program', async t => {
  const rowsIn = async (...args: string[]) => {
    const { stdout, stderr } = await exported(...args)
    t.equal(stderr, '')
    return parse(stdout, { columns: true }) as Record<string, string>[]
  }
  const descriptions = new Map([...hs.rows()].map(row => [row.hs_code, row]))
  const lines = [...hs.rows({ level: 12 })].map(({ hs_code }) => hs_code)
  const odoo = await rowsIn('--layout', 'odoo')
  t.strictSame(
    odoo.map(row => row.local_code),
    lines,
    'without --level, the rows are the lines of 12 digits',
  )
  for (const row of odoo) t.equal(row.long_description, descriptions.get(row.local_code ?? '')?.description_en)
  t.strictSame(Object.keys(odoo[0] ?? {}), ['local_code', 'description', 'long_description', 'active'])
  t.ok(odoo.every(({ active }) => active === 'true' || active === 'false'))
  for (const [layout, number, words, charsMax] of [
    ['odoo', 'local_code', 'description', 100],
    ['erpnext', 'tariff_number', 'description', 140],
    ['business-central', 'No.', 'Description', 100],
  ] as const)
    for (const lang of ['en', 'ar'] as const) {
      const rows = await rowsIn('--layout', layout, '--lang', lang, '--level', '6')
      t.ok(rows.length > 10)
      for (const row of rows) {
        const whole = descriptions.get(row[number] ?? '')?.[`description_${lang}`] ?? ''
        const text = row[words] ?? ''
        t.ok(text !== '' && [...text].length <= charsMax, text)
        t.ok(whole.startsWith(text) && !/^[\p{L}\p{N}]/u.test(whole.slice(text.length)), 'the text is cut between words')
        if ([...whole].length <= charsMax) t.equal(text, whole)
      }
    }
  const [tapes] = await rowsIn('--layout', 'business-central', '--within', '852329', '--level', '6')
  t.match(tapes, { 'No.': '852329', 'Supplementary Units': hs.unit('852329')?.code === 'kg' ? 'false' : 'true' })
})

t.test('usage errors name the flag', async t => {
  const directory = join(folder, 'folder')
  mkdirSync(directory)
  for (const [args, message] of [
    [['--format', 'pdf'], /--format is "pdf"; it must be csv, json, jsonl or xlsx/],
    [['--format', 'xlsx'], /--out is missing: xlsx needs a file/],
    [['--out', join(folder, 'codes')], /--format is missing/],
    [['--format', 'json', '--excel'], /--excel needs --format csv/],
    [['--layout', 'sap'], /--layout is "sap"; it must be odoo, erpnext or business-central/],
    [['--layout', 'odoo', '--lang', 'fr'], /--lang is "fr"; it must be en or ar/],
    [['--lang', 'ar'], /--lang needs --layout/],
    [['--layout', 'odoo', '--country', 'SA'], /--country cannot be combined with --layout/],
    [['--level', '5'], /--level must be 2, 4, 6, 8, 10 or 12/],
    [['--within', '9999'], /--within must be a code of the dataset/],
    [['--country', 'XX'], /--country must be/],
    [['--format', 'csv', '--out', directory], /this is not a regular file/],
    [['--out', join(folder, 'none', 'x.csv')], /there is no such directory/],
  ] as [string[], RegExp][]) {
    const { code, stderr, stdout } = await exported(...args)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message)
    t.equal(stdout, '')
  }
})
