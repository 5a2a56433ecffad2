import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { openService, testOnEngines } from '../support/service.js'

/** The numbers as written in the answer: reading them as doubles would hide an inexact digit. */
function written(text: string): Record<string, string> {
  const calculation = /"calculation":\{([^}]*)\}/.exec(text)?.[1] ?? ''
  return Object.fromEntries(
    calculation.split(',').map(part => {
      const [name, value] = part.split(':')
      return [JSON.parse(name as string), value as string]
    }),
  )
}

const withoutTime = (text: string) => text.replace(/"timestamp":"[^"]*"/, '')

const Exact = Decimal.clone({ precision: 100 })

testOnEngines('the published example gives the published amounts', async t => {
  const { get, auth } = await openService(t)
  const { status, body } = await get('/api/v1/tariff/calculate?hs_code=852321&value=1000&include_vat=1', auth)
  t.equal(status, 200)
  t.strictSame(body.data, {
    hs_code: '852321',
    product: 'Cards with a magnetic stripe',
    calculation: {
      declared_value: 1000,
      currency: 'USD',
      import_duty_rate: 5,
      import_duty_amount: 50,
      vat_rate: 5,
      vat_amount: 52.5,
      total_duties_taxes: 102.5,
      landed_cost: 1102.5,
    },
    notes: body.data.notes,
  })
  t.match(body.data.notes, /indicative.*verified with the customs authority/)
})

testOnEngines('without VAT, its rate and amount are 0, and the sums are correct', async t => {
  const { get, auth } = await openService(t)
  for (const flag of ['', '&include_vat=0', '&include_vat=FALSE', '&include_vat=']) {
    const { body } = await get(`/api/v1/tariff/calculate?hs_code=01012910&value=200${flag}`, auth)
    t.strictSame(body.data.calculation, {
      declared_value: 200,
      currency: 'USD',
      import_duty_rate: 6.5,
      import_duty_amount: 13,
      vat_rate: 0,
      vat_amount: 0,
      total_duties_taxes: 13,
      landed_cost: 213,
    })
  }
})

testOnEngines('include=exact adds the amounts as decimal strings, digit for digit those of the calculation', async t => {
  const { get, auth } = await openService(t)
  const path = '/api/v1/tariff/calculate?hs_code=852321&value=123456789012.345&vat_rate=5.1234'
  const [plain, exact] = [await get(path, auth), await get(`${path}&include=exact`, auth)]
  const { currency, import_duty_rate, vat_rate, ...amounts } = written(plain.text)
  t.strictSame(exact.body.data, { ...plain.body.data, exact: amounts })
  t.not(String(exact.body.data.calculation.landed_cost), amounts.landed_cost, 'the exact sum has more digits than a double')
  t.equal(withoutTime((await get(`${path}&include=`, auth)).text), withoutTime(plain.text))
  for (const include of ['exakt', 'exact,path', ','])
    t.match((await get(`${path}&include=${include}`, auth)).body.error, {
      code: 'invalid_parameter',
      message: /^The parameter include must be one or more of exact/,
      details: { parameter: 'include' },
    })
})

testOnEngines('an inactive code is calculated with a note that it is inactive', async t => {
  const { get, auth } = await openService(t)
  const { body } = await get('/api/v1/tariff/calculate?hs_code=010229&value=1', auth)
  t.match(body.data.notes, /inactive/)
})

testOnEngines('the notes state a range of rates only if the lines of the code have different rates', async t => {
  const { get, auth } = await openService(t)
  const notes = async (code: string) =>
    (await get(`/api/v1/tariff/calculate?hs_code=${code}&value=1`, auth)).body.data.notes as string
  const plain = await notes('852321')
  t.match(plain, /^Rates are indicative only .*\.$/)
  for (const code of ['852321000000', '8523', '010130', '01012910']) t.equal(await notes(code), plain, code)
  t.equal(await notes('01'), `${plain} Lines below this code carry 0 to 6.5 percent.`)
  t.equal(await notes('0101'), `${plain} Lines below this code carry 0 to 6.5 percent.`)
  t.equal(await notes('9031'), `${plain} Lines below this code carry 2.5 to 12 percent.`)
  t.equal(await notes('0107'), `${plain} This HS code is inactive. Lines below this code carry 0 to 3 percent.`)
})

testOnEngines('descriptions with quotes and backslashes are not changed', async t => {
  const { get, auth } = await openService(t)
  const { body } = await get('/api/v1/tariff/calculate?hs_code=010221&value=1', auth)
  t.equal(body.data.product, 'Cattle "of pedigree" \\ for breeding')
})

