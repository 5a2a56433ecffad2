import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { compile } from '../../build/compiler/compile.js'
import { readDataset } from '../../build/dataset/read.js'
import { csvCells } from '../../src/tables/csv-text.js'
import { builtSnapshot, run } from '../support/cli.js'
import { FIXTURE, temporaryDirectory } from '../support/service.js'
import { encodeSnapshot } from '../support/snapshot.js'

const before = await builtSnapshot(t)
const after = await builtSnapshot(t, dataset => {
  const change = (file: string, ...pairs: [string | RegExp, string][]) => {
    const path = join(dataset, file)
    writeFileSync(
      path,
      pairs.reduce((text, [from, to]) => text.replace(from, to), readFileSync(path, 'utf8')),
    )
  }
  change(
    'chapters/85.csv',
    ['851713,Smartphones', '851713,Clever phones'],
    ['آلات ومعدات كهربائية', 'آلات وأجهزة كهربائية'],
    [
      '8517,Telephones and network equipment,هواتف ومعدات شبكات,0,',
      '8517,Telephones and network equipment,هواتف ومعدات شبكات,2.5,',
    ],
    [/852329,.*\n/, '85232910,Magnetic tapes,أشرطة مغناطيسية,,,,\n'],
  )
  change('editions.csv', ['2017,852310,852329\n', ''])
  change('editions-2028.csv', [/852329,.*\n/, ''])
  change('units.csv', [/852329,.*\n/, ''])
  change('notes.csv', [/852329,.*\n/, ''])
  change('pointers.csv', [/852329,.*\n/, ''])
  change('controls.csv', ['GCC,852329,', 'GCC,852351,'])
  change('manifest.json', ['"1.2.3"', '"1.3.0"'], ['"vat_rate": 5', '"vat_rate": 10'])
})

t.test('the output is a summary, then each difference', async t => {
  const { code, stdout, stderr } = await run(['diff', before, after])
  t.equal(code, 0, stderr)
  const lines = stdout.split('\n')
  t.match(lines[0], /^old {2}Test 2022, 1\.2\.3: \d+ records, VAT 5 % \(snapshot [0-9a-f]{16}\)$/)
  t.match(lines[1], /^new {2}Test 2022, 1\.3\.0: \d+ records, VAT 10 % \(snapshot [0-9a-f]{16}\)$/)
  t.equal(
    lines.slice(2).join('\n'),
    `     1 codes added
     1 codes removed
     3 rates changed
     0 codes activated or deactivated
     2 descriptions changed
     0 rates of a country changed
     0 taxes of a country changed
     1 controls changed
     0 units changed

codes added
85232910  5 %  Magnetic tapes

codes removed
852329  5 %  Magnetic tapes and disks

rates changed
8517  0 % → 2.5 %
851713  0 % → 2.5 %
851718  0 % → 2.5 %

descriptions changed
85  - آلات ومعدات كهربائية
    + آلات وأجهزة كهربائية
851713  - Smartphones
        + Clever phones

controls changed
852351  permit Ministry of Media → permit Ministry of Media; prohibited
`,
  )
})

t.test('--json is one object with the same content', async t => {
  const { stdout } = await run(['diff', before, after, '--json'])
  const { old, new: now, ...lists } = JSON.parse(stdout)
  t.match(old, { edition: 'Test 2022', version: '1.2.3', vat_rate: 5 })
  t.match(now, { version: '1.3.0', vat_rate: 10, snapshot: /^[0-9a-f]{16}$/ })
  t.strictSame(lists, {
    added: [{ hs_code: '85232910', description: { en: 'Magnetic tapes', ar: 'أشرطة مغناطيسية' }, tariff_rate: 5 }],
    removed: [
      {
        hs_code: '852329',
        description: { en: 'Magnetic tapes and disks', ar: 'أشرطة وأقراص مغناطيسية' },
        tariff_rate: 5,
      },
    ],
    words: [
      {
        hs_code: '85',
        old: { en: 'Electrical machines and equipment', ar: 'آلات ومعدات كهربائية' },
        new: { en: 'Electrical machines and equipment', ar: 'آلات وأجهزة كهربائية' },
      },
      {
        hs_code: '851713',
        old: { en: 'Smartphones', ar: 'هواتف ذكية' },
        new: { en: 'Clever phones', ar: 'هواتف ذكية' },
      },
    ],
    rates: ['8517', '851713', '851718'].map(hs_code => ({ hs_code, old: 0, new: 2.5 })),
    active: [],
    country_rate: [],
    taxes: [],
    controls: [
      {
        hs_code: '852351',
        old: { controls: [{ kind: 'permit', authority: 'Ministry of Media' }] },
        new: {
          controls: [
            { kind: 'permit', authority: 'Ministry of Media' },
            { kind: 'prohibited', authority: null },
          ],
        },
      },
    ],
    unit: [],
  })
})

