import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import writeSheet from 'write-excel-file/node'
import { importCountry, rateRows } from '../../../build/importers/as-country.js'
import { factsOfDataset, factsOfSnapshot } from '../../../build/importers/country-facts.js'
import { LAYOUTS } from '../../../build/importers/import.js'
import type { TariffLine } from '../../../build/importers/layout.js'
import { dayOfList } from '../../../build/importers/list-lines.js'
import type { zatca } from '../../../build/importers/zatca.js'
import { loadSnapshot } from '../../../src/snapshot/load.js'
import { type Run, run } from '../../support/cli.js'
import { compiledFixture, FIXTURE, temporaryDirectory } from '../../support/service.js'

/** The header of the real file, with its line breaks, extra spaces and stray apostrophe. */
const ZATCA_HEADER = [
  'رمز النظام المنسق \n Harmonized Code',
  'الصنف باللغة العربية \n Item Arabic Name',
  'الصنف باللغة الانجليزية \n Item English Name',
  'فئة الرسم باللغة العربية \n Arabic Duty Rate',
  'فئة الرسم باللغة الانجليزية \n English Duty Rate',
  "الاجراءات '\n Procedures",
  'التاريخ \n Date',
]

const group = (code: string, ar: string, en: string) => [code, ar, en, '', '', '', '']
const line = (code: string, ar: string, en: string, dutyAr: string, duty: string, date = '1/1/2026 12:00:00 AM') => [
  ...[code, ar, en, dutyAr, duty, '', date],
]

/** Invented rows; most of their codes are in the fixture. */
const ZATCA_ROWS = [
  group('010100000000', 'خيول وحمير.', 'Horses and donkeys.'),
  group('010120000000', '- خيول:', '- Horses:'),
  group('010121000000', '- - للتربية:', '- - For breeding:'),
  line('010121000001', 'ذكور', 'Males', 'معفاة', 'Exempted', '12/14/2020 12:00:00 AM'),
  line('010121000002', 'إناث', 'Females', 'معفاة', 'Exempted', '12/14/2020 12:00:00 AM'),
  line('010129000000', '- - غيرها', '- - Other', '5 %', '5 %'),
  line('010130000000', '- حمير', '- Donkeys', 'ممنوع استيراده', 'Prohibited from Importing', '12/14/2020 12:00:00 AM'),
  group('028499090000', '- غيرها', '- Other'),
  group('220100000000', 'مياه', 'Waters'),
  line('220110000000', '- معدنية', '- Mineral', 'ممنوع تصديره', 'Prohibited from Exporting'),
  group('220300000000', 'جعة', 'Beer'),
  group('2801    ', 'أولا - عناصر', ''),
  group('852300000000', 'أقراص', 'Discs'),
  line('852321000000', '- - بطاقات', '- - Cards', '6.5 %', '6.5 %', '2/25/2026 12:00:00 AM'),
  line('852399990000', '- - غيرها', '- - Other', '5 %', '5 %'),
]

/** Written from descriptions of Dubai's file, which was not available. */
const DUBAI_HEADER = ['OldHSCode', 'NewHSCode', 'LongDescAr', 'LongDescEn', 'StatisticalQtyUnit', 'DutyPercentage']
const DUBAI_ROWS: (string | number | null)[][] = [
  [1012100, 10121000001, 'ذكور', '- - - Males', 'u', 0],
  ['01012100', '010121000002', 'إناث', '- - - Females', 'u', '0'],
  ['24022000', '240220000000', 'سجائر', '- Cigarettes', '1000u', '100'],
  ['85232100', '852321000000', 'بطاقات', '- - Cards', 'u', 5],
  ['87032331', '870323319999', 'سيارات', 'Cars', 'u', null],
]

const csv = (rows: readonly (readonly (string | number | null)[])[]) =>
  rows.map(cells => cells.map(cell => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(',')).join('\n')

interface Imported extends Run {
  directory: string
  out: string
}

async function importRows(t: Test, rows: readonly (readonly (string | number | null)[])[], ...args: string[]): Promise<Imported> {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'tariff.csv')
  writeFileSync(file, csv(rows))
  const out = join(directory, 'out')
  return { ...(await run(['import', file, '--out', out, ...args])), directory, out }
}

const textsOf = (out: string, name: string) => readFileSync(join(out, name), 'utf8').trimEnd().split('\n')

