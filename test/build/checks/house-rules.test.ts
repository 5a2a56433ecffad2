import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checkCompilable, checkDataset } from '../../../build/checks/check.js'
import { readDataset } from '../../../build/dataset/read.js'
import type { Row } from '../../../build/dataset/rows.js'
import { HOUSE_RULES } from '../../../build/dataset/rule-names.js'
import { FIXTURE, temporaryDirectory } from '../../support/service.js'

const HEADER = 'hs_code,description_en,description_ar,tariff_rate,is_active,keywords_en,keywords_ar'
const MANIFEST = { edition: 'T', version: '1.0.0', vat_rate: 5, line_digits: [8], house_style: true }

/** Returns the defects of a small dataset in house style after replacing the given files. */
async function defectsOf(t: Test, files: Record<string, string>): Promise<string[]> {
  const directory = temporaryDirectory(t)
  cpSync(FIXTURE, directory, { recursive: true })
  rmSync(join(directory, 'countries'), { recursive: true })
  for (const chapter of ['85', '90']) writeFileSync(join(directory, `chapters/${chapter}.csv`), `${HEADER}\n`)
  const all = {
    'manifest.json': JSON.stringify(MANIFEST),
    'rate-sources.csv': 'prefix,source,certainty,date\n,s,general,2026-01-01\n',
    'glossary.csv': 'en,ar,instead_of,chapters\nhorses,خيول,أحصنة,01-98\n',
    'accepted-keywords.csv': 'keyword,codes,reason\n',
    'editions.csv': 'edition,old_code,hs_code\n',
    'editions-2028.csv': 'hs_code,code_2028,part,certainty\n',
    'units.csv': 'hs_code,unit,certainty\n',
    'unit-names.csv': 'unit,en,ar,unece\n',
    'controls.csv': 'scope,prefix,kind,authority,reason,source,date,certainty\n',
    'control-reasons.csv': 'reason,en,ar\n',
    'control-sources.csv': 'source,text\n',
    'notes.csv': 'scope,kind,number,text_en,text_ar,goes_to,certainty\n',
    'pointers.csv': 'from,what_en,what_ar,to\n',
    'releases.csv': 'version,before,date,summary_en,summary_ar\n1.0.0,0.9.0,2026-01-01,,\n',
    'changes.csv': 'version,kind,hs_code,old,new,old_en,new_en,old_ar,new_ar\n',
    'chapters/01.csv': `${HEADER}\n01,Live animals,حيوانات حية,5,,,\n`,
    ...files,
  }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(directory, name), text)
  return checkDataset(await readDataset(directory)).map(d => `${d.file}:${d.line}: ${d.message}`)
}

const chapter = (...lines: string[]) => ({
  'chapters/01.csv': [HEADER, '01,Live animals,حيوانات حية,5,,,', ...lines, ''].join('\n'),
})

t.test('a dataset in house style has no defects', async t => {
  t.strictSame(await defectsOf(t, {}), [])
})