t.test('a snapshot does not differ from itself; a snapshot of another format is refused, as a server refuses it', async t => {
  const same = await run(['diff', before, before])
  t.match(
    same.stdout,
    /0 codes added\n {5}0 codes removed\n {5}0 rates changed\n {5}0 codes activated or deactivated\n {5}0 descriptions changed\n {5}0 rates of a country changed\n {5}0 taxes of a country changed\n {5}0 controls changed\n {5}0 units changed\n$/,
  )
  const other = `${after}.other`
  copyFileSync(after, other)
  const bytes = readFileSync(other)
  bytes.writeUInt32LE(1, 8)
  writeFileSync(other, bytes)
  const { code, stderr, stdout } = await run(['diff', before, other])
  t.equal(code, 2)
  t.equal(stdout, '')
  t.match(stderr, /\.other: the snapshot has format version 1, but this server reads version \d+; run "hsapi build"/)
})

t.test('--changes writes the changes of a version into the tables of a dataset', async t => {
  const dataset = temporaryDirectory(t)
  const read = (file: string) => readFileSync(join(dataset, file), 'utf8')
  const written = await run(['diff', before, after, '--changes', dataset, '--date', '2026-05-04'])
  t.match(written, { code: 0, stdout: `${dataset}: 8 changes from 1.2.3 to 1.3.0 recorded\n` }, written.stderr)
  t.equal(read('releases.csv'), 'version,before,date,summary_en,summary_ar\n1.3.0,1.2.3,2026-05-04,,\n')
  const changes = read('changes.csv')
  t.equal(changes.split('\n').length, 10)
  t.match(changes, '\n1.3.0,added,85232910,,5,,Magnetic tapes,,أشرطة مغناطيسية\n')
  t.match(changes, '\n1.3.0,removed,852329,5,,Magnetic tapes and disks,,أشرطة وأقراص مغناطيسية,\n')
  t.match(changes, '\n1.3.0,rate,8517,0,2.5,,,,\n')
  t.match(changes, '\n1.3.0,words,851713,,,Smartphones,Clever phones,هواتف ذكية,هواتف ذكية\n')
  t.match(changes, '\n1.3.0,controls,852351,permit Ministry of Media,"permit Ministry of Media; prohibited",,,,\n')

  writeFileSync(join(dataset, 'releases.csv'), read('releases.csv').replace('04,,', '04,Phones.,هواتف.'))
  const again = await run(['diff', before, after, '--changes', dataset, '--date', '2026-05-05'])
  t.equal(again.code, 0, again.stderr)
  t.equal(read('changes.csv'), changes, 'a second run changes nothing')
  t.match(read('releases.csv'), '\n1.3.0,1.2.3,2026-05-05,Phones.,هواتف.\n', 'the summary is kept')

  const later = await builtSnapshot(t, dataset => {
    const path = join(dataset, 'manifest.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"1.2.3"', '"2.0.0"'))
  })
  t.equal((await run(['diff', after, later, '--changes', dataset])).code, 0)
  t.match(read('releases.csv'), /\n2\.0\.0,1\.3\.0,20\d\d-\d\d-\d\d,,\n1\.3\.0,/, 'the newest release comes first')
  const kept = read('changes.csv')
  for (const [args, message] of [
    [[before, later, '--changes', dataset], /the newest version before 2\.0\.0 is 1\.3\.0, but OLD is 1\.2\.3/],
    [[before, before, '--changes', dataset], /both snapshots have version 1\.2\.3/],
    [[before, after, '--changes', join(dataset, 'none')], /none/],
    [[before, after, '--date', '2026-05-04'], /--date needs --changes/],
    [[before, after, '--changes', dataset, '--date', '4 May'], /--date is "4 May"/],
  ] as [string[], RegExp][]) {
    const { code, stderr } = await run(['diff', ...args])
    t.equal(code, 2, stderr)
    t.match(stderr, message)
  }
  t.equal(read('changes.csv'), kept)
  writeFileSync(join(dataset, 'changes.csv'), 'version\n')
  t.match(await run(['diff', after, later, '--changes', dataset]), { code: 2, stderr: /changes\.csv:1: the header must be/ })
})

