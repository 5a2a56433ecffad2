import t from 'tap'
import { HsapiClient, HsapiError } from '../../src/client/index.js'
import { clientOn, ENVELOPE, fakeServer } from '../support/client.js'
import { testOnEngines } from '../support/service.js'

testOnEngines('every endpoint of the contract has a method that returns its answer', async t => {
  const { client, get, url: _, seen } = await clientOn(t)
  t.match(await client.health(), { status: 'ok', service: 'hsapi' })
  t.match(await client.lookup('852321'), { hs_code: '852321', level: 6, parent_id: 18523 })
  const { path, rate } = await client.lookup('852321', { include: ['path', 'rate'] })
  t.strictSame([path.map(step => step.hs_code), rate.from], [['85', '8523'], '85'])
  const whole = await client.lookup('851713', { include: ['unit', 'examples', 'siblings'] })
  t.equal(whole.unit?.code, 'u')
  t.ok(whole.examples.en.includes('iphone'))
  t.equal(whole.siblings.items[0]?.hs_code, '851713')
  const { controls } = await client.lookup('852329', { include: ['controls'] })
  t.equal(controls.items[0]?.kind, 'prohibited')
  const { notes, see_also } = await client.lookup('852329', { include: ['notes', 'see_also'] })
  t.strictSame([notes.items[0]?.kind, see_also.items[0]?.hs_code], ['defines', '9031'])
  t.match(await client.notes('S16'), { scope: 'S16', notes: [{ goes_to: ['0101'] }, {}] })
  const [phone] = (await client.search('iphone', { include: ['matched'] })).items
  t.strictSame(phone?.matched, { text: 'iphone', lang: 'en' })
  t.match(await client.children('0101', { limit: 1 }), {
    items: [{ hs_code: '010121' }],
    limit: 1,
    offset: 0,
  })
  t.match(await client.lines('0101', { digits: 12, limit: 2, offset: 1 }), { limit: 2, offset: 1 })
  const found = await client.search('horses', { level: 6, within: '01', limit: 3, include: ['path'] })
  t.match(found.items[0], { hs_code: /^01012/, path: [{ hs_code: '01' }, { hs_code: '0101' }] })
  t.match((await client.search('بطاقات')).items[0], { hs_code: /^8523/ }, 'a search in Arabic finds the code')
  const counted = await client.search('cards', { facets: ['chapter', 'rate'], rate: 5, fields: ['hs_code', 'description.ar'] })
  t.equal(counted.facets.chapter[0]?.hs_code, '85')
  t.strictSame(Object.keys(counted.items[0]?.description ?? {}), ['ar'])
  t.equal(counted.facets.rate[0]?.count, counted.total)
  t.strictSame((await client.children('8523', { fields: ['hs_code'], limit: 1 })).items, [{ hs_code: '852321' }])
  t.match(
    await client.searchMany(['iphone', { q: 'cards', level: 6, limit: 1 }, 'x'], { include: ['matched'], facets: ['level'] }),
    [
      { q: 'iphone', items: [{ hs_code: '851713', matched: { text: 'iphone' } }], facets: { level: Array } },
      { q: 'cards', total: Number, limit: 1, offset: 0 },
      { q: 'x', error: { code: 'query_too_short' } },
    ],
  )
  t.ok((await client.suggest('hor', { limit: 2, lang: 'en' })).length > 0)
  t.ok((await client.chapters()).length > 0)
  t.match(await client.changes({ since: '1.2.0', kind: 'words', limit: 1 }), { items: [{ hs_code: '8517' }], total: 2 })
  t.match(await client.dataset(), { languages: ['en', 'ar'] })
  t.match(await client.resolve(['8523.21', 'x']), [
    { status: 'normalised', hs_code: '852321' },
    { status: 'invalid', hs_code: null },
  ])
  const [classified, verified] = await client.classify(['magnetic cards', { text: 'smartphone', hs_code: '851713' }], {
    limit: 2,
  })
  t.match(classified, { text: 'magnetic cards', candidates: [{ hs_code: /^85/ }], verdict: null })
  t.match(verified, { text: 'smartphone', verdict: { against: Array } })
  t.match(await client.resolve(['851712'], { edition: '2017' }), [{ input: '851712' }])
  const saudi = { country: 'SA', as_of: '2026-03-01' } as const
  t.match(await client.lookup('852321', { ...saudi, include: ['rate'] }), { tariff_rate: 20, rate: { list: '2026-02-25' } })
  t.equal((await client.children('8523', saudi)).items[0]?.tariff_rate, 20)
  t.equal((await client.lines('8523', saudi)).items[0]?.tariff_rate, 20)
  t.equal((await client.search('852321', saudi)).items[0]?.tariff_rate, 20)
  t.equal((await client.resolve(['8523.21'], saudi))[0]?.record?.tariff_rate, 20)
  t.equal((await client.edition('2028', '852329')).targets[0]?.part, 'whole')
  t.match(await client.edition(2017, '852321'), { edition: '2017', relation: 'same' })
  const terms = { currency: 'aed', include_vat: true, vat_rate: 15 }
  t.match(await client.tariff('852321', '1000', terms), {
    calculation: { declared_value: 1000, currency: 'AED', vat_rate: 15, landed_cost: 1207.5 },
  })
  const exact = { vat_rate: 5.1234, include: ['exact'] } as const
  t.match(await client.tariff('852321', '123456789012.345', exact), { exact: { declared_value: '123456789012.345' } })
  t.match(await client.invoice([{ hs_code: '852321', value: '123456789012.345' }], exact), {
    items: [{ exact: { declared_value: '123456789012.345' } }],
    exact: { import_duty_amount: '6172839450.61725' },
  })
  t.match(await client.tariff('852321', 1000, { include_vat: false }), { calculation: { vat_rate: 0 } })
  t.match(await client.tariff('852321', 1000, { vat_rate: 15 }), { calculation: { vat_rate: 15 } })
  const declined = { include_vat: false, vat_rate: 15 }
  t.match(await client.tariff('852321', 1000, declined), { calculation: { vat_rate: 0 } })
  const shipment = { country: 'SA', as_of: '2026-03-01', currency: 'SAR', freight: 100, convert: true } as const
  t.match(await client.tariff('852329', 900, shipment), { calculation: { excise_amount: 575 }, converted: { landed_cost: 2001 } })
  const goods = [{ hs_code: '852329', value: 1000, origin: 'EG' }]
  t.match(await client.invoice(goods, { country: 'SA', as_of: '2026-03-01', currency: 'SAR' }), {
    totals: { import_duty_amount: 0 },
  })
  const { items, totals } = await client.invoice(
    [
      { hs_code: '852321', value: 1000 },
      { hs_code: '77', value: 1 },
    ],
    terms,
  )
  t.match(items, [{ hs_code: '852321' }, { error: { code: 'not_found' } }])
  t.equal(totals.landed_cost, 1207.5)
  const { paths } = (await get('/openapi.json')).body
  const wasRequested = (template: string, method: string) =>
    seen.some(one => one.method === method && new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/?]+')}(\\?|$)`).test(one.path))
  for (const [template, operations] of Object.entries(paths as Record<string, object>)) {
    // other paths are documents, not operations of the API
    if (!template.startsWith('/api/')) continue
    const methods = Object.keys(operations).map(method => method.toUpperCase())
    // for these two paths, the client always uses POST
    for (const method of ['/api/v1/resolve', '/api/v1/classify'].includes(template) ? ['POST'] : methods)
      t.ok(wasRequested(template, method), `a method of the client sends ${method} ${template}`)
  }
})