t.test('each rule applies unless the manifest names it as pending', async t => {
  for (const [rule, files, expected] of [
    ['brackets', chapter('0101,Horses other than ponies (racers),خيول,,,,'), /brackets after an exclusion/],
    ['numbers', chapter('0101,Horses of 5 kg,خيول,,,,'), /numbers of the two descriptions differ/],
    ['exclusions', chapter('0101,Horses other than ponies,خيول,,,,'), /English description excludes something/],
    ['keyword-languages', chapter('0101,Horses,خيول,,,foals,'), /keywords are in English only/],
    ['own-lines', chapter('0101,Horses other than ponies,خيول عدا المهور,,,ponies,مهر'), /excludes "pony", which 0101 names/],
    [
      'national-lines',
      chapter(
        '0101,Horses,خيول,,,geckos,وزغ',
        '0102,Lizards,سحالي,,,,',
        '010200,"Geckos, placed here by the national tariff","أبو بريص، مدرج هنا",,,,',
      ),
      /"geckos" is 010200 in the national tariff/,
    ],
    [
      'other-rates',
      chapter(
        '0101,Horses,خيول,,,,',
        '010121,Racers,خيول سباق,5,,,',
        '01012110,Racing camels,إبل سباق,0,,,',
        '01012190,Racers of 2 years,خيول سباق عمرها 2,5,,,',
      ),
      /01012110 has another rate/,
    ],
    ['glossary', chapter('0101,Horses,أحصنة,,,,'), /description_ar has "أحصنة"/],
    ['keyword-rates', chapter('0101,Horses,خيول,0,,foals,', '0102,Asses,حمير,5,,foals,'), /"foals" leads to different rates/],
    [
      'keyword-subjects',
      chapter('0101,Horses,خيول,,,,', '0102,Asses,حمير,,,horses,'),
      /bare keyword "horses" is the subject of 0101/,
    ],
    [
      'parent-rates',
      chapter('0101,Horses,خيول,5,,,', '010121,Racers,خيول سباق,0,,,', '010129,Ponies,مهور,0,,,'),
      /:3: 0101 has 5 percent, but every line below it has 0$/,
    ],
    [
      'source-rates',
      chapter('0101,Horses,خيول,0,,,', '0102,Asses,حمير,5,,,', '0103,Mules,بغال,0,,,'),
      /^rate-sources.csv:2: the row covers 01 \(5 %\) and 0101 \(0 %\)$/,
    ],
  ] as const) {
    const pending = (rules: string[]) => ({
      ...files,
      'manifest.json': JSON.stringify({
        ...MANIFEST,
        rules_pending: ['source-rates', ...rules].filter(name => name !== rule || rules.includes(rule)),
      }),
    })
    const applied = await defectsOf(t, pending([]))
    t.ok(
      applied.some(message => expected.test(message)),
      `${rule} reports its defect: ${applied.join(' | ')}`,
    )
    const suspended = await defectsOf(t, pending([rule]))
    t.notOk(
      suspended.some(message => expected.test(message)),
      `${rule} reports nothing while it is pending: ${suspended.join(' | ')}`,
    )
  }
})

t.test('a percentage of a fabric that its subheading does not repeat is reported', async t => {
  const files = {
    'sections.csv': 'section,chapters,title_en,title_ar\nI,01-05,Animals,حيوانات\nXI,50-63,Textiles,منسوجات\n',
    'chapters/55.csv': [
      HEADER,
      '55,Staple fibres,ألياف,5,,,',
      '5513,Fabrics under 85% polyester,أقمشة أقل من 85% بوليستر,,,,',
      '551311,Plain fabrics,أقمشة سادة,,,,',
      '',
    ].join('\n'),
  }
  t.match(await defectsOf(t, files), [/^chapters\/55.csv:4: the description lacks 85% of 5513$/])
})

t.test('"hsapi check" reports a violation of the house style, but the dataset can still be compiled', async t => {
  const dataset = await readDataset(FIXTURE)
  const manifest = { ...dataset.manifest, house_style: true }
  const [row, ...rows] = dataset.rows as [Row, ...Row[]]
  const violating = { ...dataset, manifest, rows: [{ ...row, description_en: 'no capital' }, ...rows] }
  t.match(
    checkDataset(violating).map(({ message }) => message),
    ['description_en does not begin with a capital'],
  )
  t.strictSame(
    checkCompilable(violating).filter(({ message }) => message !== 'the file is missing'),
    [],
  )
})

t.test('a dataset in house style must have sources, sections, notes and pointers', async t => {
  const dataset = await readDataset(FIXTURE)
  const bare = { ...dataset, rateSources: undefined, sections: undefined, notes: undefined, pointers: undefined }
  t.strictSame(checkDataset(bare), [], 'any other dataset may lack these files')
  const defects = checkDataset({ ...bare, manifest: { ...dataset.manifest, house_style: true } })
  t.match(
    defects.filter(({ message }) => message === 'the file is missing').map(({ file }) => file),
    ['notes.csv', 'pointers.csv', 'rate-sources.csv', 'sections.csv'],
  )
})

t.test('the manifest must have a version of three numbers and may only name existing rules', async t => {
  const manifest = JSON.stringify({ ...MANIFEST, version: '2.0', rules_pending: ['beauty'] })
  t.match(await defectsOf(t, { 'manifest.json': manifest }), [/version must be three numbers/, /rules_pending must list/])
})

t.test('dataset/README.md names every rule', async t => {
  const readme = readFileSync(new URL('../../../dataset/README.md', import.meta.url), 'utf8')
  for (const rule of HOUSE_RULES) t.ok(readme.includes(`| \`${rule}\` |`), `the README has a row for ${rule}`)
})
