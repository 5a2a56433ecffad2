import { Catalog } from '../../src/catalog/catalog.js'
import { Connection } from '../support/raw.js'
import { fixtureCatalog, fixtureSnapshot, makeKey, openService, startService, testOnEngines } from '../support/service.js'

const TARIFF = '/api/v1/tariff/calculate'
const ask = (parameters: Record<string, string | number>) =>
  `${TARIFF}?${new URLSearchParams(parameters as Record<string, string>)}`

const SAUDI = { country: 'SA', currency: 'SAR', as_of: '2026-03-01' }

testOnEngines('an estimate for a country adds excise, fees and VAT, each with basis and source', async t => {
  const { get, auth } = await openService(t)
  const { body } = await get(ask({ ...SAUDI, hs_code: '852329', value: 900, freight: 80, insurance: 20 }), auth)
  const { calculation, charges, country, list, rounded } = body.data
  t.strictSame(calculation, {
    declared_value: 1000,
    currency: 'SAR',
    import_duty_rate: 15,
    import_duty_amount: 150,
    vat_rate: 15,
    vat_amount: 261,
    total_duties_taxes: 1001,
    landed_cost: 2001,
    excise_amount: 575,
    fees_amount: 15,
    goods_value: 900,
    freight: 80,
    insurance: 20,
  })
  t.equal(country, 'SA')
  t.equal(list, '2026-02-25')
  t.match(charges, [
    {
      kind: 'duty',
      rate: 15,
      basis: 1000,
      amount: 150,
      source: 'Saudi list of 2026-02-25',
      certainty: 'published',
      date: '2025-11-27',
    },
    { kind: 'excise', rate: 50, basis: 1150, amount: 575, name: { en: 'Recording media' } },
    { kind: 'fee', rate: 0.15, basis: 1000, amount: 15, name: { en: 'Customs service fee' } },
    { kind: 'vat', rate: 15, basis: 1740, amount: 261, source: 'Saudi laws on VAT and excise' },
  ])
  t.equal(rounded.landed_cost, 2001)
  t.ok(
    body.data.not_included.some(({ en }: { en: string }) => en.includes('Inspection')),
    'a fee that may apply is named',
  )
})

testOnEngines('a fee states its minimum and maximum in the declared currency; other charges have neither', async t => {
  const { get, post, auth } = await openService(t)
  const inDollars = { ...SAUDI, currency: 'USD', hs_code: '852329' }
  const { charges } = (await get(ask({ ...inDollars, value: 100 }), auth)).body.data
  for (const { kind, minimum, maximum, amount } of charges) {
    t.strictSame({ minimum, maximum }, kind === 'fee' ? { minimum: 4, maximum: 133.333333 } : { minimum: null, maximum: null })
    if (kind === 'fee') t.equal(amount, 4)
  }
  const items = [{ hs_code: '852329', value: 10 }]
  const invoice = await post(TARIFF, { ...SAUDI, items }, auth)
  t.match(invoice.body.data.fees, [{ kind: 'fee', minimum: 15, maximum: 500, amount: 15 }])
})

testOnEngines('amounts of a country are rounded to the decimals of their currency, half up', async t => {
  const { get, auth } = await openService(t)
  const rounded = async (parameters: Record<string, string | number>) => (await get(ask(parameters), auth)).body.data.rounded
  // each tie has an even digit before it, which rounding half to even would not round up
  t.match(await rounded({ ...SAUDI, hs_code: '852329', value: 0.3 }), { import_duty_amount: 0.05 }, '0.045')
  t.match(await rounded({ ...SAUDI, hs_code: '852329', value: 0.29 }), { import_duty_amount: 0.04 }, '0.0435')
  const kuwaiti = { country: 'KW', currency: 'KWD', hs_code: '852351', value: 0.01 }
  t.match(await rounded(kuwaiti), { import_duty_amount: 0.001 }, '0.0005')
})