testOnEngines('a refusal is thrown as HsapiError with its code, status, message and details', async t => {
  const { client } = await clientOn(t)
  const refusal = async (promise: Promise<unknown>) => {
    const error = await promise.catch(error => error)
    t.type(error, HsapiError)
    return error as HsapiError
  }
  const unknown = await refusal(client.lookup('852399'))
  t.match(unknown, { code: 'not_found', status: 404, details: { nearest: '8523' }, name: 'HsapiError' })
  t.match(unknown.message, /852399 is not in the dataset/)
  t.equal(unknown.retryAfter, undefined)
  t.match(await refusal(client.lookup('8523.21/?x')), { code: 'invalid_code', status: 400 })
  t.match(await refusal(client.search('x')), { code: 'query_too_short', details: {} })
  t.match(await refusal(client.search('xx', { limit: 99 })), { details: { parameter: 'limit' } })
  t.match(await refusal(client.tariff('85', -1)), { code: 'invalid_value' })
  const withUnknownKey = await clientOn(t, { key: 'hs_free_nobody' })
  t.match(await refusal(withUnknownKey.client.dataset()), { code: 'invalid_api_key', status: 401 })
  t.equal((await withUnknownKey.client.health()).status, 'ok', 'health needs no key')
})

testOnEngines('an unknown option is refused without a request, and the error names the most similar known option', async t => {
  const { client, seen } = await clientOn(t)
  // plain JavaScript has no types to prevent such options
  type Untyped = Record<Exclude<keyof HsapiClient, 'limits'>, (...args: unknown[]) => Promise<unknown>>
  const untyped = client as unknown as Untyped
  const all = async (list: unknown) => {
    for await (const _ of list as AsyncIterable<unknown>);
  }
  const before = seen.length
  const items = [
    { hs_code: '852321', value: 1 },
    { hs_code: '852321', value: 1, frieght: 5 },
  ]
  const misspelt: [() => Promise<unknown>, string, string?][] = [
    [() => untyped.tariff('852321', 1, { contry: 'SA' }), 'contry', 'country'],
    [() => untyped.tariff('852321', 1, { includeVat: true }), 'includeVat', 'include_vat'],
    [() => untyped.tariff('852321', 1, { discount: 5 }), 'discount'],
    [() => untyped.tariff('852321', 1, { timeoutMs: 5 }), 'timeoutMs'],
    [() => untyped.invoice([], { curency: 'AED' }), 'curency', 'currency'],
    [() => untyped.invoice(items, {}), 'items[1].frieght', 'freight'],
    [() => untyped.lookup('85', { contry: 'SA' }), 'contry', 'country'],
    [() => untyped.children('85', { limt: 1 }), 'limt', 'limit'],
    [() => untyped.lines('85', { digit: 8 }), 'digit', 'digits'],
    [() => untyped.search('cards', { witin: '85' }), 'witin', 'within'],
    [() => all(untyped.everySearch('cards', { levle: 6 })), 'levle', 'level'],
    [() => all(untyped.everyChild('85', { offest: 1 })), 'offest', 'offset'],
    [() => all(untyped.everyLine('85', { feilds: [] })), 'feilds', 'fields'],
    [() => untyped.searchMany(['cards'], { facet: ['level'] }), 'facet', 'facets'],
    [() => untyped.suggest('ca', { language: 'en' }), 'language'],
    [() => untyped.classify(['cards'], { lmit: 6 }), 'lmit', 'limit'],
    [() => untyped.resolve(['85'], { editon: '2017' }), 'editon', 'edition'],
    [() => untyped.changes({ kinds: 'words' }), 'kinds', 'kind'],
    [() => untyped.edition(2017, '852321', { sginal: 1 }), 'sginal', 'signal'],
    [() => untyped.dataset({ sginal: 1 }), 'sginal', 'signal'],
  ]
  for (const [ask, parameter, nearest] of misspelt) {
    const error = (await ask().catch(error => error)) as HsapiError
    t.type(error, HsapiError, parameter)
    t.match(error, { code: 'invalid_parameter', status: 0, message: `The parameter ${parameter} is unknown; ` })
    t.strictSame(error.details, { parameter, ...(nearest && { did_you_mean: nearest }) }, parameter)
  }
  t.equal(seen.length, before)
  const options = { url: 'http://127.0.0.1:8080', timeout: 5 }
  t.throws(() => new HsapiClient(options), {
    name: 'TypeError',
    message: 'The parameter timeout is unknown; did you mean timeoutMs?',
  })
})

