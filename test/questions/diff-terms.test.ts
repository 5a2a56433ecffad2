import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { Catalog } from '../../src/catalog/catalog.js'
import type { Country } from '../../src/catalog/countries.js'
import { type Difference, difference } from '../../src/questions/diff.js'
import { termsOf, termsText } from '../../src/snapshot/changed-terms.js'
import { TERM_KINDS, type TermKind } from '../../src/snapshot/format.js'
import { catalogOf, FIXTURE, fixtureCatalog, temporaryDirectory } from '../support/service.js'

const DAY = '2026-05-04'

/** An edit of the fixture: a file with a text and its replacement, or a file with a row to add. */
type Edit = [file: string, from: string | RegExp, to: string] | [file: string, row: string]

/** Returns the catalog of the fixture with the edits. */
async function withEdits(t: Test, ...edits: Edit[]): Promise<Catalog> {
  const dataset = join(temporaryDirectory(t), 'dataset')
  cpSync(FIXTURE, dataset, { recursive: true })
  for (const [file, from, to] of edits) {
    const path = join(dataset, file)
    if (to === undefined) appendFileSync(path, `${from}\n`)
    else {
      const text = readFileSync(path, 'utf8')
      const replaced = text.replace(from, to)
      if (replaced === text) throw new Error(`${file} has no ${from}`)
      writeFileSync(path, replaced)
    }
  }
  return catalogOf(dataset)
}

const before = await fixtureCatalog()

const linesOf = (found: Difference, kind: TermKind) =>
  found[kind].map(({ hs_code, country = '', old, new: now }) => `${hs_code} ${country}: ${termsText(old)} → ${termsText(now)}`)

t.test('a dataset compared with itself has no changes on any day', async t => {
  for (const day of ['2019-01-01', DAY, '2030-01-01']) {
    const found = difference(before, before, day)
    for (const kind of TERM_KINDS) t.strictSame(found[kind], [], `no changes of kind ${kind}`)
  }
})

t.test("a change to a country's rate is listed for the shortest code whose lines all changed in the same way", async t => {
  const changesOf = async (...edits: Edit[]) => linesOf(difference(before, await withEdits(t, ...edits), DAY), 'country_rate')
  const sa = 'countries/SA/rates.csv'
  // 851718 has its own row, so a change to 8517 does not affect it
  t.strictSame(await changesOf([sa, '2026-02-25,8517,0,', '2026-02-25,8517,12,']), ['851713 SA: 0 → 12'])
  t.strictSame(await changesOf([sa, '851718,,prohibited', '851718,0,allowed']), ['851718 SA: prohibited → 0'])
  t.strictSame(await changesOf([sa, '851718,,prohibited', '851718,,export_prohibited']), ['851718 SA: prohibited → unknown'])
  t.strictSame(
    await changesOf([sa, '2026-02-25,8523,15,', '2026-02-25,8523,16,'], [sa, '2026-02-25,852321,20,', '2026-02-25,852321,16,']),
    ['852321 SA: 20 → 16', '852329 SA: 15 → 16'],
  )
  const ae = 'countries/AE/rates.csv'
  t.strictSame(await changesOf([ae, '2025-01-01,0102,50,allowed,2025-01-01,ae-notice,published']), ['0102 AE: 5 → 50'])
  t.strictSame(await changesOf([ae, /.*,852321,.*\n/, '']), ['852321 AE: 100 → 5'])
  t.strictSame(
    await changesOf([ae, '2025-01-01,0102,5,allowed,2025-01-01,ae-notice,published']),
    [],
    'a new row with the same rate is not a change',
  )
  t.strictSame(await changesOf([sa, '2025-11-03,8523,10,', '2025-11-03,8523,11,']), [], 'a change to an older list is not listed')
  t.strictSame(
    await changesOf(['countries/AE/country.json', '"lists": [', '"lists": [{ "date": "2024-01-01", "source": "ae-notice" }, ']),
    [],
    'an additional older list changes nothing',
  )
  t.strictSame(
    await changesOf(['chapters/85.csv', 'شبكات,0,', 'شبكات,2.5,']),
    [],
    'a change to the common rate is not listed as a country rate',
  )
})

t.test('a change to taxes lists the standard VAT and all current and future rows, without rows that have ended', async t => {
  const changesOf = async (...edits: Edit[]) => linesOf(difference(before, await withEdits(t, ...edits), DAY), 'taxes')
  const sa = 'countries/SA/taxes.csv'
  t.strictSame(await changesOf([sa, 'excise,8523,50,', 'excise,8523,60,']), [
    '852321 SA: vat 15 %; excise 50 % → vat 15 %; excise 60 %',
    '852329 SA: vat 15 %; excise 50 % → vat 15 %; excise 60 %',
  ])
  t.strictSame(await changesOf([sa, 'excise,010221,,1.09,l,5,', 'excise,010221,,2,l,5,']), [
    '010221 SA: vat 15 %; excise 0 by l sugar -5; excise 1.09 by l sugar 5- → vat 15 %; excise 0 by l sugar -5; excise 2 by l sugar 5-',
  ])
  t.strictSame(await changesOf([sa, ',0.4,yes,', ',0.5,perhaps,']), [
    '010229 SA: vat 15 %; excise 100 % minimum 0.4 by u until 2026-06-30 → vat 15 %; excise 100 % minimum 0.5 by u perhaps until 2026-06-30',
  ])
  t.strictSame(await changesOf([sa, 'vat,85171800,0,,,,,,yes,Desk phones,هواتف مكتبية,,,2027-01-01,,sa-law,published']), [
    '851718 SA: vat 15 % → vat 15 %; vat 0 % from 2027-01-01',
  ])
  t.strictSame(await changesOf([sa, 'vat,0101,0,,', 'vat,0101,5,,']), ['0101 SA: vat 0 % → vat 5 %'])
  t.strictSame(
    await changesOf([sa, 'Recording media,', 'Media for recording,']),
    [],
    'a change to the name of the goods is not listed',
  )
  const ended = 'excise,8517,5,,,,,,yes,Phones,هواتف,,,2019-12-01,2026-05-03,sa-law,published'
  t.strictSame(await changesOf([sa, ended]), [])
  t.strictSame(await changesOf(['countries/AE/country.json', '"rate": "5"', '"rate": "8"']), [
    '01 AE: vat 5 % → vat 8 %',
    '85 AE: vat 5 % → vat 8 %',
    '90 AE: vat 5 % → vat 8 %',
  ])
})

