import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checkDataset } from '../../../build/checks/check.js'
import { parseReleases } from '../../../build/dataset/changes.js'
import type { Defect } from '../../../build/dataset/defect.js'
import { readDataset } from '../../../build/dataset/read.js'
import { FIXTURE, temporaryDirectory } from '../../support/service.js'

const HEADER = 'hs_code,description_en,description_ar,tariff_rate,is_active,keywords_en,keywords_ar'
const CHAPTER = '01,Live animals,حيوانات حية,5,,,'

async function defectsOf(t: Test, lines: string[], header = HEADER): Promise<string[]> {
  const directory = temporaryDirectory(t)
  mkdirSync(join(directory, 'chapters'))
  writeFileSync(join(directory, 'manifest.json'), '{"edition":"T","vat_rate":5,"line_digits":[8,12]}')
  writeFileSync(join(directory, 'chapters', '01.csv'), [header, ...lines].join('\n'))
  return checkDataset(await readDataset(directory)).map(d => `${d.file}:${d.line}: ${d.message}`)
}

t.test('the fixture has no defects', async t => {
  t.strictSame(checkDataset(await readDataset(FIXTURE)), [])
})

t.test('each kind of defect is reported with its line', async t => {
  for (const [defect, line, expected] of [
    ['not digits', '01.01,Horses,خيول,,,,', /^chapters\/01\.csv:3: "01\.01" is not an HS code/],
    ['too many digits', '010101010101010,Horses,خيول,,,,', /is not an HS code/],
    ['repeated code', '01,Live animals,حيوانات,,,,', /01 is already at chapters\/01\.csv:2/],
    ['wrong chapter file', '0201,Beef,لحم بقر,,,,', /0201 belongs in chapters\/02\.csv/],
    ['orphan', '0201,Beef,لحم بقر,,,,', /0201 is an orphan/],
    ['missing English description', '0101,,خيول,,,,', /English description is missing/],
    ['missing Arabic description', '0101,Horses,,,,,', /Arabic description is missing/],
    ['negative rate', '0101,Horses,خيول,-5,,,', /rate "-5" is not a percentage/],
    ['rate with a percent sign', '0101,Horses,خيول,5%,,,', /rate "5%"/],
    ['invalid is_active', '0101,Horses,خيول,,yes,,', /is_active is "yes"/],
    ['direction mark', '0101,Horses,خي\u200fول,,,,', /description_ar has the stray character U\+200F at position 3/],
    ['control character', '0101,Hor\u0007ses,خيول,,,,', /description_en has the stray character U\+0007/],
    ['direction mark in keywords', '0101,Horses,خيول,,,a\u202eb,', /keywords_en has the stray character U\+202E/],
    ['leading space', '0101, Horses,خيول,,,,', /begins or ends with a space/],
    ['missing fields', '0101,Horses,خيول', /the row has 3 fields, the header 7/],
    ['too long description', `0101,${'a'.repeat(1001)},خيول,,,,`, /longer than 1000/],
    ['too long keyword', `0101,Horses,خيول,,,mares; ${'a'.repeat(1001)},`, /keywords_en has a phrase of more than 1000/],
  ] as const) {
    const messages = await defectsOf(t, [CHAPTER, line])
    t.ok(
      messages.some(message => expected.test(message)),
      `${defect} is reported: ${messages.join(' | ')}`,
    )
    t.ok(
      messages.every(message => /^chapters\/01\.csv:3: /.test(message)),
      `${defect} is reported on line 3`,
    )
  }
})

t.test('every defect of a file is reported in one run', async t => {
  const defects = await defectsOf(t, [CHAPTER, 'x,,,,,,', '0101,Horses,خيول,a,,,', '0101,Horses,خيول,,,,'])
  t.ok(defects.length >= 5, defects.join('\n'))
})

t.test('a language that the manifest marks as missing may be blank', async t => {
  const directory = temporaryDirectory(t)
  mkdirSync(join(directory, 'chapters'))
  writeFileSync(join(directory, 'chapters', '01.csv'), `${HEADER}\n01,Live animals,,5,,,\n`)
  const manifest = { edition: 'T', vat_rate: 5, line_digits: [] }
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ ...manifest, missing_languages: ['ar'] }))
  t.strictSame(checkDataset(await readDataset(directory)), [])
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest))
  t.equal(checkDataset(await readDataset(directory)).length, 1)
})

t.test('unknown and missing columns are reported', async t => {
  t.match(await defectsOf(t, ['01,a'], 'hs_code,colour'), [
    'chapters/01.csv:1: unknown column "colour"',
    'chapters/01.csv:1: the column description_en is missing',
  ])
})

t.test('broken CSV, broken UTF-8, a broken manifest and a dataset without rows are reported', async t => {
  t.match(await defectsOf(t, ['01,"Live animals,حيوانات']), [/not valid CSV/])
  t.match(await defectsOf(t, []), [/no rows/])
  const directory = temporaryDirectory(t)
  cpSync(FIXTURE, directory, { recursive: true })
  writeFileSync(join(directory, 'chapters', '02.csv'), Buffer.from([0xff, 0xfe, 0x41]))
  writeFileSync(join(directory, 'manifest.json'), '{"vat_rate":"5","line_digits":[12,8]}')
  const messages = checkDataset(await readDataset(directory)).map(d => `${d.file}: ${d.message}`)
  t.ok(messages.includes('chapters/02.csv: the file is not valid UTF-8'))
  t.equal(messages.filter(m => m.startsWith('manifest.json')).length, 3)
  await t.rejects(readDataset(join(directory, 'none')), /no dataset can be read here/)
})

t.test('invalid CSV is reported at the line where reading it failed', async t => {
  t.match(await defectsOf(t, [CHAPTER, '0101,Horses "wild",خيول,,,,', '0102,Cattle,أبقار,,,,']), [
    /^chapters\/01\.csv:3: this is not valid CSV/,
  ])
})

t.test('a character that XML cannot contain is reported in every table, with file and line', async t => {
  const directory = temporaryDirectory(t)
  cpSync(FIXTURE, directory, { recursive: true })
  const change = (file: string, from: string, to: string) => {
    const text = readFileSync(join(directory, file), 'utf8')
    t.ok(text.includes(from), `${file} contains "${from}"`)
    writeFileSync(join(directory, file), text.replace(from, to))
  }
  change('releases.csv', 'Cards &', 'Cards\u0001 &')
  change('sections.csv', 'Live', 'Li\u001bve')
  const defects = checkDataset(await readDataset(directory)).map(d => `${d.file}:${d.line}: ${d.message}`)
  t.strictSame(defects.sort(), [
    'releases.csv:2: summary_en has the stray character U+0001 at position 6',
    'sections.csv:2: title_en has the stray character U+001B at position 3',
  ])
  change('releases.csv', 'Cards\u0001 &', 'Cards\n\t&')
  change('sections.csv', 'Li\u001bve', 'Live')
  t.strictSame(checkDataset(await readDataset(directory)), [], 'a cell may have several lines')
  for (const character of ['\u0000', '\u000b', '\u007f', '\u0085', '\u202e', '\ufffe', '\uffff']) {
    const defects: Defect[] = []
    parseReleases(`version,before,date,summary_en,summary_ar\n1.2.3,1.2.0,2026-05-01,a${character},b\n`, defects)
    t.match(defects, [{ file: 'releases.csv', line: 2, message: /summary_en has the stray character/ }])
  }
})

t.test("a code without a rate and without an ancestor's rate is reported", async t => {
  t.match(await defectsOf(t, ['01,Live animals,حيوانات,,,,']), [/01 has no rate/])
})