async function importedLayer(t: Test, file: string, code: 'SA' | 'AE', date: string | undefined): Promise<string> {
  const layout = [...LAYOUTS.values()].find(({ country }) => country?.code === code) as typeof zatca
  const out = join(temporaryDirectory(t), 'layer')
  const facts = await factsOfDataset(FIXTURE, code)
  await importCountry({ file, layout: layout as never, map: {}, date, out, facts, progress: () => {} })
  return out
}

async function workbook(t: Test, rows: readonly (readonly (string | number | null)[])[]): Promise<string> {
  const file = join(temporaryDirectory(t), 'tariff.xlsx')
  writeFileSync(file, await writeSheet(rows.map(cells => cells.map(cell => (cell || cell === 0 ? cell : null)))).toBuffer())
  return file
}

t.test('zatca: a workbook is imported as a layer that `hsapi build --layer` adds to a snapshot', async t => {
  const layer = await importedLayer(t, await workbook(t, [ZATCA_HEADER, ...ZATCA_ROWS]), 'SA', undefined)
  const list = (rest: string) => `2026-02-25,${rest}`
  const source = 'sa-list-2026-02-25'
  t.strictSame(textsOf(layer, 'rates.csv'), [
    'list,prefix,rate,status,date,source,certainty',
    list(`,,unknown,2026-02-25,${source},uncertain`),
    list(`010121,0,allowed,2026-02-25,${source},derived`),
    list(`010121000001,0,allowed,2020-12-14,${source},published`),
    list(`010121000002,0,allowed,2020-12-14,${source},published`),
    list(`010129,5,allowed,2026-02-25,${source},derived`),
    list(`010129000000,5,allowed,2026-01-01,${source},published`),
    list(`010130,,prohibited,2026-02-25,${source},derived`),
    list(`010130000000,,prohibited,2020-12-14,${source},published`),
    list(`220110,,unknown,2026-02-25,${source},uncertain`),
    list(`220110000000,,export_prohibited,2026-01-01,${source},published`),
    list(`852321,6.5,allowed,2026-02-25,${source},derived`),
    list(`852321000000,6.5,allowed,2026-02-25,${source},published`),
  ])
  for (const name of ['taxes.csv', 'fees.csv', 'thresholds.csv'])
    t.equal(readFileSync(join(layer, name), 'utf8'), readFileSync(join(FIXTURE, 'countries', 'SA', name), 'utf8'), name)
  const directory = temporaryDirectory(t)
  const [base, out] = [join(directory, 'base.snapshot'), join(directory, 'out.snapshot')]
  writeFileSync(base, await compiledFixture())
  // 0101 30 and 2201 10 are not in the fixture
  t.match(await run(['build', '--base', base, '--layer', `SA=${layer}`, '--out', out]), { code: 0, stderr: '' })
  const lookUp = async (code: string) =>
    JSON.parse((await run(['lookup', code, '--country', 'SA', '--json', '--include', 'rate', '--snapshot', out])).stdout)
  t.match(await lookUp('852321'), { tariff_rate: 6.5, rate: { list: '2026-02-25', certainty: 'published' } })
  t.match(await lookUp('9031'), { rate: { status: 'unknown' } }, 'the rate of a code that is not in the list is unknown')
})

t.test('zatca: titles, export bans, and rows without a subheading or a duty are reported', async t => {
  const { code, stdout, stderr } = await importRows(t, [ZATCA_HEADER, ...ZATCA_ROWS], '--layout', 'zatca', '--as-country', 'sa')
  t.equal(code, 0, stderr)
  t.match(stdout, /SA, list of 2026-02-25 \(newest record; --date sets another day\)\n6 lines: 4 with a rate, 1 prohibited/)
  t.match(stdout, /220110000000: the list prohibits only its export/)
  t.match(stdout, /titles of sub-chapters left out: 1/)
  t.match(stdout, /028499090000: the file has no subheading 028499/)
  t.match(stdout, /852399990000: the file has no subheading 852399/)
  t.match(stdout, /220300000000 has no duty and no line below it/)
  t.match(stdout, /Next: hsapi build --base SNAPSHOT --layer SA=/)
})

