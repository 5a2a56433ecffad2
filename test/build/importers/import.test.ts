import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { importFile as importTariff, LAYOUTS } from '../../../build/importers/import.js'
import type { Layout } from '../../../build/importers/layout.js'
import { run } from '../../support/cli.js'
import { HANG_MS, processorMs } from '../../support/processor-time.js'
import { temporaryDirectory } from '../../support/service.js'

const XLSX = fileURLToPath(new URL('../../fixture/tariff.xlsx', import.meta.url))

interface Imported {
  code: number | null
  stdout: string
  stderr: string
  /** The rows of the dataset by code: English and Arabic description, rate, English keywords. */
  rows: Record<string, string[]>
  out: string
}

function parseLine(line: string): string[] {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(m => (m[1] ?? '').replace(/^"|"$/g, '').replaceAll('""', '"'))
}

async function importText(t: Test, content: string | Buffer, ...args: string[]): Promise<Imported> {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'tariff.csv')
  writeFileSync(file, content)
  return importFile(directory, file, ...args)
}

async function importFile(directory: string, file: string, ...args: string[]): Promise<Imported> {
  const out = join(directory, 'out')
  const result = await run(['import', file, '--out', out, ...args])
  const rows: Record<string, string[]> = {}
  if (existsSync(out)) {
    for (const name of readdirSync(join(out, 'chapters'))) {
      for (const line of readFileSync(join(out, 'chapters', name), 'utf8')
        .trim()
        .split('\n')
        .slice(1)) {
        const [code = '', en = '', ar = '', rate = '', , keywords = ''] = parseLine(line)
        rows[code] = [en, ar, rate, keywords]
      }
    }
  }
  return { ...result, rows, out }
}

/** Asserts that the import succeeded and that `check` and `build` accept the dataset. */
async function accepted(t: Test, { out, stderr, code }: Imported): Promise<void> {
  t.equal(code, 0, stderr)
  const check = await run(['check', '--dataset', out])
  t.equal(check.code, 0, check.stderr)
  t.equal((await run(['build', '--dataset', out, '--out', `${out}.snapshot`])).code, 0)
}

const GCC = `code12,text_ar,text_en
010100000000,خيول وحمير حية.,Live horses and donkeys.
010120000000,- خيول:,- Horses:
010121000000,- - أصيلة للتربية:,- - Pure-bred for breeding:
010121100000,- - - عربية :,- - - Arabian :
10121100001,ذكور,Males
010121100002,إناث,Females
010121900000,- - - غيرها,- - - Other
010129000000,- - غيرها,- - Other
010130000000,- حمير,- Donkeys
210600000000,محضرات غذائية,Food preparations
210690900000,- - - غيرها:,- - - Other:
210690910000,- - - - أقراص,- - - - Tablets
210690990000,- - - - غيرها,- - - - Other
220300000000,جعة,Beer
220300000001,جعة من الشعير,Barley beer
`

t.test('gcc12: padding is removed, lost zeros are restored, and groups marked by dashes become context', async t => {
  const imported = await importText(t, GCC, '--layout', 'gcc12')
  await accepted(t, imported)
  const { rows, stdout } = imported
  t.strictSame(rows['010121'], ['Pure-bred for breeding', 'أصيلة للتربية', '', 'Horses'])
  t.equal(rows['010121100001']?.[0], 'Males', 'a code of 11 digits gets its leading zero back')
  t.equal(rows['01012190']?.[0], 'Other')
  t.equal(rows['01012'], undefined, 'a title of a group does not become a code')
  t.equal(rows['010120'], undefined)
  t.equal(rows['010130']?.[3], '', 'a group covers only codes that start with its digits')
  t.equal(rows['21069090'], undefined, 'a title of a group with seven digits does not become a code either')
  t.equal(rows['21069091']?.[3], 'Other')
  t.equal(rows['220300']?.[0], 'Beer', 'the text of a heading also describes its only subheading')
  t.equal(rows['22030000']?.[0], 'Beer', 'the text of a subheading also describes its only 8-digit line')
  t.equal(rows['01']?.[2], '5', 'a chapter is added, with the default rate')
  t.match(stdout, /15 rows read/)
  t.match(stdout, /codes without subdivisions and without a rate, set to 5 %/)
})

t.test('gcc12: if a group is repeated, only its last text is context of its codes', async t => {
  const twice = GCC.replace('010121000000', '010120000000,- خيول حية:,- Live horses:\n010121000000')
  const { rows } = await importText(t, twice, '--layout', 'gcc12')
  t.equal(rows['010121']?.[3], 'Live horses')
})

