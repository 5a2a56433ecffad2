import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checkDataset } from '../../../build/checks/check.js'
import { readDataset } from '../../../build/dataset/read.js'
import { FIXTURE, temporaryDirectory } from '../../support/service.js'

/** Returns the defects of the fixture after replacing files of countries/, each as `file:line: message`. */
async function defectsOf(t: Test, files: Record<string, string[]>): Promise<string[]> {
  const directory = temporaryDirectory(t)
  cpSync(FIXTURE, directory, { recursive: true })
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(directory, 'countries', name), lines.join('\n'))
  return checkDataset(await readDataset(directory)).map(d => `${d.file.replace('countries/', '')}:${d.line}: ${d.message}`)
}

const RATES = 'list,prefix,rate,status,date,source,certainty'
const TAXES =
  'tax,prefix,rate,amount,unit,sugar_from,sugar_below,minimum,applies,goods_en,goods_ar,condition_en,condition_ar,since,until,source,certainty'
const FEES = 'fee,name_en,name_ar,rate,amount,minimum,maximum,applies,since,source,certainty'
const THRESHOLDS = 'below,duty,vat,basis,not_for,rule_en,rule_ar,since,source,certainty'
const AGREEMENTS = 'agreement,name_en,name_ar,importers,calculated,proof_en,proof_ar,in_force,source,certainty'
const ANTI_DUMPING = 'scope,prefix,origin,rate_en,goods_en,goods_ar,since,until,source,certainty'

async function hasDefects(t: Test, file: string, header: string, rows: readonly (readonly [string, RegExp])[]): Promise<void> {
  const found = await defectsOf(t, { [file]: [header, ...rows.map(([line]) => line)] })
  for (const [i, [line, expected]] of rows.entries()) {
    const defectsOfRow = found.filter(defect => defect.startsWith(`${file}:${i + 2}: `))
    t.ok(
      defectsOfRow.some(defect => expected.test(defect)),
      `${line}: expected ${expected}, got ${defectsOfRow.join(' | ')}`,
    )
  }
}

t.test("each kind of defect in a country's rates is reported with its file and line", async t => {
  await hasDefects(t, 'SA/rates.csv', RATES, [
    ['2026-02-25,7,5,allowed,2026-02-25,sa-2026,published', /the prefix "7" is neither blank nor two digits/],
    ['2026-02-25,77,5,allowed,2026-02-25,sa-2026,published', /no code begins with 77/],
    [
      '2026-02-26,85,5,allowed,2026-02-25,sa-2026,published',
      /the list "2026-02-26" is not one of the lists in country\.json: 2025-11-03/,
    ],
    ['2026-02-25,85,5,free,2026-02-25,sa-2026,published', /the status is "free", not one of allowed, prohibited/],
    ['2026-02-25,8523,,allowed,2026-02-25,sa-2026,published', /the rate is missing/],
    ['2026-02-25,852321,5,prohibited,2026-02-25,sa-2026,published', /the rate must be blank where the status is prohibited/],
    ['2026-02-25,852329,5%,allowed,2026-02-25,sa-2026,published', /the rate "5%" is not a number/],
    ['2026-02-25,8517,5,allowed,2026-02-30,sa-2026,published', /the date "2026-02-30" is not a date/],
    ['2026-02-25,851713,5,allowed,2026-02-25,sa-2026,sure', /the certainty is "sure", not one of published, reported/],
    ['2026-02-25,851718,5,allowed,2026-02-25,nobody,published', /the source "nobody" is not in sources\.csv/],
    ['2026-02-25,77,5,allowed,2026-02-25,sa-2026,published', /the prefix "77" of the list 2026-02-25 is already at line 3/],
    ['2026-02-25,90', /the row has 2 fields, the header 7/],
  ])
  const [unknown] = await defectsOf(t, { 'SA/rates.csv': [`${RATES},note`] })
  t.match(unknown, /^SA\/rates\.csv:1: the header must be list,prefix,rate/)
})

t.test('if the coverage of a country is "all", each of its lists must cover every line', async t => {
  const all = ',5,allowed,2020-01-01,sa-2026,published'
  const found = await defectsOf(t, {
    'SA/rates.csv': [RATES, `2025-11-03,${all}`, ...['01', '85', '9031', '0101'].map(prefix => `2026-02-25,${prefix}${all}`)],
  })
  t.strictSame(
    found.filter(defect => /have no row/.test(defect)),
    [],
  )
  const some = await defectsOf(t, {
    'SA/rates.csv': [RATES, `2025-11-03,${all}`, ...['0101', '85', '9031'].map(prefix => `2026-02-25,${prefix}${all}`)],
  })
  t.match(
    some.filter(defect => /have no row/.test(defect)),
    [/^SA\/rates\.csv:1: 4 lines have no row in the list 2026-02-25, though coverage is "all"; the first is 010221000000$/],
  )
})