t.test('zatca: an import as a dataset has descriptions, rates, and controls for prohibited lines', async t => {
  const { code, stdout, stderr, out } = await importRows(t, [ZATCA_HEADER, ...ZATCA_ROWS], '--layout', 'zatca')
  t.equal(code, 0, stderr)
  t.match(textsOf(out, 'chapters/01.csv'), [
    /^hs_code/,
    /^01,/,
    /^0101,Horses and donkeys,خيول وحمير,,/,
    /^010121,For breeding,للتربية,,,Horses,خيول$/,
    /^01012100,/,
    /^010121000001,Males,ذكور,0,/,
    /^010121000002,Females,إناث,0,/,
    /^010129,Other,غيرها,5,,Horses,خيول$/,
    /^010130,Donkeys,حمير,,/,
  ])
  t.equal(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')).vat_rate, 15)
  t.match(textsOf(out, 'controls.csv')[1], /^SA,010130,prohibited,.*,2020-12-14,published$/)
  t.match(stdout, /lines prohibited to import, in controls\.csv: 1/)
  t.match(await run(['check', '--dataset', out]), { code: 0, stderr: '' })
})

t.test('dubai: lost zeros are restored, and a line with a blank duty has the status unknown', async t => {
  const layer = await importedLayer(t, await workbook(t, [DUBAI_HEADER, ...DUBAI_ROWS]), 'AE', '2026-08-01')
  const rates = textsOf(layer, 'rates.csv')
  t.ok(rates.includes('2026-08-01,010121000001,0,allowed,2026-08-01,ae-list-2026-08-01,published'))
  t.ok(rates.includes('2026-08-01,240220000000,100,allowed,2026-08-01,ae-list-2026-08-01,published'))
  t.ok(rates.includes('2026-08-01,870323319999,,unknown,2026-08-01,ae-list-2026-08-01,uncertain'))
  t.ok(rates.includes('2026-08-01,870323,,unknown,2026-08-01,ae-list-2026-08-01,uncertain'))
  const whole = await importRows(t, [DUBAI_HEADER, ...DUBAI_ROWS], '--layout', 'dubai')
  t.equal(whole.code, 0, whole.stderr)
  t.match(whole.stdout, /lines for which the file has no import rate: 1\n {2}line 6: 870323319999: no duty/)
  t.match(textsOf(whole.out, 'chapters/01.csv').at(-1), /^010121000002,Females,إناث,0,/)
  t.match(await run(['check', '--dataset', whole.out]), { code: 0, stderr: '' })
})

t.test('a prefix of 8 or 6 digits has a rate if all lines with this prefix have the same rate', async t => {
  const rows = [
    group('010100000000', 'خيول', 'Horses'),
    group('010121000000', '- للتربية:', '- For breeding:'),
    line('010121100001', 'ا', 'A', '5 %', '5 %'),
    line('010121100002', 'ب', 'B', '5 %', '5 %'),
    line('010121900001', 'ج', 'C', '5 %', '5 %'),
    line('010121900002', 'د', 'D', '8 %', '8 %'),
  ]
  const layer = await importedLayer(t, await workbook(t, [ZATCA_HEADER, ...rows]), 'SA', '2026-03-01')
  const short = textsOf(layer, 'rates.csv').filter(row => /^2026-03-01,\d{6,8},/.test(row))
  t.match(short, [/,010121,,unknown,/, /,01012110,5,allowed,.*,derived$/])
  t.equal(short.length, 2, '01012190 has no row, because the shorter prefix 010121 has the same status')
})

t.test('an import with a duty or date that is not understood names the row, writes nothing and exits with code 1', async t => {
  const zatcaWith = (...rows: string[][]) => [ZATCA_HEADER, ...ZATCA_ROWS, ...rows]
  const dubaiRow = (duty: string) => [DUBAI_HEADER, ...DUBAI_ROWS, ['', '240230000000', 'تبغ', 'Tobacco', 'kg', duty]]
  for (const [i, [rows, message, layout = 'zatca']] of (
    [
      [zatcaWith(line('852321000001', 'ا', 'A', '', '100% or SAR 20 per 1000')), /csv:\d+: 852321000001: the duty "100% or SAR/],
      [zatcaWith(line('852321000001', 'ا', 'A', '5 %', '6 %')), /the duty "6 %", in Arabic "5 %", is not understood/],
      [zatcaWith(line('852321000001', 'ا', 'A', '5 %', '5 %', '13/1/2026')), /the date "13\/1\/2026" is not understood/],
      [zatcaWith(line('852321000000', 'ا', 'A', '7 %', '7 %')), /852321000000 has another duty at line \d+/],
      [dubaiRow('0.05'), /csv:7: 240230000000: the duty "0\.05" is not understood/, 'dubai'],
      [dubaiRow('5 or more'), /csv:7: .*"5 or more"/, 'dubai'],
    ] as [string[][], RegExp, string?][]
  ).entries()) {
    const country = ['--as-country', layout === 'zatca' ? 'SA' : 'AE', '--date', '2026-03-01']
    // every second case is imported as a country layer
    const args = i % 2 === 0 ? [] : country
    const { code, stderr, stdout, directory } = await importRows(t, rows, '--layout', layout, ...args)
    t.equal(code, 1, stderr)
    t.match(stderr, message)
    t.match(stderr, /nothing was written/)
    t.equal(stdout, '')
    t.strictSame(readdirSync(directory), ['tariff.csv'])
  }
})

t.test('a file without a required column, and invalid options, are refused with a message', async t => {
  const renamed = (name: string) => [ZATCA_HEADER.map(cell => (cell.includes(name) ? 'Other' : cell)), ...ZATCA_ROWS]
  for (const name of ['Harmonized Code', 'Date'])
    t.match((await importRows(t, renamed(name), '--layout', 'zatca')).stderr, new RegExp(`no column ${name}`))
  const other = [DUBAI_HEADER.map(cell => cell.replace('DutyPercentage', 'Duty')), ...DUBAI_ROWS]
  t.match((await importRows(t, other, '--layout', 'dubai')).stderr, /no column DutyPercentage/)
  for (const [args, message] of [
    [['--layout', 'dubai', '--as-country', 'AE'], /--date is missing: .* dubai does not contain the day of its list/],
    [['--layout', 'dubai', '--as-country', 'AE', '--date', '2026-02-30'], /--date is "2026-02-30"/],
    [['--layout', 'dubai', '--as-country', 'SA'], /--as-country is "SA", but --layout dubai is the list of AE/],
    [['--layout', 'gcc12', '--as-country', 'SA'], /--as-country needs .* zatca \(SA\) or dubai \(AE\); gcc12 is not one/],
    [['--layout', 'dubai', '--as-country', 'AE', '--vat', '5'], /--vat has no effect with --as-country/],
  ] as [string[], RegExp][]) {
    const { code, stderr, out } = await importRows(t, [DUBAI_HEADER, ...DUBAI_ROWS], ...args)
    t.equal(code, 2, stderr)
    t.match(stderr, message)
    t.notOk(existsSync(out))
  }
})

t.test('headers are recognised without line breaks, in one language, and in upper case', async t => {
  for (const change of [
    (name: string) => name.replace(/\s+/g, ' ').toUpperCase(),
    (name: string) => name.split('\n')[1].trim().replaceAll(' ', '_'),
    (name: string) => name.split('\n')[0],
  ]) {
    const rows = [ZATCA_HEADER.map(change), ...ZATCA_ROWS]
    t.equal((await importRows(t, rows, '--layout', 'zatca', '--as-country', 'SA')).code, 0)
  }
})

t.test('the name, currency and VAT of a country can be read from a snapshot instead of a dataset', async t => {
  const file = join(temporaryDirectory(t), 'hs.snapshot')
  writeFileSync(file, await compiledFixture())
  const { meta } = await loadSnapshot(file)
  const country = meta.countries.find(({ code }) => code === 'SA')
  if (country === undefined) throw new Error('no SA')
  const facts = factsOfSnapshot(country)
  const expected = await factsOfDataset(FIXTURE, 'SA')
  const textOf = (found: typeof facts | undefined, source = '') => new Map(found?.sources).get(source)
  t.match(facts.country, { name: expected?.country.name, currency: 'SAR', decimals: 2, vat: { rate: '15' } })
  t.equal(textOf(facts, facts.country.vat.source), textOf(expected, expected?.country.vat.source))
  t.equal(facts.tables.size, 0)
  t.equal(await factsOfDataset(FIXTURE, 'QA'), undefined)
})

const lineOf = (code: string, status: TariffLine['status'], date = ''): TariffLine => ({ line: 2, code, status, rate: '', date })

t.test('without --date, the day of a list is the date of its newest row, in any order of rows', async t => {
  const lines = ['2026-02-01', '2026-03-01', '2025-12-31'].map(date => lineOf('010121000000', 'prohibited', date))
  t.equal(dayOfList(undefined, lines), '2026-03-01')
  t.equal(dayOfList('2026-01-01', lines), '2026-01-01')
  t.equal(dayOfList(undefined, [lineOf('010121000000', 'prohibited')]), '')
})

t.test('a prefix is unknown if one of its lines is prohibited and the rate of another is unknown', async t => {
  const rows = rateRows([lineOf('010121000001', 'prohibited'), lineOf('010121000002', 'unknown')], '2026-01-01')
  t.match(
    rows.map(({ prefix, status }) => [prefix, status]),
    [
      ['', 'unknown'],
      ['010121', 'unknown'],
      ['010121000001', 'prohibited'],
      ['010121000002', 'unknown'],
    ],
  )
})