testOnEngines('every parameter of the contract is an option of its method', async t => {
  const { client, get } = await clientOn(t)
  const { paths, components } = (await get('/openapi.json')).body
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document
  type Json = any
  const schema = (one: Json) => (one.$ref === undefined ? one : components.schemas[one.$ref.split('/').at(-1)])
  const operations = Object.fromEntries(
    Object.values<Json>(paths).flatMap(path => Object.values<Json>(path).map(one => [one.operationId, one])),
  )
  const names = (id: string): string[] => {
    const { requestBody, parameters = [] } = operations[id]
    if (requestBody === undefined) return parameters.filter((one: Json) => one.in === 'query').map((one: Json) => one.name)
    return Object.keys(schema(requestBody.content['application/json'].schema).properties)
  }
  const optionsOf = async (call: Promise<unknown>) => {
    const { message } = (await call.catch(error => error)) as HsapiError
    return (/known parameters are (.*)\.$/.exec(message)?.[1] ?? '').split(', ')
  }
  const extra = { extra_field: 1 } as object
  const calls: Record<string, Promise<unknown>> = {
    lookup: client.lookup('85', extra),
    children: client.children('85', extra),
    lines: client.lines('85', extra),
    search: client.search('cards', extra),
    searchMany: client.searchMany([], extra),
    suggest: client.suggest('ca', extra),
    classifyMany: client.classify([], extra),
    resolveMany: client.resolve([], extra),
    tariff: client.tariff('85', 1, extra),
    invoice: client.invoice([], extra),
    changes: client.changes(extra),
  }
  for (const [id, call] of Object.entries(calls)) {
    const options = await optionsOf(call)
    // lists are arguments, not options
    const expected = names(id).filter(name => !['items', 'codes', 'queries'].includes(name))
    t.strictSame(
      expected.filter(name => !options.includes(name)),
      [],
      `the method for ${id} accepts every parameter`,
    )
  }
})