testOnEngines('without a country nothing changes, and parameters that need a country are refused', async t => {
  const { get, auth } = await openService(t)
  const plain = await get(ask({ hs_code: '852329', value: 1000 }), auth)
  t.strictSame(Object.keys(plain.body.data.calculation).at(-1), 'landed_cost')
  t.notOk('country' in plain.body.data)
  const { body } = await get(ask({ hs_code: '852329', value: 1000, country: '' }), auth)
  t.strictSame(body.data, plain.body.data)
  for (const [name, value] of Object.entries({
    origin: 'CN',
    freight: 1,
    insurance: 1,
    quantity: 1,
    unit: 'l',
    sugar: 1,
    convert: 1,
  })) {
    const refused = await get(ask({ hs_code: '852329', value: 1000, [name]: value }), auth)
    t.equal(refused.status, 400)
    t.match(refused.body.error, {
      code: 'invalid_parameter',
      message: /needs the parameter country/,
      details: { parameter: name },
    })
  }
})

testOnEngines('bad values are refused with the name of the parameter', async t => {
  const { get, auth } = await openService(t)
  const bad: [string, Record<string, string | number>][] = [
    ['country', { country: 'XX' }],
    ['as_of', { as_of: '1990-01-01' }],
    ['as_of', { as_of: '2026-02-30' }],
    ['origin', { origin: 'ZZ' }],
    ['freight', { freight: -1 }],
    ['insurance', { insurance: 'much' }],
    ['quantity', { quantity: 0, unit: 'l' }],
    ['quantity', { unit: 'l' }],
    ['unit', { quantity: 5 }],
    ['unit', { quantity: 5, unit: 'barrel' }],
    ['unit', { quantity: 5, unit: 'l' }],
    ['sugar', { sugar: 300 }],
    ['sugar', { sugar: 3 }],
    ['convert', { convert: 'maybe' }],
    ['convert', { convert: 1, currency: 'EUR' }],
    ['convert', { convert: 1, country: 'KW' }],
  ]
  for (const [parameter, terms] of bad) {
    const asOf = terms.country === 'KW' ? {} : { as_of: SAUDI.as_of }
    const { status, body } = await get(
      ask({ ...SAUDI, hs_code: '851713', value: 100, ...asOf, ...terms, ...(terms.country === 'KW' && { as_of: '' }) }),
      auth,
    )
    t.equal(status, 400, JSON.stringify(terms))
    t.equal(body.error.details?.parameter, parameter, `${JSON.stringify(terms)}: ${body.error.message}`)
  }
})

testOnEngines('excise per litre is calculated from litres and sugar; missing inputs are requested', async t => {
  const { get, auth } = await openService(t)
  const drink = { ...SAUDI, hs_code: '010221', value: 1000 }
  const full = (await get(ask({ ...drink, quantity: 200, unit: 'l', sugar: 10.6 }), auth)).body.data
  t.equal(full.calculation.excise_amount, 218)
  t.match(full.charges[1], { kind: 'excise', rate: null, unit_amount: 1.09, unit: 'l', basis: 200, amount: 218 })
  const light = (await get(ask({ ...drink, quantity: 200, unit: 'l', sugar: 4.9 }), auth)).body.data
  t.equal(light.calculation.excise_amount, 0)
  const silent = (await get(ask(drink), auth)).body.data
  t.equal(silent.calculation.excise_amount, 0)
  t.match(silent.not_included[0].en, /send sugar/)
  for (const { excise_inputs: inputs } of [full, silent]) t.strictSame(inputs, { unit: 'l', sugar: true })
  const inDollars = (await get(ask({ ...drink, currency: 'USD', quantity: 200, unit: 'l', sugar: 8 }), auth)).body.data
  t.equal(inDollars.charges[1].unit_amount, 0.290667, 'the amount is converted at the fixed rate, to six decimals')
  const inEuros = (await get(ask({ ...drink, currency: 'EUR', quantity: 200, unit: 'l', sugar: 8 }), auth)).body.data
  t.equal(inEuros.calculation.excise_amount, 0)
  t.match(inEuros.not_included, [{ en: /to EUR, which has no fixed exchange rate/ }])
})

testOnEngines('a minimum price per piece is used if it is higher', async t => {
  const { get, auth } = await openService(t)
  const { charges } = (await get(ask({ ...SAUDI, hs_code: '010229', value: 10, quantity: 1000, unit: 'u' }), auth)).body.data
  t.match(charges[1], { kind: 'excise', rate: 100, basis: 400, amount: 400 })
})

