import t from 'tap'
import { buildChanges } from '../../../build/compiler/changes.js'
import { checkChanges, checkNewestRelease, parseChanges, parseReleases } from '../../../build/dataset/changes.js'
import type { Defect } from '../../../build/dataset/defect.js'

const RELEASES = 'version,before,date,summary_en,summary_ar'
const CHANGES = 'version,kind,hs_code,old,new,old_en,new_en,old_ar,new_ar'

function read<Parsed>(parse: (text: string, defects: Defect[]) => Parsed, ...lines: string[]) {
  const defects: Defect[] = []
  const parsed = parse(lines.join('\n'), defects)
  return { parsed, messages: defects.map(({ line, message }) => `${line}: ${message}`) }
}

t.test('releases must form a chain, newest first', async t => {
  t.strictSame(read(parseReleases, RELEASES, '2.1.0,2.0.0,2026-01-02,a,ب', '2.0.0,1.0.0,2026-01-01,,').messages, [])
  t.match(read(parseReleases, RELEASES, '2.1,2.0.0,2026-02-30,a,').messages, [
    '2: "2.1" is not a version such as 2.0.0',
    '2: the date is "2026-02-30", not a day such as 2026-11-15',
    '2: the summary must be in both languages, or in neither',
  ])
  t.match(read(parseReleases, RELEASES, '2.1.0,1.9.0,2026-01-02,,', '2.0.0,1.0.0,2026-01-01,,').messages, [
    /^2: 2\.1\.0 follows 1\.9\.0, but the row below is 2\.0\.0/,
  ])
})

t.test('a change must have exactly the cells of its kind and be listed once', async t => {
  const { parsed, messages } = read(
    parseChanges,
    CHANGES,
    '2.1.0,rate,8517,5,0,,,,',
    '2.1.0,active,8517,0,1,,,,',
    '2.1.0,words,8517,,,a,b,ا,ب',
    '2.1.0,added,8518,,5,,b,,ب',
    '2.1.0,removed,8519,5,,a,,ا,',
  )
  t.strictSame(messages, [])
  t.strictSame(
    read(
      parseChanges,
      CHANGES,
      '2.1.0,rate,8517,5,free,,,,',
      '2.1.0,rate,8517,5,0,,,,',
      '2.1.0,price,8517,5,0,,,,',
      '2.1.0,active,85x,1,2,,,,',
      '2.1.0,words,8517,5,,a,b,ا,ب',
    ).messages,
    [
      '2: new is "free", not a percentage',
      '3: the same change is already at line 2',
      '4: the kind is "price", not one of added, removed, rate, active, words, country_rate, taxes, controls, unit',
      '5: "85x" is not an HS code',
      '5: new is "2", not 0 or 1',
      '6: old must be blank for words',
    ],
  )
  const releases = read(parseReleases, RELEASES, '2.0.0,1.0.0,2026-01-01,,').parsed
  t.equal(checkChanges(releases, parsed).length, parsed.length)
  t.match(checkChanges(releases, parsed)[0], { line: 2, message: '2.1.0 is not in releases.csv' })
})

t.test('changes of country rates, taxes, controls and units are read and checked', async t => {
  const header = `${CHANGES},country`
  const { parsed, messages } = read(
    parseChanges,
    header,
    '2.1.0,country_rate,8517,5,prohibited,,,,,SA',
    '2.1.0,country_rate,8517,5,0,,,,,AE',
    '2.1.0,taxes,2202,vat 15 %,vat 15 %; excise 0.79 by l sugar 5-8,,,,,SA',
    '2.1.0,controls,8517,,permit TDRA,,,,,',
    '2.1.0,controls,8517,restricted,,,,,,QA',
    '2.1.0,unit,8517,kg,,,,,,',
    '2.1.0,rate,8517,5,0,,,,,',
  )
  t.strictSame(messages, [])
  t.equal(parsed[0]?.country, 'SA')
  t.match(read(parseChanges, CHANGES, '2.1.0,unit,8517,kg,u,,,,'), { parsed: [{ country: '' }], messages: [] })
  t.strictSame(
    read(
      parseChanges,
      header,
      '2.1.0,country_rate,8517,5,free,,,,,SA',
      '2.1.0,taxes,2202,vat 15 %,duty 5 %,,,,,SA',
      '2.1.0,taxes,2203,vat 15 %,vat 5 %,,,,,',
      '2.1.0,controls,8517,,licence,,,,,XX',
      '2.1.0,unit,8517,kg,two words,,,,,AE',
      '2.1.0,rate,8517,5,0,,,,,SA',
    ).messages,
    [
      '2: new is "free", not a percentage, prohibited or unknown',
      '3: new is "duty 5 %", not a list of taxes',
      '4: the country is missing for taxes',
      '5: new is "licence", not a list of controls',
      '5: the country is "XX", not one of AE, SA, BH, OM, QA, KW',
      '6: new is "two words", not a unit',
      '6: country must be blank for unit',
      '7: country must be blank for rate',
    ],
  )
})

t.test('the newest release must be the version in the manifest', async t => {
  const { parsed } = read(parseReleases, RELEASES, '2.0.0,1.0.0,2026-01-01,,')
  t.strictSame(checkNewestRelease(parsed, '2.0.0'), [])
  t.match(checkNewestRelease(parsed, '2.1.0'), [{ message: /the newest release is 2\.0\.0, but the manifest has 2\.1\.0/ }])
  t.match(checkNewestRelease(undefined, '2.1.0'), [{ message: /is missing/ }])
})

t.test('a snapshot lists changes only if the newest release is its own version', async t => {
  const releases = read(parseReleases, RELEASES, '2.1.0,2.0.0,2026-01-02,,', '2.0.0,1.0.0,2026-01-01,,').parsed
  const changes = read(parseChanges, CHANGES, '2.1.0,rate,8517,5,0,,,,', '2.0.0,rate,8518,5,0,,,,').parsed
  const versions = (version: string) => buildChanges(releases, changes, version).releases.map(({ version }) => version)
  t.strictSame(versions('2.1.0'), ['2.1.0', '2.0.0'])
  t.strictSame(versions('2.0.0'), [], 'an older release is not enough')
  t.equal(buildChanges(releases, changes, '2.0.0').columns.changeArena.length, 0)
})