t.test('gcc12: in XLSX files, codes can be numbers, and formulas are read as their values', async t => {
  const imported = await importFile(temporaryDirectory(t), XLSX, '--layout', 'gcc12')
  await accepted(t, imported)
  t.strictSame(imported.rows['010121'], ['Pure-bred', 'أصيلة', '5', 'Horses'])
  t.equal(imported.rows['010130']?.[2], '0')
})

const US = `HTS Number,Indent,Description,Unit of Quantity,General Rate of Duty
"0101","0","Live horses and donkeys:","",""
"","1","Horses:","",""
"0101.21.00","2","Purebred breeding animals","","Free"
"0101.21.00.10","3","Males","[""No.""]",""
"0101.29.00","2","Other","","6.4%"
"0101.30.00.00","1","Donkeys","","1¢/kg"
`

t.test('us-hts: dotted codes and indents are read, percentages are used, other rates are reported', async t => {
  const imported = await importText(t, US, '--layout', 'us-hts', '--allow-missing', 'ar')
  await accepted(t, imported)
  const { rows, stdout, out } = imported
  t.strictSame(rows['01012100'], ['Purebred breeding animals', '', '0', 'Horses'])
  t.strictSame(rows['0101210010'], ['Males', '', '', 'Horses'])
  t.equal(rows['01012900']?.[2], '6.4')
  t.equal(rows['0101300000']?.[2], '')
  t.equal(rows['0101300000']?.[3], '', 'a group ends at a row with the same indent')
  t.match(stdout, /rates ignored because they are not percentages: 1\n {2}line 7: 0101300000: "1¢\/kg"/)
  t.strictSame(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')).missing_languages, ['ar'])
})

t.test('us-hts: rows without an indent or a code are skipped and reported, and blank group texts are not context', async t => {
  const more = `" ","1","Other:","",""
"","2","","",""
"0101.90"," 3 ","Mules","","5% and more "
"0101.91","x2","Hinnies","",""
"0101.92","2x","Hinnies","",""
"0101.93","123","Hinnies","",""
"see note","2","Hinnies","",""
"0101.94","10","Deep ones","",""
`
  const imported = await importText(t, US + more, '--layout', 'us-hts', '--allow-missing', 'ar')
  await accepted(t, imported)
  const { rows, stdout, out } = imported
  t.strictSame(rows['010190'], ['Mules', '', '', 'Other'])
  t.strictSame(rows['010194'], ['Deep ones', '', '', 'Other'], 'an indent can have two digits')
  t.strictSame(
    Object.keys(rows).filter(code => /^01019[123]/.test(code)),
    [],
  )
  t.match(stdout, /line 10: 010190: "5% and more"\n/)
  const skipped = ['"x2"', '"2x"', '"123"'].map((depth, i) => `  line ${11 + i}: the indent ${depth} is not a number`)
  t.match(stdout, `rows skipped: 4\n${skipped.join('\n')}\n  line 14: "see note" is not a code\n`)
  t.strictSame(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')).line_digits, [8, 10])
})

const EU = `goods_code,hier_pos,language,description
0100000000,2,EN,LIVE ANIMALS
0101000000,4,EN,Live horses
0101210000,6,EN,Horses
0101210000,6,EN,Pure-bred breeding animals
0101290000,6,EN,Other
0101291000,8,EN,For slaughter
0101291010,10,EN,Of a weight of 80|kg
0101300000,6,EN,Asses
`

t.test('eu-taric: if a code occurs twice, the first row is a group and the second a line', async t => {
  const imported = await importText(t, EU, '--layout', 'eu-taric', '--allow-missing', 'ar')
  await accepted(t, imported)
  t.strictSame(imported.rows['010121'], ['Pure-bred breeding animals', '', '', 'Horses'])
  t.equal(imported.rows['01012910']?.[3], 'Horses')
  t.equal(imported.rows['010130']?.[3], '')
  t.equal(imported.rows['0101291010']?.[0], 'Of a weight of 80 kg')
})

t.test('eu-taric: the leading zero of a code that was stored as a number is restored', async t => {
  const numbers = EU.replaceAll(/^01/gm, '1')
  const imported = await importText(t, numbers, '--layout', 'eu-taric', '--allow-missing', 'ar')
  await accepted(t, imported)
  t.strictSame(imported.rows, (await importText(t, EU, '--layout', 'eu-taric', '--allow-missing', 'ar')).rows)
})

t.test('generic: --map selects columns by name or number, and --rates reads rates from a second file', async t => {
  const directory = temporaryDirectory(t)
  const rates = join(directory, 'rates.csv')
  writeFileSync(rates, 'code,rate\n0101,Free\n0102.10,12.5%\n')
  const text = `${'Nr;x\n'.replace('Nr;x', 'Nr,Wert,Text,نص')}1,101,Horses,خيول\n2,010210,Bulls,ثيران\n`
  const imported = await importText(
    t,
    text,
    '--layout',
    'generic',
    '--map',
    'code=Wert,en=3,ar=4',
    '--rates',
    rates,
    '--default-rate',
    '7',
  )
  await accepted(t, imported)
  t.strictSame(imported.rows['0101'], ['Horses', 'خيول', '0', ''])
  t.equal(imported.rows['010210']?.[2], '12.5')
  t.equal(imported.rows['01']?.[2], '7')
})

t.test('--rates replaces rates of the file, --default-rate does not, and only codes without a rate are counted', async t => {
  const directory = temporaryDirectory(t)
  const rates = join(directory, 'rates.csv')
  const text = [
    'code,en,ar,rate',
    '01,Animals,حيوانات,3',
    '0101,Horses,خيول,5',
    '010121,Pure-bred,أصيلة,',
    '02,Meat,لحوم,',
    '0201,Beef,لحم بقر,',
    `0202,Frozen beef,${'ل'.repeat(1_001)},`,
  ].join('\n')
  const args = ['--layout', 'generic', '--default-rate', '7', '--rates', rates]
  writeFileSync(rates, 'code,rate\n0101,9\n')
  const imported = await importText(t, text, ...args)
  await accepted(t, imported)
  t.strictSame(
    ['01', '0101', '010121', '02', '0201'].map(code => imported.rows[code]?.[2]),
    ['3', '9', '', '7', ''],
  )
  t.match(imported.stdout, /codes without subdivisions and without a rate, set to 7 % \(--default-rate\): 2\n/)
  t.match(imported.stdout, /texts cut at 1000 characters: 1\n {2}line 7: the Arabic text has 1001 characters/)
  t.equal(imported.rows['0202']?.[1], 'ل'.repeat(1_000))

  writeFileSync(rates, 'code,rate\n0101,9\n0102,\n')
  t.match(await importText(t, text, ...args), { code: 2, stderr: /rates\.csv:3: the row is not a code and a percentage/ })
})

t.test('--allow-missing allows only the language that it names', async t => {
  const text = 'code,en,ar\n0101,Horses,\n'
  const args = ['--layout', 'generic', '--map', 'code=code,en=en,ar=ar', '--allow-missing']
  t.match(await importText(t, text, ...args, 'en'), { code: 2, stderr: /no Arabic text.*use --allow-missing ar/ })
  t.equal((await importText(t, text, ...args, 'ar')).code, 0)
})

t.test('--self-contained completes the description "Other" from groups and sibling lines', async t => {
  const { rows, stdout } = await importText(t, GCC, '--layout', 'gcc12', '--self-contained')
  t.strictSame(rows['010129']?.slice(0, 2), ['Horses, other than pure-bred for breeding', 'خيول، عدا أصيلة للتربية'])
  t.match(rows['01012190']?.[0], /^Horses, other than arabian$/)
  t.match(stdout, /lines whose texts were completed from the codes above: \d/)
})

t.test('texts over 1,000 characters are cut and reported with their line', async t => {
  const long = 'x'.repeat(1_500)
  const imported = await importText(
    t,
    [
      'HTS Number,Indent,Description,General Rate of Duty',
      '0101,0,Live horses,5%',
      // the limit is in the middle of a surrogate pair
      `,1,${'y'.repeat(999)}𐍈${long},`,
      `0101.21,2,${long},`,
      '0101.29,2,Other,',
      `0101.30,1,${'z'.repeat(1_000)},`,
    ].join('\n'),
    ...['--layout', 'us-hts', '--allow-missing', 'ar'],
  )
  await accepted(t, imported)
  t.equal(imported.rows['010121']?.[0], 'x'.repeat(1_000))
  t.equal(imported.rows['010129']?.[3], 'y'.repeat(999), 'the title of a group is cut as well')
  t.equal(imported.rows['010130']?.[0], 'z'.repeat(1_000), 'a text of 1,000 characters is not cut')
  t.match(
    imported.stdout,
    /texts cut at 1000 characters: 2\n {2}line 3: the English text has 2501 characters\n {2}line 4: the English text has 1500 characters\n/,
  )
  const completed = await importText(
    t,
    ['hs_code,description_en,description_ar', `0101,${'x'.repeat(990)},خيول`, '010121,Mares,أفراس', '010129,Other,غيرها'].join(
      '\n',
    ),
    ...['--layout', 'generic', '--self-contained'],
  )
  t.equal(completed.rows['010129']?.[0], `${'x'.repeat(990)}, other th`)
  t.match(completed.stdout, /texts cut at 1000 characters: 1\n {2}line 4: the English text has 1008 characters/)
})

t.test('a cell with thousands of spaces and punctuation marks does not hang an import', async t => {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'tariff.csv')
  const blanks = `Tea${'. :'.repeat(8_000)}x`
  writeFileSync(file, `hs_code,description_en,description_ar\n0902,${blanks},"${blanks}"\n`)
  const ms = await processorMs(() =>
    importTariff({
      file,
      layout: LAYOUTS.get('generic') as Layout,
      map: {},
      ratesFile: undefined,
      defaultRate: 5,
      allowMissing: [],
      selfContained: true,
      edition: 'test',
      vatRate: 5,
      date: undefined,
      out: join(directory, 'out'),
      titles: async () => () => undefined,
      progress: () => {},
    }),
  )
  t.ok(ms < HANG_MS, `the import took ${ms.toFixed(0)} ms of processor time`)
})

t.test('a repeated code is skipped and reported with both lines', async t => {
  const imported = await importText(t, `${GCC}010130000000,حمير,Donkeys again\n`, '--layout', 'gcc12')
  await accepted(t, imported)
  t.match(imported.stdout, /rows skipped: 1\n {2}line 17: 010130 is already at line 10/)
  t.equal(imported.rows['010130']?.[0], 'Donkeys')
})

t.test('a failed import is reported in one line, and nothing is written', async t => {
  for (const [content, args, message] of [
    ['', ['--layout', 'gcc12'], /the file is empty/],
    ['code12,text_ar\n', ['--layout', 'gcc12'], /no rows below its header/],
    [US, ['--layout', 'gcc12'], /does not look like the layout gcc12/],
    [GCC, ['--layout', 'us-hts'], /does not look like the layout us-hts: no column HTS Number or htsno/],
    [GCC, ['--layout', 'eu-taric'], /does not look like the layout eu-taric/],
    [US, ['--layout', 'us-hts'], /has no Arabic text.*--allow-missing ar/],
    [`${GCC}010190000000,بغال,\n`, ['--layout', 'gcc12'], /has 1 rows without English text \(first at line 17\)/],
    [Buffer.from([0x63, 0x6f, 0x64, 0x65, 0x0a, 0xff, 0xfe]), ['--layout', 'generic'], /not valid UTF-8/],
    ['code,en\n"01,x\n', ['--layout', 'generic'], /not valid CSV/],
    [Buffer.from('PK\u0003\u0004 not a zip at all'), ['--layout', 'gcc12'], /not a readable XLSX/],
    [GCC, [], /--layout is missing: gcc12, zatca, dubai, us-hts, eu-taric, generic/],
    [GCC, ['--layout', 'xx'], /--layout is "xx"/],
    [GCC, ['--layout', 'generic', '--map', 'colour=1'], /--map "colour=1"/],
    [GCC, ['--layout', 'generic', '--map', 'code=Wert'], /there is no column "Wert"; the file has code12, text_ar, text_en/],
    [GCC, ['--layout', 'gcc12', '--default-rate', 'five'], /--default-rate is "five"/],
    [GCC, ['--layout', 'gcc12', '--rates', '/nowhere'], /--rates \/nowhere/],
    [GCC, ['--layout', 'gcc12', '--allow-missing', 'fr'], /--allow-missing is "fr"/],
  ] as [string | Buffer, string[], RegExp][]) {
    const { code, stderr, out } = await importText(t, content, ...args)
    t.equal(code, 2, stderr)
    t.match(stderr, message)
    t.equal(stderr.trim().split('\n').length, 1, stderr)
    t.notOk(existsSync(out))
    t.strictSame(readdirSync(join(out, '..')), ['tariff.csv'], 'no partly written directory is left')
  }
  t.match(
    (await run(['import', '/nowhere.csv', '--layout', 'gcc12', '--out', join(temporaryDirectory(t), 'out')])).stderr,
    /\/nowhere\.csv/,
  )
})

t.test('an import into a directory that is not empty is refused', async t => {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'tariff.csv')
  writeFileSync(file, GCC)
  const { code, stderr } = await run(['import', file, '--layout', 'gcc12', '--out', directory])
  t.equal(code, 2)
  t.match(stderr, /exists and is not empty/)
})
