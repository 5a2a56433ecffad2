import t from 'tap'
import { EXPORT_LAYOUTS, LAYOUT_NAMES, layoutCells, layoutOf } from '../../src/answers/export-layouts.js'
import type { ExportRow } from '../../src/answers/shapes.js'

const LONG = `Tea, ${'green or black, '.repeat(12)}in packs`
const row = (fields: Partial<ExportRow>) =>
  ({
    hs_code: '090210',
    description_en: 'Green tea',
    description_ar: 'شاي أخضر',
    unit: 'kg',
    is_active: true,
    ...fields,
  }) as ExportRow

t.test('each layout fills each of its columns, with the description in the requested language', async t => {
  for (const name of LAYOUT_NAMES) {
    const layout = layoutOf(name)
    const { cells, tooLong } = layoutCells(layout, row({}), 'ar')
    t.equal(cells.length, layout.columns.length, `${name} fills each column`)
    t.equal(cells[0], '090210')
    t.equal(cells[1], 'شاي أخضر')
    t.equal(tooLong, undefined)
  }
  t.strictSame(layoutCells(EXPORT_LAYOUTS.odoo, row({ is_active: false }), 'en').cells, [
    '090210',
    'Green tea',
    'Green tea',
    false,
  ])
})

t.test('a description that is longer than its field is cut between words; a field without a limit has all of it', async t => {
  const [, short, whole] = layoutCells(EXPORT_LAYOUTS.odoo, row({ description_en: LONG }), 'en').cells as string[]
  t.ok(short.length > 80 && short.length <= 100)
  t.ok(LONG.startsWith(`${short},`) || LONG.startsWith(`${short} `))
  t.equal(whole, LONG)
})

t.test('a code or a first word that is longer than its field is reported and not cut', async t => {
  const layout = EXPORT_LAYOUTS['business-central']
  t.match(layoutCells(layout, row({ hs_code: '0'.repeat(21) }), 'en'), { cells: ['', 'Green tea', false], tooLong: 'No.' })
  t.match(layoutCells(layout, row({ description_en: 'x'.repeat(101) }), 'en'), { cells: ['090210', ''], tooLong: 'Description' })
})

t.test('for Business Central, goods need a supplementary unit only if their unit is not the kilogram', async t => {
  const needsUnit = (unit: string | null) => layoutCells(EXPORT_LAYOUTS['business-central'], row({ unit }), 'en').cells[2]
  t.strictSame(['kg', null, 'l'].map(needsUnit), [false, false, true])
})
