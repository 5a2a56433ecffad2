import t from 'tap'
import { openCatalog } from '../../src/index.js'
import { compiledFixture } from '../support/service.js'

t.test('rows have the same values as lookups and are frozen', async t => {
  const hs = await openCatalog({ snapshot: await compiledFixture() })
  for (const row of hs.rows({ within: '8523' })) {
    const record = hs.lookup(row.hs_code)
    t.match(row, {
      level: record?.level,
      description_en: record?.description.en,
      description_ar: record?.description.ar,
      tariff_rate: record?.tariff_rate,
      is_active: record?.is_active,
      unit: hs.unit(row.hs_code)?.code ?? null,
      unit_unece: hs.unit(row.hs_code)?.unece ?? null,
      rate_source: hs.rate(row.hs_code)?.source ?? null,
    })
    t.strictSame(
      row.path,
      hs.path(row.hs_code)?.map(({ hs_code }) => hs_code),
    )
    t.ok(Object.isFrozen(row) && Object.isFrozen(row.path))
  }
  const rows = hs.rows()
  t.equal(rows.next().value?.hs_code.length, 2)
  hs.close()
  t.equal(rows.next().done, false, 'an iteration that has started continues after the catalog is closed')
  t.throws(() => hs.rows(), { code: 'db_unavailable' })
})

t.test('invalid options are refused before the first row', async t => {
  const hs = await openCatalog({ snapshot: await compiledFixture() })
  t.throws(() => hs.rows({ level: 5 }), { code: 'invalid_parameter', details: { parameter: 'level' } })
  t.throws(() => hs.rows({ within: '9999' }), { code: 'invalid_parameter', details: { parameter: 'within' } })
  t.throws(() => hs.rows({ within: 85 as never }), { code: 'invalid_parameter' })
  t.throws(() => hs.rows({ country: 'XX' as never }), { code: 'invalid_parameter', details: { parameter: 'country' } })
})
