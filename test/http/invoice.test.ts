import fc from 'fast-check'
import { dataOf, fixtureCatalog, makeKey, openService, startService, testOnEngines } from '../support/service.js'

const PATH = '/api/v1/tariff/calculate'

testOnEngines('each item is answered as by GET, and totals include the items that could be calculated', async t => {
  const { get, post, auth } = await openService(t)
  const items = [
    { hs_code: '852321', value: 1000 },
    { hs_code: '85.23', value: 5 },
    { hs_code: '0101', value: 0.1 },
    { hs_code: '8577', value: 5 },
    { hs_code: '9031', value: 0.001 },
    { hs_code: '"\u0000', value: 1 },
  ]
  const { status, body } = await post(PATH, { currency: 'aed', include_vat: true, vat_rate: 15, items }, auth)
  t.equal(status, 200)
  t.strictSame(Object.keys(body.data), ['items', 'totals'])
  for (const [i, { hs_code, value }] of items.entries()) {
    const query = new URLSearchParams({
      hs_code,
      value: String(value),
      currency: 'aed',
      include_vat: '1',
      vat_rate: '15',
    })
    const alone = await get(`${PATH}?${query}`, auth)
    if (alone.status === 200) t.strictSame(body.data.items[i], alone.body.data)
    else {
      const { code, message } = alone.body.error
      t.strictSame(body.data.items[i], { hs_code, error: { code, message } })
    }
  }
  t.strictSame(
    body.data.items.map((item: { error?: { code: string } }) => item.error?.code),
    [undefined, 'invalid_code', undefined, 'not_found', 'invalid_value', 'invalid_code'],
  )
  t.strictSame(Object.keys(body.data.totals), [
    'declared_value',
    'import_duty_amount',
    'vat_amount',
    'total_duties_taxes',
    'landed_cost',
  ])
  t.equal(body.data.totals.declared_value, 1000.1)
  const empty = await post(PATH, { items: [{ hs_code: 'x', value: 1 }] }, auth)
  t.strictSame(Object.values(empty.body.data.totals), [0, 0, 0, 0, 0])
})

/** A plain decimal as an integer in units of 10^-40. */
function exact(text: string): bigint {
  const [whole = '', rest = ''] = text.split('.')
  return BigInt(whole + rest.padEnd(40, '0'))
}

testOnEngines('totals are the exact sums of the amounts that the items show', async t => {
  const { url, auth } = await openService(t)
  const value = fc
    .tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 0, max: 999_999 }))
    .map(([whole, places]) => `${whole}.${String(places).padStart(6, '0')}`)
  const rate = fc.integer({ min: 0, max: 1_000_000 }).map(n => n / 10_000)
  const item = fc.record({ hs_code: fc.constantFrom('852321', '0101', '9031', '8517', '77'), value })
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 20, size: 'max' }), rate, async (items, vat_rate) => {
      const response = await fetch(url + PATH, {
        method: 'POST',
        headers: { ...auth, 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ include_vat: true, vat_rate, items }),
      })
      const [before = '', after = ''] = (await response.text()).split('"totals":')
      return ['declared_value', 'import_duty_amount', 'vat_amount', 'total_duties_taxes', 'landed_cost'].every(name => {
        const amounts = (text: string) =>
          [...text.matchAll(new RegExp(`"${name}":([0-9.]+)`, 'g'))].map(([, amount = '']) => exact(amount))
        const [total] = amounts(after)
        return total === amounts(before).reduce((sum, amount) => sum + amount, 0n)
      })
    }),
    { numRuns: 60 },
  )
})

testOnEngines('include=exact adds decimal strings to each item and for the totals', async t => {
  const { post, auth } = await openService(t)
  const items = [
    { hs_code: '852321', value: '123456789012.345' },
    { hs_code: '852321', value: '0.01' },
    { hs_code: '1', value: 1 },
  ]
  const terms = { vat_rate: 5.1234, items }
  const [plain, exact] = [await post(PATH, terms, auth), await post(PATH, { ...terms, include: ['exact'] }, auth)]
  const { items: answered, exact: totals, ...rest } = exact.body.data
  t.strictSame(rest.totals, plain.body.data.totals)
  t.strictSame(Object.keys(totals), Object.keys(rest.totals))
  for (const [name, digits] of Object.entries<string>(totals)) t.ok(plain.text.includes(`"${name}":${digits}`), name)
  for (const [i, one] of answered.slice(0, 2).entries()) {
    const { exact: amounts, ...estimate } = one
    t.strictSame(estimate, plain.body.data.items[i])
    for (const [name, digits] of Object.entries<string>(amounts)) t.ok(plain.text.includes(`"${name}":${digits}`), name)
  }
  t.match(answered[2].error, { code: 'invalid_code' })
  t.notOk(plain.text.includes('"exact"'))
  for (const include of ['exact', ['exakt'], [1], 1])
    t.match((await post(PATH, { ...terms, include }, auth)).body.error, {
      code: 'invalid_parameter',
      details: { parameter: 'include' },
    })
})