testOnEngines('an origin with an agreement makes goods duty-free, and the proof of origin is named', async t => {
  const { get, auth } = await openService(t)
  const goods = { ...SAUDI, hs_code: '852329', value: 1000 }
  const arab = (await get(ask({ ...goods, origin: 'eg' }), auth)).body.data
  t.equal(arab.calculation.import_duty_amount, 0)
  t.match(arab.origin, { country: 'EG', agreement: { treatment: 'free', proof: { en: 'Certificate of origin' } } })
  const other = (await get(ask({ ...goods, origin: 'BR' }), auth)).body.data
  t.strictSame(other.origin, { country: 'BR', agreement: null })
  t.equal(other.calculation.import_duty_amount, 150)
  const dumped = (await get(ask({ ...goods, hs_code: '852351', origin: 'CN' }), auth)).body.data
  t.ok(
    dumped.warnings.some(({ en }: { en: string }) =>
      en.startsWith('Anti-dumping duty on flash memory from CN: 10 to 30 percent'),
    ),
  )
})

testOnEngines('a parcel under the threshold is reported, and the amounts stay the same', async t => {
  const { get, auth } = await openService(t)
  const parcel = (await get(ask({ ...SAUDI, hs_code: '010221', value: 200 }), auth)).body.data
  t.match(parcel.threshold, { below: 1000, currency: 'SAR', duty: 'free', vat: 'charged' })
  t.equal(parcel.calculation.import_duty_rate, 7.5)
  t.equal((await get(ask({ ...SAUDI, hs_code: '010221', value: 1000 }), auth)).body.data.threshold, null)
  t.equal(
    (await get(ask({ ...SAUDI, hs_code: '010221', value: 300, currency: 'USD' }), auth)).body.data.threshold,
    null,
    '1125 riyals',
  )
})

testOnEngines('amounts are converted on request, by the fixed rates', async t => {
  const { get, auth } = await openService(t)
  const goods = { ...SAUDI, currency: 'USD', hs_code: '852329', value: 100 }
  t.notOk('converted' in (await get(ask(goods), auth)).body.data)
  const { converted } = (await get(ask({ ...goods, convert: 1 }), auth)).body.data
  t.match(converted, { currency: 'SAR', rate: 3.75, certainty: 'published', declared_value: 375, import_duty_amount: 56.25 })
})

testOnEngines('VAT depends on the goods, on the rate of the caller, and on conditions of the law', async t => {
  const { get, auth } = await openService(t)
  const vatOf = async (terms: Record<string, string | number>) =>
    (await get(ask({ ...SAUDI, value: 100, ...terms }), auth)).body.data
  t.equal((await vatOf({ hs_code: '010130' })).calculation.vat_rate, 0, 'the goods are zero-rated')
  t.equal((await vatOf({ hs_code: '852329', include_vat: 0 })).calculation.vat_amount, 0)
  t.match((await vatOf({ hs_code: '852329', vat_rate: 7 })).charges.at(-1), { kind: 'vat', rate: 7, source: null })
  const perhaps = await vatOf({ hs_code: '851713' })
  t.equal(perhaps.calculation.vat_rate, 15)
  t.ok(perhaps.warnings.some(({ en }: { en: string }) => en.startsWith('VAT may be 0 percent: Telephones (if registered)')))
})

testOnEngines('prohibited goods, unknown rates and the common tariff have warnings', async t => {
  const { get, auth } = await openService(t)
  const warningsOf = async (terms: Record<string, string | number>) =>
    (await get(ask({ value: 100, ...terms }), auth)).body.data.warnings.map(({ en }: { en: string }) => en).join(' ')
  t.match(await warningsOf({ ...SAUDI, hs_code: '851718' }), /prohibits the import/)
  t.match(await warningsOf({ ...SAUDI, hs_code: '852351' }), /is not known/)
  t.match(await warningsOf({ ...SAUDI, hs_code: '8523' }), /carry 15 to 20 percent/)
  t.match(await warningsOf({ country: 'KW', currency: 'KWD', hs_code: '8523' }), /only some deviations/)
})

