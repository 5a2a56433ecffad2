import fc from 'fast-check'
import { openService, testOnEngines } from '../support/service.js'

type Item = { hs_code: string; description: object; tariff_rate: number }
const codesOf = (items: Item[]) => items.map(item => item.hs_code)

testOnEngines('a result has the three fields of the contract, in order', async t => {
  const { get, auth } = await openService(t)
  const { status, body } = await get('/api/v1/search?q=stripe', auth)
  t.equal(status, 200)
  t.strictSame(Object.keys(body.data[0]), ['hs_code', 'description', 'tariff_rate'])
  t.strictSame(Object.keys(body.meta), ['total', 'limit', 'offset', 'count', 'timestamp', 'api_version'])
  t.match(body.data[0], { hs_code: '852321', tariff_rate: 5 })
  t.strictSame(codesOf(body.data), ['852321', '8523'], 'the code with the word comes first, then its heading')
  t.match(body.meta, { total: 2, limit: 20, offset: 0, count: 2 })
})

testOnEngines('descriptions and keywords are found in both languages', async t => {
  const { get, auth } = await openService(t)
  const first = async (q: string) => codesOf((await get(`/api/v1/search?q=${encodeURIComponent(q)}`, auth)).body.data)[0]
  t.equal(await first('smartphone'), '851713')
  t.equal(await first('IPHONE'), '851713')
  t.equal(await first('موبايل'), '851713')
  t.equal(await first('هاتف ذكي'), '851713')
  t.equal(await first('بطاقة ممغنطة'), '852321')
  t.equal(await first('donkey'), '010130')
})

testOnEngines('Arabic typed without percent-encoding is understood, or refused if Node parses the request', async t => {
  const { port, auth, engine } = await openService(t)
  const { request } = await import('node:http')
  const [status, body] = await new Promise<[number | undefined, string]>(resolve => {
    const path = Buffer.from('/api/v1/search?q=موبايل').toString('latin1')
    request({ host: '127.0.0.1', port, path, headers: { ...auth, connection: 'close' } }, res => {
      let text = ''
      res.on('data', chunk => {
        text += chunk
      })
      res.on('end', () => resolve([res.statusCode, text]))
    }).end()
  })
  if (engine === 'uws') t.equal(JSON.parse(body).data[0].hs_code, '851713')
  else t.equal(status, 400, "Node's own parser accepts only ASCII")
})

testOnEngines('digits find codes that start with them, including padded lines but not inactive codes', async t => {
  const { get, auth } = await openService(t)
  const codes = async (path: string) => codesOf((await get(`/api/v1/search?${path}`, auth)).body.data)
  t.strictSame(await codes('q=852321'), ['852321', '85232100', '852321000000'])
  t.strictSame(await codes('q=8523210000'), ['852321000000'])
  t.strictSame(await codes('q=8523.21'), ['852321', '85232100', '852321000000'])
  t.strictSame(await codes('q=%D9%A8%D9%A5%D9%A2%D9%A3%D9%A2%D9%A1'), ['852321', '85232100', '852321000000'])
  t.strictSame(await codes('q=0102&level=6'), ['010221'])
  t.strictSame(await codes('q=0102&level=10'), [])
  t.strictSame(await codes('q=123456789012345'), [])
})

testOnEngines('padded lines are left out of a search for words, unless their length is requested', async t => {
  const { get, auth } = await openService(t)
  const codes = async (path: string) => codesOf((await get(`/api/v1/search?${path}`, auth)).body.data)
  t.strictSame(await codes('q=stripe'), ['852321', '8523'])
  t.strictSame(await codes('q=stripe&level=6'), ['852321'])
  t.strictSame(await codes('q=stripe&level=8'), ['85232100'])
  t.strictSame(await codes('q=stripe&level=12'), ['852321000000'])
  t.strictSame(await codes('q=stripe&level=10'), [])
})

testOnEngines('inactive codes are not found by words', async t => {
  const { get, auth } = await openService(t)
  const { body } = await get('/api/v1/search?q=cattle', auth)
  t.notOk(codesOf(body.data).includes('010229'))
  for (const level of [8, 12]) {
    // "buffalo" is a word of the heading only
    const lines = codesOf((await get(`/api/v1/search?q=buffalo&level=${level}`, auth)).body.data)
    t.match(lines, [/^010221/], 'lines below a heading are found by its words')
    t.equal(lines.length, 1)
  }
})