testOnEngines(
  'each item counts as a request, and one is charged before the body is read; an error that affects all items refuses the invoice',
  async t => {
    const key = makeKey('free', { per_minute: 125, per_day: 1000 })
    const { post } = await startService(t, [key], await fixtureCatalog())
    const auth = { 'x-api-key': key.key }
    const item = { hs_code: '85', value: 1 }
    const left = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-remaining-minute'))
    t.equal(left(await post(PATH, { items: Array(100).fill(item) }, auth)), 25)
    const over = await post(PATH, { items: Array(26).fill(item) }, auth)
    t.equal(over.status, 429)
    t.equal(left(over), 24)
    let expected = 24
    for (const [body, parameter] of [
      [[], 'body'],
      ['null', 'body'],
      [{}, 'items'],
      [{ items: [] }, 'items'],
      [{ items: Array(101).fill(item) }, 'items'],
      [{ items: [1] }, 'items'],
      [{ items: [{ hs_code: 85, value: 1 }] }, 'items'],
      [{ items: [{ hs_code: '85', value: true }] }, 'items'],
      [{ items: [item], currency: 'US' }, 'currency'],
      [{ items: [item], currency: 1 }, 'currency'],
      [{ items: [item], include_vat: 1 }, 'include_vat'],
      [{ items: [item], vat_rate: 101 }, 'vat_rate'],
      [{ items: [item], vat_rate: '15' }, 'vat_rate'],
      [{ items: [item], vat_rate: 1.23456 }, 'vat_rate'],
    ] as const) {
      const answer = await post(PATH, body, auth)
      t.equal(answer.status, 400, JSON.stringify(body).slice(0, 60))
      t.match(answer.body.error, { code: 'invalid_parameter', details: { parameter } })
      t.equal(left(answer), --expected)
    }
  },
)

testOnEngines("a caller's own VAT rate takes the place of the dataset's", async t => {
  const { get, auth } = await openService(t)
  const of = async (query: string) => await get(`${PATH}?hs_code=8517&value=100&${query}`, auth)
  const calculation = async (query: string) => (await of(query)).body.data.calculation
  t.match(await calculation('include_vat=1'), { vat_rate: 5, vat_amount: 5 })
  t.match(await calculation('include_vat=1&vat_rate=15'), { vat_rate: 15, vat_amount: 15, landed_cost: 115 })
  t.match(await calculation('include_vat=1&vat_rate=7.5000'), { vat_rate: 7.5, vat_amount: 7.5 })
  t.match(await calculation('include_vat=1&vat_rate=0'), { vat_rate: 0, vat_amount: 0 })
  t.match(await calculation('include_vat=1&vat_rate=100'), { vat_rate: 100, vat_amount: 100 })
  t.match(await calculation('include_vat=1&vat_rate='), { vat_rate: 5 })
  for (const rate of ['-1', '100.1', '1e1', 'x', '15,5', '1.00000', '.5', '05', '%zz'])
    t.match((await of(`include_vat=1&vat_rate=${rate}`)).body.error, {
      code: 'invalid_parameter',
      details: { parameter: 'vat_rate' },
    })
})

testOnEngines('a VAT rate implies VAT unless include_vat is false', async t => {
  const { get, post, auth } = await openService(t)
  const of = async (query: string) => dataOf(await get(`${PATH}?hs_code=8517&value=100${query}`, auth))
  const items = [{ hs_code: '8517', value: 100 }]
  const posted = async (terms: object) => (await post(PATH, { items, ...terms }, auth)).body.data
  const [none, usual, own] = [await of(''), await of('&include_vat=1'), await of('&include_vat=1&vat_rate=15')]
  t.match(JSON.parse(own).calculation, { vat_rate: 15, vat_amount: 15, landed_cost: 115 })
  t.match(JSON.parse(none).calculation, { vat_rate: 0, vat_amount: 0, landed_cost: 100 })
  for (const query of ['&vat_rate=15', '&include_vat=&vat_rate=15', '&vat_rate=15.0']) t.equal(await of(query), own, query)
  for (const no of ['0', 'false', 'FALSE']) t.equal(await of(`&include_vat=${no}&vat_rate=15`), none, `include_vat=${no}`)
  for (const query of ['&vat_rate=', '&include_vat=&vat_rate=', '&vat_rate=0']) t.equal(await of(query), none, query)
  t.equal(await of('&include_vat=1&vat_rate='), usual)
  t.strictSame(await posted({ vat_rate: 15 }), await posted({ include_vat: true, vat_rate: 15 }))
  t.equal((await posted({ vat_rate: 15 })).totals.vat_amount, 15)
  t.strictSame(await posted({ include_vat: false, vat_rate: 15 }), await posted({}))
  t.equal((await posted({})).totals.vat_amount, 0)
})