testOnEngines('each warning and each omitted part has its own code, independent of its wording', async t => {
  const { get, post, auth } = await openService(t)
  const codes = (list: { code: string }[]) => list.map(({ code }) => code)
  const of = async (terms: Record<string, string | number>) => {
    const { warnings, not_included } = (await get(ask({ ...SAUDI, value: 100, ...terms }), auth)).body.data
    for (const one of [...warnings, ...not_included]) t.strictSame(Object.keys(one), ['code', 'en', 'ar'])
    t.strictSame(codes(not_included).slice(-2), ['trade_remedies', 'exemptions'])
    return { warnings: codes(warnings), leftOut: codes(not_included).slice(0, -2) }
  }
  t.ok((await of({ hs_code: '851718' })).warnings.includes('prohibited'))
  t.ok((await of({ hs_code: '8517' })).warnings.includes('partly_prohibited'))
  t.ok((await of({ hs_code: '852351' })).warnings.includes('rate_unknown'))
  t.ok((await of({ hs_code: '852351', origin: 'CN' })).warnings.includes('anti_dumping'))
  t.ok((await of({ hs_code: '8523' })).warnings.includes('rates_differ'))
  t.ok((await of({ hs_code: '852329' })).warnings.includes('excise_on_retail_price'))
  t.ok((await of({ hs_code: '851713' })).warnings.includes('vat_may_differ'))
  t.ok((await of({ country: 'KW', currency: 'KWD', as_of: '', hs_code: '8523' })).warnings.includes('common_rate_used'))
  t.ok((await of({ hs_code: '010221' })).leftOut.includes('excise_needs_sugar'))
  t.ok((await of({ hs_code: '010221', sugar: 8 })).leftOut.includes('excise_needs_quantity'))
  const inEuros = await of({ hs_code: '010221', currency: 'EUR', quantity: 1, unit: 'l', sugar: 8 })
  t.strictSame(inEuros.leftOut.slice(0, 2), ['excise_needs_currency', 'fee_needs_currency'])
  t.ok((await of({ hs_code: '852329' })).leftOut.includes('fee_may_apply'))
  const invoice = await post(TARIFF, { ...SAUDI, items: [{ hs_code: '8523', value: 1 }] }, auth)
  t.ok(codes(invoice.body.data.items[0].warnings).includes('rates_differ'))
})

testOnEngines('include=exact adds the amounts for a country as decimal strings, and changes nothing else', async t => {
  const { get, post, auth } = await openService(t)
  const goods = { ...SAUDI, hs_code: '852329', value: '999999999999.99', freight: '0.01' }
  const [plain, exact] = [await get(ask(goods), auth), await get(ask({ ...goods, include: 'exact' }), auth)]
  const { exact: amounts, ...rest } = exact.body.data
  t.strictSame(rest, plain.body.data)
  t.equal(amounts.declared_value, '1000000000000')
  t.strictSame(Object.keys(amounts), [
    'declared_value',
    'import_duty_amount',
    'vat_amount',
    'total_duties_taxes',
    'landed_cost',
    'excise_amount',
    'fees_amount',
    'goods_value',
    'freight',
    'insurance',
  ])
  for (const [name, digits] of Object.entries<string>(amounts)) t.ok(plain.text.includes(`"${name}":${digits}`), name)
  const items = [
    { hs_code: '852329', value: '123456789012.34' },
    { hs_code: '851713', value: '0.07' },
    { hs_code: '85', value: 0 },
  ]
  const whole = await post(TARIFF, { ...SAUDI, items, include: ['exact'] }, auth)
  const bare = await post(TARIFF, { ...SAUDI, items }, auth)
  for (const [name, digits] of Object.entries<string>(whole.body.data.exact)) {
    t.equal(whole.body.data.totals[name], Number(digits))
    t.ok(bare.text.includes(`"${name}":${digits}`), name)
  }
  t.equal(whole.body.data.items[0].exact.declared_value, '123456789012.34')
  t.notOk(bare.text.includes('"exact"'))
})