t.test('a change that concerns one country names it in the last column, and "hsapi changes" lists it', async t => {
  const edit = (dataset: string, file: string, from: string, to: string) => {
    const path = join(dataset, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
  }
  let dataset = ''
  const taxed = await builtSnapshot(t, copy => {
    dataset = copy
    edit(copy, 'manifest.json', '"1.2.3"', '"1.3.0"')
    edit(copy, 'countries/SA/taxes.csv', 'excise,010229,100,', 'excise,010229,50,')
  })
  const written = await run(['diff', before, taxed, '--changes', dataset, '--date', '2026-05-04'])
  t.equal(written.stdout, `${dataset}: 1 change from 1.2.3 to 1.3.0 recorded\n`, written.stderr)
  const [header, first, second] = readFileSync(join(dataset, 'changes.csv'), 'utf8').split('\n')
  t.match(header, /,new_ar,country$/)
  const taxes = (rate: number) => `vat 15 %; excise ${rate} % minimum 0.4 by u until 2026-06-30`
  t.equal(first, `1.3.0,taxes,010229,${csvCells([taxes(100)])},${csvCells([taxes(50)])},,,,,SA`)
  t.equal(second, '1.2.3,rate,852321,0,5,,,,,', 'older changes are kept')
  const snapshot = join(dataset, 'new.snapshot')
  t.equal((await run(['build', '--dataset', dataset, '--out', snapshot])).code, 0)
  const codes = join(dataset, 'codes.txt')
  writeFileSync(codes, '010229000000\n')
  t.match(await run(['changes', '--snapshot', snapshot, '--codes', codes]), {
    code: 0,
    stdout: `1.3.0  taxes  010229  SA  ${taxes(100)} → ${taxes(50)}\n`,
  })
})

t.test('control characters in a description are escaped, even in a snapshot that was built without checks', async t => {
  const directory = temporaryDirectory(t)
  cpSync(FIXTURE, directory, { recursive: true })
  const path = join(directory, 'chapters/85.csv')
  writeFileSync(path, readFileSync(path, 'utf8').replace('851713,Smartphones', '851713,Smart\u001b[2Jphones'))
  const dataset = await readDataset(directory)
  const unchecked = join(directory, 'hs.snapshot')
  writeFileSync(unchecked, encodeSnapshot(compile(dataset), dataset.digest))
  const { code, stdout, stderr } = await run(['diff', before, unchecked])
  t.equal(code, 0, stderr)
  t.match(stdout, '851713  - Smartphones\n        + Smart\\u001b[2Jphones\n')
  t.notMatch(stdout, '\u001b')
})

t.test('a line that is padded in one dataset and listed in the other is not lost', async t => {
  const lined = await builtSnapshot(t, dataset => {
    const path = join(dataset, 'chapters/85.csv')
    const line = '85232100,Cards with a magnetic stripe for hotels,بطاقات فنادق,7.5,false,,\n'
    writeFileSync(path, readFileSync(path, 'utf8').replace('852329,', `${line}852329,`))
  })
  const listed = async (old: string, now: string) => {
    const { words, rates, active } = JSON.parse((await run(['diff', old, now, '--json'])).stdout)
    const codes = (list: { hs_code: string }[]) => list.map(({ hs_code }) => hs_code)
    return { words: codes(words), rates: codes(rates), active: codes(active) }
  }
  const expected = { words: ['85232100'], rates: ['85232100'], active: ['85232100'] }
  t.strictSame(await listed(before, lined), expected)
  t.strictSame(await listed(lined, before), expected)
})
