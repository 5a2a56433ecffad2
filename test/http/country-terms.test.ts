import { openService, testOnEngines } from '../support/service.js'

const CODES = ['85', '8523', '852321', '852329000000', '851713', '851713000000', '0101']

testOnEngines('include=countries has, for each country, the same values as a request for that country', async t => {
  const { get, auth } = await openService(t)
  const countries: string[] = []
  const mayDiffer = new Set<boolean>()
  let isRepeated = false
  for (const code of CODES) {
    const { countries: terms } = (await get(`/api/v1/hs-codes/${code}?include=countries`, auth)).body.data
    for (const { country, tariff_rate, rate, controls, vat_rate, vat_may_differ } of terms) {
      countries.push(country)
      const alone = (await get(`/api/v1/hs-codes/${code}?country=${country}&include=rate,controls`, auth)).body.data
      t.equal(tariff_rate, alone.tariff_rate, `${code} ${country}`)
      t.strictSame(rate, alone.rate)
      t.strictSame(controls, [...new Set(alone.controls.items.map(({ kind }: { kind: string }) => kind))])
      isRepeated ||= alone.controls.items.length > controls.length
      const estimate = (await get(`/api/v1/tariff/calculate?hs_code=${code}&value=100&country=${country}`, auth)).body.data
      t.equal(vat_rate, estimate.calculation.vat_rate)
      const warned = estimate.warnings.some(({ code: warning }: { code: string }) => warning === 'vat_may_differ')
      t.equal(vat_may_differ, warned, `${code} ${country}`)
      mayDiffer.add(warned)
    }
  }
  t.ok(new Set(countries).size > 1)
  t.equal(mayDiffer.size, 2)
  t.ok(isRepeated, 'a kind of control is named once, even if several controls have it')
})

testOnEngines('include=countries comes last, with any country parameter, and only in a lookup', async t => {
  const { get, auth } = await openService(t)
  const common = (await get('/api/v1/hs-codes/852321?include=countries,unit', auth)).body.data
  t.strictSame(Object.keys(common).slice(-2), ['unit', 'countries'])
  const named = (await get('/api/v1/hs-codes/852321?include=countries&country=SA', auth)).body.data
  t.strictSame(named.countries, common.countries)
  t.match(await get('/api/v1/search?q=magnetic&include=countries', auth), {
    status: 400,
    body: { error: { code: 'invalid_parameter', details: { parameter: 'include' } } },
  })
})

testOnEngines('excise is listed with its rate or its amount by unit, and codes whose lines differ are marked', async t => {
  const { get, auth } = await openService(t)
  const all = []
  for (const code of ['22', '2202', '24', '2402', '852321', '8523'])
    all.push(...((await get(`/api/v1/hs-codes/${code}?include=countries`, auth)).body.data?.countries ?? []))
  const excise = all.flatMap(terms => terms.excise)
  t.ok(excise.length > 0)
  for (const { rate, unit_amount, unit, unit_unece, goods } of excise) {
    t.equal(rate === null, unit_amount !== null, 'excise has either a rate or an amount')
    t.equal(unit_amount !== null && unit === null, false, 'an amount has a unit')
    t.equal(unit_unece, unit === null ? null : { l: 'LTR', u: 'H87', g: 'GRM' }[unit as 'l'])
    t.match(goods, { en: /\w/, ar: /\S/ })
  }
})