t.test('malformed taxes, fees and thresholds are reported', async t => {
  const end = 'yes,Goods,بضائع,,,2020-01-01,,sa-law,published'
  await hasDefects(t, 'SA/taxes.csv', TAXES, [
    [`duty,85,5,,,,,,${end}`, /the tax is "duty", not one of vat, excise/],
    [`excise,77,5,,,,,,${end}`, /no code begins with 77/],
    [`excise,8517,,,,,,,${end}`, /neither rate nor amount/],
    [`excise,8523,5,1,l,,,,${end}`, /a rate or an amount, not both/],
    [`excise,01,,1,,,,,${end}`, /a unit needs an amount/],
    [`excise,0101,,1,kg,,,,${end}`, /the unit is "kg"/],
    [`excise,0102,,1,l,8,5,,${end}`, /sugar_from 8 is not below sugar_below 5/],
    [`excise,0102,,1,l,8,8,,${end}`, /sugar_from 8 is not below sugar_below 8/],
    [`excise,9031,5,,,5,,,${end}`, /sugar_from and sugar_below need an amount per litre/],
    ['excise,90,5,,,,,,maybe,Goods,بضائع,,,,,sa-law,published', /applies is "maybe"/],
    ['vat,90,0,,,,,,yes,Goods,Goods,,,,,sa-law,published', /the Arabic name of the goods has no Arabic letter/],
    ['vat,01,0,,,,,,yes,Goods,بضائع,if,,,,sa-law,published', /the Arabic condition has no Arabic letter/],
    ['vat,85,0,,,,,,yes,Goods,بضائع,,,2026-02-01,2026-01-01,sa-law,published', /the last day 2026-01-01 is before the first/],
    ['vat,0101,0,,,,,,yes,Goods,بضائع,,,,,nobody,published', /the source "nobody"/],
  ])
  await hasDefects(t, 'SA/fees.csv', FEES, [
    ['a,Fee,رسم,1,5,,,yes,,sa-law,published', /either a rate or an amount/],
    ['b,Fee,رسم,,5,1,,yes,,sa-law,published', /only a fee with a rate has a minimum/],
    ['c,Fee,رسم,1,,9,5,yes,,sa-law,published', /the minimum is more than the maximum/],
    ['c,Fee,رسم,1,,,,yes,,sa-law,published', /the fee c is already at line 4/],
    ['d,,رسم,1,,,,yes,soon,sa-law,published', /the English name is missing/],
  ])
  await hasDefects(t, 'SA/thresholds.csv', THRESHOLDS, [
    [',free,charged,cif,,Rule,قاعدة,,sa-law,published', /the value is missing/],
    ['1,half,charged,cif,,Rule,قاعدة,,sa-law,published', /the duty is "half"/],
    ['1,free,never,cif,,Rule,قاعدة,,sa-law,published', /the vat is "never"/],
    ['1,free,free,cif,01;77,Rule,قاعدة,,sa-law,published', /no code begins with 77/],
  ])
})

t.test('a tax that is in force for one day at the highest rate is accepted, and so is a fee with equal limits', async t => {
  const found = await defectsOf(t, {
    'SA/taxes.csv': [TAXES, 'excise,9031,10000,,,,,,yes,Goods,بضائع,,,2026-01-01,2026-01-01,sa-law,published'],
    'SA/fees.csv': [FEES, 'service,Fee,رسم,1,,5,5,yes,2026-01-01,sa-law,published'],
  })
  t.strictSame(found, [])
})