testOnEngines('parameters that are too short, too long or invalid are refused', async t => {
  const { get, auth } = await openService(t)
  for (const [query, code, parameter] of [
    ['', 'query_too_short'],
    ['q=', 'query_too_short'],
    ['q=a', 'query_too_short'],
    ['q=+a+', 'query_too_short'],
    ['q=%F0%9F%98%80', 'query_too_short'],
    [`q=${'a'.repeat(201)}`, 'invalid_parameter', 'q'],
    ['q=%E0%A4', 'invalid_parameter', 'q'],
    ['q=ab&level=5', 'invalid_parameter', 'level'],
    ['q=ab&level=14', 'invalid_parameter', 'level'],
    ['q=ab&limit=0', 'invalid_parameter', 'limit'],
    ['q=ab&limit=51', 'invalid_parameter', 'limit'],
    ['q=ab&offset=-1', 'invalid_parameter', 'offset'],
  ] as const) {
    const { status, body } = await get(`/api/v1/search?${query}`, auth)
    t.equal(status, 400, query)
    t.equal(body.error.code, code, query)
    t.equal(body.error.details?.parameter, parameter, query)
  }
  t.equal((await get(`/api/v1/search?q=${'a'.repeat(200)}`, auth)).status, 200)
  t.equal(
    (await get('/api/v1/search?q=%F0%9F%98%80%F0%9F%98%80', auth)).status,
    200,
    'two code points are long enough, in any script',
  )
})

testOnEngines('for any query, pages neither overlap nor leave gaps, and total is exact', async t => {
  const { get, auth } = await openService(t)
  const page = async (q: string, limit: number, offset: number, level: number) =>
    (
      await get(
        `/api/v1/search?q=${encodeURIComponent(q)}&limit=${limit}&offset=${offset}${level ? `&level=${level}` : ''}`,
        auth,
      )
    ).body
  const queries = ['measuring', 'measuring gauge', 'gauge banana', 'جهاز قياس', '90', 'meas', 'horses live', 'zzzz']
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...queries),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(0, 4, 6, 8, 12),
      async (q, limit, level) => {
        const seen: string[] = []
        const { total } = (await page(q, limit, 0, level)).meta
        for (let offset = 0; offset < total; offset += limit) {
          const body = await page(q, limit, offset, level)
          if (body.meta.total !== total || body.meta.count !== body.data.length) return false
          seen.push(...codesOf(body.data))
        }
        const whole = await page(q, 50, 0, level)
        return (
          seen.length === total &&
          new Set(seen).size === total &&
          codesOf(whole.data).every((code, i) => code === seen[i]) &&
          seen.every(code => level === 0 || code.length === level)
        )
      },
    ),
    { numRuns: 40 },
  )
})

testOnEngines('any text is answered without an internal error', async t => {
  const { get, auth, faults } = await openService(t)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 220, size: 'max' }), async q => {
      const wellFormed = /\p{Surrogate}/u.test(q) ? '%ED%A0%80' : encodeURIComponent(q)
      const { status } = await get(`/api/v1/search?q=${wellFormed}`, auth)
      return status === 200 || status === 400
    }),
    { numRuns: 200 },
  )
  t.strictSame(faults, [])
})

testOnEngines('repeated queries in any order each get their own answer', async t => {
  const { get, auth } = await openService(t)
  const queries = ['q=cards', 'q=cards&limit=1', 'q=cards&limit=1&offset=1', 'q=horses', 'q=خيول', 'q=cards&level=6']
  const first = new Map<string, string>()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...queries), { maxLength: 12 }), async asked => {
      for (const query of asked) {
        const { text } = await get(`/api/v1/search?${query}`, auth)
        const known = first.get(query) ?? text
        first.set(query, known)
        if (text !== known) return false
      }
      return true
    }),
    { numRuns: 30 },
  )
  t.not(first.get('q=cards'), first.get('q=horses'))
  t.not(first.get('q=cards'), first.get('q=cards&limit=1'))
})

testOnEngines('within keeps exactly the results at or below a code', async t => {
  const { get, auth } = await openService(t)
  const codes = async (query: string) => {
    const { body } = await get(`/api/v1/search?limit=50&${query}`, auth)
    t.equal(body.meta.total, body.data.length, `${query}: all results are on one page`)
    return body.data.map((item: { hs_code: string }) => item.hs_code) as string[]
  }
  for (const words of ['q=cards', 'q=memory+cards+telephones', 'q=8523', 'q=85', 'q=cards&level=8', 'q=هواتف'])
    for (const within of ['85', '8523', '852321', '01', '77']) {
      const all = await codes(words)
      const some = await codes(`${words}&within=${within}`)
      t.strictSame([...some].sort(), all.filter(code => code.startsWith(within)).sort(), `${words} in ${within}`)
    }
  for (const within of ['8', '852', '85232100', '85.23', 'x', '٨٥', '%zz']) {
    const { status, body } = await get(`/api/v1/search?q=cards&within=${within}`, auth)
    t.equal(status, 400, within)
    t.match(body.error, { code: 'invalid_parameter', details: { parameter: 'within' } })
  }
  t.equal((await get('/api/v1/search?q=cards&within=', auth)).status, 200)
})
