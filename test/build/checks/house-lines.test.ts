import t from 'tap'
import { checkNationalLines, checkOtherRates, checkOwnLines } from '../../../build/checks/house-lines.js'
import { buildRecords } from '../../../build/compiler/hierarchy.js'
import type { Defect } from '../../../build/dataset/defect.js'
import type { Row } from '../../../build/dataset/rows.js'
import { row } from '../../support/rows.js'

const messages = (defects: Defect[]) => defects.map(({ message }) => message)

t.test('a description must not exclude goods that a line below it names', async t => {
  const firearms = (description_en: string) => [
    row('9303', { description_en: 'Firearms' }),
    row('930390', { description_en }),
    row('930390009999', { description_en: 'Other firearms, with a charge' }),
  ]
  t.strictSame(messages(checkOwnLines(firearms('Flare pistols, other than shotguns and other firearms'))), [
    'description_en excludes "firearm", which 930390009999 names',
  ])
  t.strictSame(checkOwnLines(firearms('Flare pistols and other firearms, other than shotguns')), [])
})

t.test('a description must not exclude goods that keywords of the code or of a line name, in either language', async t => {
  const waxes = (changes: Partial<Row>) => [
    row('1521', { description_en: 'Waxes other than fats, beeswax and others', description_ar: 'شموع عدا الدهون وشمع النحل' }),
    row('152190', changes),
  ]
  t.match(messages(checkOwnLines(waxes({ keywords_en: 'candles; beeswax' }))), [
    /^description_en excludes "beeswax", which 152190/,
  ])
  t.match(messages(checkOwnLines(waxes({ keywords_ar: 'شمع نحل' }))), [/^description_ar excludes "شمع نحل", which 152190/])
  const ownKeyword = [row('1521', { description_en: 'Waxes other than beeswax', keywords_en: 'beeswax' })]
  t.equal(checkOwnLines(ownKeyword).length, 1, 'a description must not exclude a keyword of its own row')
  t.strictSame(
    checkOwnLines([row('1521', { description_en: 'Gas masks, other than plain gas masks' })]),
    [],
    'a description may exclude a kind of the goods that it names',
  )
})

t.test('the first part of a hyphenated word is not taken for the name of goods', async t => {
  const rows = [
    row('2931', { description_en: 'Derivatives other than methyl- and propyl acids' }),
    row('293159', { description_en: 'Methyl (blue)' }),
  ]
  t.strictSame(checkOwnLines(rows), [])
})

t.test('a keyword that the national tariff lists under another heading is reported, unless the row names that code', async t => {
  const line = row('283329900002', {
    description_en: 'Silver sulphate, placed here by the national tariff',
    description_ar: 'كبريتات الفضة، مدرجة هنا وفق التعرفة الوطنية',
  })
  const expected = '"Silver Sulphate" is 283329900002 in the national tariff; move it there, or name that code in the description'
  const silver = (changes: Partial<Row>) => [line, row('284329', { keywords_en: 'Silver Sulphate', ...changes })]
  t.strictSame(messages(checkNationalLines(silver({}))), [expected])
  t.match(messages(checkNationalLines(silver({ keywords_en: '', keywords_ar: 'كبريتات الفضه' }))), [
    /"كبريتات الفضه" is 283329900002/,
  ])
  t.strictSame(checkNationalLines(silver({ description_en: 'Silver sulphate (also in 283329)' })), [])
  t.strictSame(
    checkNationalLines([line, row('283321', { keywords_en: 'silver sulphate' })]),
    [],
    'a keyword in the heading of the national line is accepted',
  )
  const ordinary = { ...line, description_en: 'Silver sulphate' }
  t.strictSame(
    checkNationalLines([ordinary, ...silver({}).slice(1)]),
    [],
    'only lines placed by the national tariff are compared',
  )
})

t.test('a subheading must name the goods of a line below it that has another rate', async t => {
  const manifest = { edition: 'T', vat_rate: 5, line_digits: [8] }
  const beans = (description_en: string, sowing: string, changes: Partial<Row> = {}) => {
    const rows = [
      row('07', { tariff_rate: '5' }),
      row('0713', { description_en: 'Pulses' }),
      row('071331', { description_en }),
      row('07133110', { description_en: 'Dried beans for sowing', tariff_rate: sowing, ...changes }),
      row('07133190', { description_en: 'Dried beans for food' }),
    ]
    return messages(checkOtherRates(buildRecords(rows, manifest), rows))
  }
  t.strictSame(beans('Dried beans', '0'), ['07133110 has another rate, and the description names none of its goods'])
  t.strictSame(beans('Dried beans, for food or sowing', '0'), [])
  t.strictSame(beans('Dried beans', '5'), [], 'lines with the rate of the subheading need not be named')
  t.strictSame(
    beans('Dried beans', '0', { description_en: 'Dried beans, not for food' }),
    [],
    'a line described only by what it excludes need not be named',
  )
})