t.test('agreements, their goods and anti-dumping duties must refer to existing rows', async t => {
  await hasDefects(t, 'agreements.csv', AGREEMENTS, [
    ['gafta,A,أ,SA;XX,yes,,,2005-01-01,treaties,published', /the importing country is "XX"/],
    ['gafta,A,أ,SA,yes,,,2005-01-01,treaties,published', /the agreement gafta is already at line 2/],
    ['efta,A,أ,SA,perhaps,,,2005-01-01,treaties,published', /"calculated" is "perhaps"/],
    ['x,A,أ,SA,no,,,2005-01-01,nobody,published', /the source "nobody"/],
  ])
  await hasDefects(t, 'agreement-members.csv', 'agreement,country', [
    ['nafta,US', /the agreement "nafta" is not in agreements\.csv/],
    ['gafta,Egypt', /the country "Egypt" is not two capital letters/],
  ])
  await hasDefects(t, 'agreement-categories.csv', 'agreement,prefix,category,certainty', [
    ['efta,85,Z,published', /the category "Z" of efta has no row in agreement-terms\.csv/],
    ['efta,77,A,published', /no code begins with 77/],
    ['efta,77,A,published', /the prefix "77" of efta is already at line 3/],
  ])
  await hasDefects(t, 'agreement-terms.csv', 'agreement,category,treatment,note_en,note_ar', [
    ['gafta,A,free,,', /gafta has no goods in agreement-categories\.csv, so the category of its term must be blank/],
    ['efta,A,gratis,,', /the treatment is "gratis"/],
  ])
  await hasDefects(t, 'anti-dumping.csv', ANTI_DUMPING, [
    ['XX,8523,CN,5%,Goods,بضائع,,,remedies,published', /the scope is "XX"/],
    ['SA,77,CN,5%,Goods,بضائع,,,remedies,published', /no code begins with 77/],
    ['SA,,CHN,,Goods,بضائع,,,remedies,published', /the origin "CHN"/],
  ])
})

t.test('each defect of country.json is reported on the line of its field', async t => {
  const wrong = await defectsOf(t, {
    'AE/country.json': [
      '{"name": {"en": "A", "ar": "B"},',
      '"currency": "dirham",',
      '"decimals": 9,',
      '"peg": {"usd": "x", "source": "nobody", "certainty": "sure"},',
      '"coverage": "most",',
      '"lists": [{"date": "2025-02-01", "source": "ae-notice"}, {"date": "2025-01-01", "source": "ae-notice"}],',
      '"vat": {"rate": "5", "base": ["cif"], "source": "ae-law", "date": "2018", "certainty": "published"},',
      '"flag": "ae"}',
    ],
  })
  for (const expected of [
    /^AE\/country\.json:1: the Arabic name has no Arabic letter/,
    /^AE\/country\.json:2: currency must be three capital letters/,
    /^AE\/country\.json:3: decimals must be a whole number from 0 to 4/,
    /^AE\/country\.json:4: the rate of the peg "x" is not a number/,
    /^AE\/country\.json:5: the coverage is "most", not one of all, some/,
    /^AE\/country\.json:6: lists must be in the order of their dates/,
    /^AE\/country\.json:7: the base of the VAT must be a list of duty, excise, fees/,
    /^AE\/country\.json:7: the date of the VAT rate "2018"/,
    /^AE\/country\.json:8: unknown field "flag"/,
    /^AE\/country\.json:1: the source "nobody" is not in sources\.csv/,
  ])
    t.ok(
      wrong.some(defect => expected.test(defect)),
      `country.json has a defect that matches ${expected}`,
    )
  t.match(await defectsOf(t, { 'AE/country.json': ['{'] }), [/^AE\/country\.json:1: this is not JSON/])
  t.match(
    (await defectsOf(t, { 'SA/rate.csv': [''], 'tariffs.csv': [''] })).join('\n'),
    /SA\/rate\.csv:1: unknown file[\s\S]*tariffs\.csv:1: unknown file/,
  )
  const directory = temporaryDirectory(t)
  cpSync(FIXTURE, directory, { recursive: true })
  cpSync(join(directory, 'countries', 'SA'), join(directory, 'countries', 'IQ'), { recursive: true })
  rmSync(join(directory, 'countries', 'AE', 'country.json'))
  const messages = checkDataset(await readDataset(directory)).map(({ file, message }) => `${file}: ${message}`)
  t.ok(messages.includes('countries/AE/country.json: the file is missing'))
  t.ok(messages.some(defect => defect.startsWith('countries/IQ/rates.csv: IQ is not a country of the dataset')))
})

t.test('unused, repeated and empty sources are reported', async t => {
  const found = await defectsOf(t, { 'sources.csv': ['source,text', 'sa-2025,one', 'spare,two', 'sa-2025,again', 'blank,'] })
  t.ok(found.includes('sources.csv:3: no row has the source spare'))
  t.ok(found.includes('sources.csv:4: the source sa-2025 is already at line 2'))
  t.ok(found.includes('sources.csv:5: the text is missing'))
})
