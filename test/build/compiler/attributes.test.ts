import t from 'tap'
import { buildAttributes } from '../../../build/compiler/attributes.js'
import { buildRecords } from '../../../build/compiler/hierarchy.js'
import { parseAttributes, parseAttributeValues } from '../../../build/dataset/attributes.js'
import type { Row } from '../../../build/dataset/rows.js'
import { row } from '../../support/rows.js'
import { STEMMER } from '../../support/words.js'

const TEXTS = 'Which?,أي؟,Is it {}?,هل هو {}؟,{},{},Other,غير ذلك'
const ATTRIBUTES = parseAttributes(
  [
    'attribute,codes,across,after_for,unstated,shares,question_en,question_ar,yes_no_en,yes_no_ar,answer_en,answer_ar,other_en,other_ar',
    `state,02-03,,,,,${TEXTS}`,
    `material,03 44,,,,yes,${TEXTS}`,
    `use,03,,only,,,${TEXTS}`,
    `part,03,,yes,,,${TEXTS}`,
  ].join('\n'),
  [],
)
const VALUES = parseAttributeValues(
  [
    'attribute,value,broader,name_en,name_ar,words_en,words_ar',
    'state,fresh,,fresh,طازج,fresh,طازج',
    'state,frozen,,frozen,مجمد,frozen; deep frozen,مجمد',
    'material,wood,,wood,خشب,wood; wooden; ~timber,خشب',
    'material,oak,wood,oak,بلوط,oak,بلوط',
    'material,beech,wood,beech,زان,beech,زان',
    'material,steel,,steel,فولاذ,steel; steel wool,فولاذ',
    'material,wool,,wool,صوف,wool,صوف',
    'use,ships,,ships,سفن,ships,سفن',
    'part,part,,a part,جزء,^parts,أجزاء',
  ].join('\n'),
  [],
  STEMMER,
)

/** Returns for each code the names of the values that it states, with a minus before those that it excludes. */
function statements(rows: readonly Row[]): Record<string, string> {
  const records = buildRecords([...rows], { edition: '', vat_rate: 5, line_digits: [8] })
  const { columns } = buildAttributes(ATTRIBUTES, VALUES, records, STEMMER)
  const statementsOf: Record<string, string> = {}
  records.forEach(({ code }, i) => {
    const encoded = columns.attributeValue.subarray(columns.attributeAt[i], columns.attributeAt[i + 1])
    statementsOf[code] = Array.from(encoded, n => `${(n & 1) === 1 ? '-' : ''}${VALUES[n >> 1].value}`).join(' ')
  })
  return statementsOf
}

const chapter = row('03', { tariff_rate: '5' })
const stated = (description_en: string, description_ar = 'وصف') =>
  statements([chapter, row('0301', { description_en, description_ar })])['0301']

t.test('the values that a description states or excludes are recognised', async t => {
  for (const [text, expected] of [
    ['Fish, fresh or frozen', 'fresh frozen'],
    ['Deep-frozen fish', 'frozen'],
    ['Fish, not frozen', '-frozen'],
    ['Fish other than fresh', '-fresh'],
    ['Non-frozen fish without wood', '-frozen -wood'],
    ['Boxes without wood or wool, of steel', '-wood steel -wool'],
    ['Boxes without handles of wood', 'wood'],
    ['Fish, frozen or not', ''],
    ['Fish, whether or not frozen, of wood', 'wood'],
    ['Boxes for fresh fish', ''],
    ['Boxes for fish, fresh', 'fresh'],
    ['Steel wool', 'steel'],
    ['Anchors for ships', 'ships'],
    ['Anchors for boats, ships and buoys', 'ships'],
    ['Anchors for trains, wooden, ships', 'wood'],
    ['Ships of wood', 'wood'],
    ['Parts of boxes', 'part'],
    ['Boxes and their parts', ''],
    ['Logs, not oak, beech or ash', '-oak -beech'],
    ['Logs not of oak, beech or ash', '-oak -beech'],
    ['Logs without ash, oak or beech', '-oak -beech'],
    ['Boxes of wood, such as oak', 'wood oak'],
    ['Timber of oak', 'oak'],
    ['Beech timber', 'beech'],
    ['Timber, not oak', 'wood -oak'],
    ['Steel boxes with timber', 'wood steel'],
    ['Boxes, not frozen, of oak or beech', '-frozen oak beech'],
    ['Fish other than trout, fresh or frozen', 'fresh frozen'],
    ['Boxes other than crates, oak barrels or tubs', ''],
    ['Frozen fish other than frozen trout', 'frozen'],
  ])
    t.equal(stated(text), expected, text)
})

t.test('if there is no English description, the Arabic one is read', async t => {
  t.equal(stated('', 'سمك مجمد'), 'frozen')
  t.equal(stated('', 'سمك غير مجمد'), '-frozen')
})

t.test(
  'a value that a description does not mention is inherited from the code above, within the codes of the attribute',
  async t => {
    t.strictSame(
      statements([
        row('03', { tariff_rate: '5', description_en: 'Frozen fish' }),
        row('0301', { description_en: 'Trout in oak boxes' }),
        row('030110', { description_en: 'Small trout' }),
        row('030120', { description_en: 'Fresh trout' }),
        row('44', { tariff_rate: '5', description_en: 'Frozen wood' }),
        row('4401', { description_en: 'Frozen logs' }),
      ]),
      {
        '03': 'frozen',
        '44': 'frozen wood',
        '0301': 'frozen oak',
        '4401': 'wood',
        '030110': 'frozen oak',
        '030120': 'fresh oak',
        '44010000': '',
        '03011000': '',
        '03012000': '',
      },
      'padded lines have the values of the code that they repeat',
    )
  },
)

t.test('only an attribute whose values have shares is marked with hasShares', async t => {
  const records = buildRecords([chapter], { edition: '', vat_rate: 5, line_digits: [] })
  const { meta } = buildAttributes(ATTRIBUTES, VALUES, records, STEMMER)
  t.strictSame(
    meta.attributes.map(({ hasShares }) => hasShares),
    [undefined, true, undefined, undefined],
  )
})

t.test('without attributes, the compiled columns are empty', async t => {
  const records = buildRecords([chapter], { edition: '', vat_rate: 5, line_digits: [] })
  const { columns, meta } = buildAttributes([], [], records, STEMMER)
  t.strictSame(meta, { attributes: [], attributeValues: [] })
  t.equal(columns.attributeValue.length, 0)
})