t.test('changes to controls of all GCC states have no country, and a reworded reason is not listed', async t => {
  const found = difference(
    before,
    await withEdits(
      t,
      ['controls.csv', 'SA,0102,permit,"Ministry; of Horses",tapes,media-law,2026-02-01,published'],
      ['controls.csv', 'GCC,852329,prohibited,', 'GCC,852351,restricted,'],
      ['control-reasons.csv', 'Recorded media need a permit', 'A permit is needed'],
    ),
    DAY,
  )
  t.strictSame(linesOf(found, 'controls'), [
    '0102 SA:  → permit Ministry, of Horses',
    '852329 : permit Ministry of Media; prohibited → permit Ministry of Media',
    '852351 : permit Ministry of Media → permit Ministry of Media; restricted',
  ])
})

t.test('changes to units are listed, except for codes that only one of the datasets has', async t => {
  const after = await withEdits(
    t,
    ['units.csv', '010711,kg,', '010711,u,'],
    ['units.csv', /852351,.*\n/, ''],
    ['units.csv', '903110,u,published'],
    ['chapters/85.csv', /(?<row>852351,.*\n)/, '$<row>85235110,Flash drives,ذاكرة فلاش,,,,\n'],
  )
  t.strictSame(linesOf(difference(before, after, DAY), 'unit'), ['010711 : kg → u', '903110 :  → u'])
})

t.test('a country that only one of the datasets has is not compared', async t => {
  const dataset = join(temporaryDirectory(t), 'dataset')
  cpSync(FIXTURE, dataset, { recursive: true, filter: path => !path.endsWith('/SA') })
  const sources = join(dataset, 'countries', 'sources.csv')
  writeFileSync(sources, readFileSync(sources, 'utf8').replace(/^sa-.*\n/gm, ''))
  const withoutSaudi = await catalogOf(dataset)
  for (const [old, now] of [
    [before, withoutSaudi],
    [withoutSaudi, before],
  ] as const)
    t.strictSame([...difference(old, now, DAY).country_rate, ...difference(old, now, DAY).taxes], [])
})

t.test('every line whose rate changed is below exactly one listed code, and no other line is', async t => {
  const prefix = fc.constantFrom('', '85', '8517', '851713', '851718', '8523', '852321', '85232', '01', '0101', '010130', '9031')
  const row = fc.record({ prefix, rate: fc.constantFrom('0', '5', '15') })
  const rows = fc.uniqueArray(row, { maxLength: 6, selector: one => one.prefix })
  const withRows = (list: readonly { prefix: string; rate: string }[]) =>
    withEdits(t, [
      'countries/AE/rates.csv',
      /\n.*/s,
      ['', ...list.map(({ prefix, rate }) => `2025-01-01,${prefix},${rate},allowed,2025-01-01,ae-notice,published`), ''].join(
        '\n',
      ),
    ])
  await fc.assert(
    fc.asyncProperty(rows, rows, async (earlier, later) => {
      const [old, now] = [await withRows(earlier), await withRows(later)]
      const found = difference(old, now, DAY).country_rate
      const rateIn = (catalog: Catalog, record: number) =>
        Number((catalog.countries.find('AE') as Country).newest.rateText(record))
      for (let record = 0; record < now.meta.records; record++) {
        if (now.childCount[record] > 0) continue
        const code = now.records.code(record)
        const covering = found.filter(({ hs_code }) => code.startsWith(hs_code))
        const [was, is] = [rateIn(old, old.trie.find(code)), rateIn(now, record)]
        const expected = was === is ? [] : [[{ tariff_rate: was }, { tariff_rate: is }]]
        t.strictSame(
          covering.map(({ old: one, new: other }) => [one, other]),
          expected,
          code,
        )
      }
    }),
    { numRuns: 10 },
  )
})

t.test('the text of terms is parsed into the same terms, and other texts are refused', async t => {
  const cells: [TermKind, string][] = [
    ['country_rate', '7.5'],
    ['country_rate', 'prohibited'],
    ['unit', '1000u'],
    ['unit', ''],
    ['controls', ''],
    ['controls', 'prohibited; permit MOCCAE / municipality'],
    ['taxes', 'vat 0 % perhaps; excise; excise 0.79 by l sugar 5-8; excise 100 % minimum 0.4 by g perhaps from 2027-01-01'],
  ]
  for (const [kind, cell] of cells) t.equal(termsText(termsOf(kind, cell) ?? { unit: 'unread' }), cell)
  const bad: [TermKind, string][] = [
    ['country_rate', ''],
    ['country_rate', '5 %'],
    ['unit', 'two words'],
    ['controls', 'licence SFDA'],
    ['controls', 'permit;'],
    ['taxes', 'vat 5%'],
    ['taxes', 'duty 5 %'],
    ['taxes', 'excise 5 % by kg'],
  ]
  for (const [kind, cell] of bad) t.equal(termsOf(kind, cell), undefined, `"${cell}" is refused as ${kind}`)
})