testOnEngines('the four sums are exact for every accepted value', async t => {
  const { get, auth } = await openService(t)
  const value = fc
    .tuple(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), fc.integer({ min: -17, max: 11 }))
    .map(([digits, exponent]) => new Exact(digits.toString()).times(new Exact(10).pow(exponent)))
    .filter(v => v.gte('0.01') && v.lte('999999999999.99'))
  await fc.assert(
    fc.asyncProperty(
      value,
      fc.constantFrom('852321', '01', '01012910', '903111', '903112'),
      fc.constantFrom('0', '1', 'true', 'TRUE'),
      fc.boolean(),
      async (v, code, vat, exponent) => {
        const sent = encodeURIComponent(exponent ? v.toExponential() : v.toFixed())
        const { status, text } = await get(`/api/v1/tariff/calculate?hs_code=${code}&value=${sent}&include_vat=${vat}`, auth)
        if (status !== 200) return false
        const w = written(text)
        const n = (name: string) => new Exact(w[name] as string)
        const plain = Object.entries(w).every(
          ([name, number]) => name === 'currency' || /^(0|[1-9]\d*)(\.\d*[1-9])?$/.test(number),
        )
        return (
          plain &&
          n('declared_value').eq(v) &&
          n('import_duty_amount').eq(v.times(n('import_duty_rate')).div(100)) &&
          n('vat_amount').eq(v.plus(n('import_duty_amount')).times(n('vat_rate')).div(100)) &&
          n('total_duties_taxes').eq(n('import_duty_amount').plus(n('vat_amount'))) &&
          n('landed_cost').eq(v.plus(n('total_duties_taxes'))) &&
          w.vat_rate === (vat === '0' ? '0' : '5')
        )
      },
    ),
    { numRuns: 400 },
  )
})

testOnEngines('values at the limits are accepted, and values beyond them are refused', async t => {
  const { get, auth } = await openService(t)
  const ask = (value: string) => get(`/api/v1/tariff/calculate?hs_code=85&value=${encodeURIComponent(value)}`, auth)
  for (const good of [
    '0.01',
    '999999999999.99',
    '1e3',
    '1E+3',
    '1.50',
    '1e-2',
    '100000000000000000000e-10',
    '0.0123456789012345',
  ]) {
    t.equal((await ask(good)).status, 200, good)
  }
  t.equal(written((await ask('1.50')).text).declared_value, '1.5')
  t.equal(written((await ask('5e5')).text).declared_value, '500000')
  for (const bad of [
    '',
    '0',
    '0.009',
    '-1',
    '+1',
    '.5',
    '5.',
    '01',
    '1,000',
    '0x10',
    'NaN',
    'Infinity',
    '1e400',
    '1e-400',
    '1000000000000',
    '999999999999.991',
    '1.234567890123456',
    '1e99999999999999999999',
    ' 1',
    '١',
  ]) {
    const { status, body } = await ask(bad)
    t.equal(status, 400, bad)
    t.equal(body.error.code, 'invalid_value', bad)
  }
  t.equal((await get('/api/v1/tariff/calculate?hs_code=85', auth)).body.error.code, 'invalid_value')
})

testOnEngines('invalid codes, currencies and flags are refused', async t => {
  const { get, auth } = await openService(t)
  const ask = (query: string) => get(`/api/v1/tariff/calculate?${query}`, auth)
  t.equal((await ask('hs_code=85&value=1&currency=aed')).body.data.calculation.currency, 'AED')
  for (const [query, status, code] of [
    ['value=1', 400, 'invalid_code'],
    ['hs_code=8&value=1', 400, 'invalid_code'],
    ['hs_code=8523.21&value=1', 400, 'invalid_code'],
    ['hs_code=8599&value=1', 404, 'not_found'],
    ['hs_code=8599&value=x', 400, 'invalid_value'],
    ['hs_code=85&value=1&currency=US', 400, 'invalid_parameter'],
    ['hs_code=85&value=1&currency=U%20D', 400, 'invalid_parameter'],
    ['hs_code=85&value=1&include_vat=yes', 400, 'invalid_parameter'],
    ['hs_code=85&value=%', 400, 'invalid_parameter'],
    ['hs_code=%&value=1', 400, 'invalid_parameter'],
  ] as const) {
    const answer = await ask(query)
    t.equal(answer.status, status, query)
    t.equal(answer.body.error.code, code, query)
  }
})