testOnEngines('everyLine, everyChild and everySearch fetch a page only when its items are read', async t => {
  const { client, seen } = await clientOn(t)
  const all = async (list: AsyncGenerator<{ hs_code: string }>) => {
    const codes: string[] = []
    for await (const { hs_code } of list) codes.push(hs_code)
    return codes
  }
  const { items, total } = await client.lines('01', { limit: 50 })
  t.ok(total > 2 && total <= 50)
  const expected = items.map(item => item.hs_code)
  seen.length = 0
  t.strictSame(await all(client.everyLine('01', { limit: 2 })), expected)
  t.equal(seen.length, Math.ceil(total / 2), 'no request follows the last page')
  t.strictSame(await all(client.everyLine('01', { offset: 1 })), expected.slice(1))
  t.strictSame(await all(client.everyLine('01', { offset: 9_999 })), [])
  t.equal((await all(client.everyChild('01'))).length, (await client.children('01')).total)
  t.equal((await all(client.everySearch('horses'))).length, (await client.search('horses')).total)
  seen.length = 0
  for await (const _ of client.everyLine('01', { limit: 1 })) break
  t.equal(seen.length, 1)
})

testOnEngines('client.limits has the limits of the latest answer', async t => {
  const { client } = await clientOn(t)
  t.equal(client.limits, undefined)
  await client.lookup('85')
  t.match(client.limits, { limitMinute: 4_000_000, remainingMinute: 3_999_999 })
  await client.resolve(['85', '01'])
  t.match(client.limits, { remainingDay: 3_999_997 })
})

t.test('an answer without limits, such as one from a proxy, does not clear the limits of the answer before', async t => {
  const names = ['limit-minute', 'remaining-minute', 'limit-day', 'remaining-day']
  let headers = Object.fromEntries(names.map((name, i) => [`x-ratelimit-${name}`, String(i)]))
  const { url } = await fakeServer(t, (_, res) => res.writeHead(200, headers).end(ENVELOPE))
  const client = new HsapiClient({ url })
  await client.health()
  headers = {}
  await client.health()
  t.strictSame(client.limits, { limitMinute: 0, remainingMinute: 1, limitDay: 2, remainingDay: 3 })
})

t.test('a list ends at an empty page, even if `total` is larger', async t => {
  const meta = { total: 5, limit: 50, offset: 0, timestamp: '2026-05-04T12:00:00+00:00', api_version: '1.0.0' }
  let requests = 0
  const { url } = await fakeServer(t, (_, res) => {
    // stops a client that would request pages forever
    if (++requests > 3) res.writeHead(500).end()
    else res.end(JSON.stringify({ success: true, data: [], meta }))
  })
  for await (const _ of new HsapiClient({ url }).everyLine('01')) t.fail('there is no item')
  t.equal(requests, 1)
})