testOnEngines('an invoice for a country charges fees once and adds up exactly', async t => {
  const { post, auth } = await openService(t)
  const items = [
    { hs_code: '852329', value: 900, freight: 100 },
    { hs_code: '851713', value: '1000.50' },
    { hs_code: '999999', value: 1 },
  ]
  const { body } = await post(TARIFF, { country: 'SA', as_of: '2026-03-01', currency: 'SAR', items }, auth)
  const { totals, fees, rounded } = body.data
  t.equal(body.data.items[2].error.code, 'not_found')
  t.equal(body.data.items[0].calculation.fees_amount, 0)
  t.match(fees, [{ kind: 'fee', basis: 2000.5, amount: 15 }])
  t.strictSame(totals, {
    declared_value: 2000.5,
    import_duty_amount: 150,
    vat_amount: 411.075,
    total_duties_taxes: 1151.075,
    landed_cost: 3151.575,
    excise_amount: 575,
    fees_amount: 15,
  })
  t.equal(rounded.vat_amount, 411.08)
  const ownRate = await post(TARIFF, { country: 'SA', as_of: '2026-03-01', currency: 'SAR', vat_rate: 5, items }, auth)
  t.equal(ownRate.body.data.totals.vat_amount, 137.025, "the caller's VAT rate applies to fees, too")
  for (const alone of [{ as_of: '2026-03-01' }, { origin: 'CN' }, { items: [{ hs_code: '8523', value: 1, freight: 5 }] }]) {
    const { body } = await post(TARIFF, { items: [{ hs_code: '8523', value: 1 }], ...alone }, auth)
    t.match(body.error, { code: 'invalid_parameter', message: /needs the parameter country/ }, JSON.stringify(alone))
  }
  const refused = await post(TARIFF, { country: 'SA', origin: 7, items: [{ hs_code: '852329', value: 1, sugar: {} }] }, auth)
  t.equal(refused.body.error.code, 'invalid_parameter')
  const measured = [
    { hs_code: '852329', value: 1 },
    { hs_code: '010221', value: 1, quantity: 1, unit: 'kg' },
  ]
  const own = await post(TARIFF, { ...SAUDI, items: measured }, auth)
  t.match(
    own.body.data.items,
    [{ calculation: {} }, { error: { code: 'invalid_parameter', message: /unit/ } }],
    'a wrong value refuses only its own item',
  )
})

testOnEngines("an item's own origin comes before that of the invoice", async t => {
  const { post, auth } = await openService(t)
  const item = { hs_code: '852329', value: 1000 }
  const { body } = await post(TARIFF, { ...SAUDI, origin: 'BR', items: [item, { ...item, origin: 'EG' }] }, auth)
  t.match(body.data.items, [{ origin: { country: 'BR' } }, { origin: { country: 'EG' } }])
})

testOnEngines('an invoice for a country that is refused as a whole counts one request for each item', async t => {
  const { post, get, auth } = await openService(t)
  const left = async () => Number((await get('/api/v1/health', auth)).headers.get('x-ratelimit-remaining-day'))
  const before = await left()
  const items = Array.from({ length: 3 }, () => ({ hs_code: '852329', value: 1 }))
  t.equal((await post(TARIFF, { country: 'SA', as_of: '1990-01-01', items }, auth)).status, 400)
  t.equal(before - (await left()), items.length)
})

testOnEngines('a server with a default country applies it to invoices, too', async t => {
  const key = makeKey('pro')
  const { post } = await startService(t, [key], new Catalog(await fixtureSnapshot(), 'SA'))
  const items = [{ hs_code: '852329', value: 1000, freight: 5 }]
  const { status, body } = await post(TARIFF, { items }, { 'x-api-key': key.key })
  t.equal(status, 200)
  t.match(body.data.items, [{ country: 'SA' }])
})

testOnEngines('an invoice of many items for a country does not keep other requests waiting', async t => {
  const key = makeKey('pro', { per_minute: 1_000, per_day: 1_000 })
  const { port } = await startService(t, [key], await fixtureCatalog())
  const [first, second] = [await Connection.open(port), await Connection.open(port)]
  t.teardown(() => {
    for (const { socket } of [first, second]) socket.destroy()
  })
  const items = Array.from({ length: 100 }, (_, n) => ({ hs_code: '852321', value: 100 + n }))
  const body = JSON.stringify({ country: 'SA', items })
  const answered: string[] = []
  first.socket.once('data', () => answered.push('invoice'))
  second.socket.once('data', () => answered.push('lookup'))
  const head = `Host: x\r\nX-Api-Key: ${key.key}\r\n`
  first.send(
    `POST /api/v1/tariff/calculate HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  second.send(`GET /api/v1/hs-codes/8523 HTTP/1.1\r\n${head}\r\n`)
  await first.until(/"rounded":\{[^}]*\}\},"meta".*\}$/)
  t.match(first.text, /^HTTP\/1\.1 200 OK/)
  t.strictSame(answered, ['lookup', 'invoice'])
})
