import { OPENAPI } from '../../src/contract/openapi.js'
import { fixtureCatalog, makeKey, openService, startService, testOnEngines } from '../support/service.js'

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
type Json = any

const TARIFF = '/api/v1/tariff/calculate'
const CAR = 'hs_code=852321&value=20000'

testOnEngines('an estimate refuses an unknown parameter and suggests the known one that was probably meant', async t => {
  const { get, auth } = await openService(t)
  const refused = async (query: string) => {
    const { status, body } = await get(`${TARIFF}?${query}`, auth)
    t.match({ status, code: body.error?.code }, { status: 400, code: 'invalid_parameter' }, query)
    return body.error
  }
  const { message, details } = await refused(`${CAR}&contry=SA`)
  t.equal(message, 'The parameter contry is unknown; did you mean country?')
  t.strictSame(details, { parameter: 'contry', did_you_mean: 'country' })
  for (const [sent, meant] of [
    ['hs_cod', 'hs_code'],
    ['hsCode', 'hs_code'],
    ['HS-CODE', 'hs_code'],
    ['code', 'hs_code'],
    ['vlaue', 'value'],
    ['curency', 'currency'],
    ['includeVat', 'include_vat'],
    ['vatrate', 'vat_rate'],
    ['asof', 'as_of'],
    ['insurence', 'insurance'],
    ['Country', 'country'],
  ])
    t.strictSame((await refused(`${CAR}&${sent}=1`)).details, { parameter: sent, did_you_mean: meant })
  const other = await refused(`${CAR}&discount=5`)
  t.strictSame(other.details, { parameter: 'discount' })
  t.match(other.message, /^The parameter discount is unknown; known parameters are hs_code, value, .*convert.*\.$/)
})

testOnEngines('the first unknown parameter is the one that is refused, before any value is checked', async t => {
  const { get, auth } = await openService(t)
  const named = async (query: string) => (await get(`${TARIFF}?${query}`, auth)).body.error?.details?.parameter
  t.equal(await named('hs_cod=85&vaule=1'), 'hs_cod')
  t.equal(await named('vaule=1&hs_cod=85'), 'vaule')
  t.equal(await named('hs_code=x&value=none&country=XX&contry=SA'), 'contry')
  t.equal(await named(`contry=SA&${CAR}`), 'contry')
})

testOnEngines('names are compared decoded, and empty parts between ampersands are ignored', async t => {
  const { get, auth } = await openService(t)
  const plain = await get(`${TARIFF}?${CAR}`, auth)
  for (const query of ['h%73_code=852321&value=20000', `${CAR}&`, `&&${CAR}`, `hs_code=852321&&value=20000&&`, `${CAR}&value=1`])
    t.strictSame((await get(`${TARIFF}?${query}`, auth)).body.data, plain.body.data, query)
  const named = async (query: string) => (await get(`${TARIFF}?${CAR}&${query}`, auth)).body.error?.details
  t.strictSame(await named('c%6Fntry=SA'), { parameter: 'contry', did_you_mean: 'country' })
  t.strictSame(
    await named('contry'),
    { parameter: 'contry', did_you_mean: 'country' },
    'a parameter without a value is refused, too',
  )
  t.strictSame(await named('a+b=1'), { parameter: 'a b' })
  t.strictSame(await named('%zz=1'), { parameter: '%zz' }, 'a name with broken encoding is shown as sent')
  t.strictSame(await named('=1'), { parameter: '' })
  t.strictSame(await named('='), { parameter: '' })
  t.strictSame(await named(`${'x'.repeat(4000)}=1`), { parameter: `${'x'.repeat(40)}…` })
  t.match((await get(`${TARIFF}?${CAR}&%0A%22=1`, auth)).body.error.message, 'The parameter "\\n\\"" is unknown;')
})

testOnEngines('HEAD is refused as GET is; key and quota come before parameters', async t => {
  const key = makeKey('free', { per_minute: 1 })
  const { get } = await startService(t, [key], await fixtureCatalog())
  const auth = { 'x-api-key': key.key }
  const wrong = `${TARIFF}?${CAR}&contry=SA`
  t.equal((await get(wrong)).body.error.code, 'missing_api_key')
  t.equal((await get(wrong, auth, 'HEAD')).status, 400)
  t.equal((await get(wrong, auth)).body.error.code, 'rate_limit_exceeded')
})

testOnEngines('other GET requests ignore unknown parameters', async t => {
  const { get, auth } = await openService(t)
  for (const path of [
    'hs-codes/8523?contry=SA',
    'hs-codes/8523/children?contry=SA',
    'hs-codes/8523/lines?contry=SA',
    'search?q=cards&contry=SA',
    'suggest?q=ca&contry=SA',
    'classify?text=cards&contry=SA',
    'resolve?codes=8523&contry=SA',
    'changes?contry=SA',
    'dataset?contry=SA',
  ])
    t.equal((await get(`/api/v1/${path}`, auth)).status, 200, path)
})

const ITEM = { hs_code: '852321', value: 1 }
/** The smallest body that each path accepts. */
const BODIES: Record<string, Json> = {
  [TARIFF]: { items: [ITEM, ITEM] },
  '/api/v1/resolve': { codes: ['85'] },
  '/api/v1/search': { queries: [{ q: 'cards' }, { q: 'cards' }] },
  '/api/v1/classify': { items: [{ text: 'cards' }, { text: 'cards' }] },
}

testOnEngines('every body with an unknown field is refused, at its top level and in its items', async t => {
  const { post, auth } = await openService(t)
  const refused = async (path: string, body: unknown) => {
    const { status, body: answer } = await post(path, body, auth)
    t.match({ status, code: answer.error?.code }, { status: 400, code: 'invalid_parameter' }, path)
    return answer.error
  }
  for (const [path, body] of Object.entries(BODIES)) {
    t.equal((await post(path, body, auth)).status, 200, path)
    t.strictSame((await refused(path, { ...body, contry: 'SA' })).details, { parameter: 'contry', did_you_mean: 'country' })
    const [list, items] = Object.entries<Json>(body)[0] as [string, Json[]]
    if (typeof items[0] === 'string') continue
    const withUnknown = [items[0], { ...items[1], extra_field: 1 }]
    const { message, details } = await refused(path, { ...body, [list]: withUnknown })
    t.strictSame(details, { parameter: `${list}[1].extra_field` })
    t.match(message, `The parameter ${list}[1].extra_field is unknown; known parameters are `)
  }
  t.strictSame((await refused(TARIFF, { items: [{ hs_cod: '85', value: 1 }] })).details, {
    parameter: 'items[0].hs_cod',
    did_you_mean: 'hs_code',
  })
  t.strictSame((await refused(TARIFF, { country: 'SA', items: [{ ...ITEM, frieght: 5 }] })).details, {
    parameter: 'items[0].frieght',
    did_you_mean: 'freight',
  })
  t.equal((await refused(TARIFF, JSON.parse('{"items":[],"__proto__":1}'))).details.parameter, '__proto__')
  t.equal(
    (await refused(TARIFF, { itmes: [{ hs_cod: 1 }], curency: 'AED' })).details.parameter,
    'itmes',
    'the first unknown field is named',
  )
  t.equal((await refused(TARIFF, { items: 5, curency: 'AED' })).details.parameter, 'curency', 'names are checked before values')
})

testOnEngines('the known names are those in the contract', async t => {
  const { get, post, auth } = await openService(t)
  const known = (message: string) => (/known parameters are (.*)\.$/.exec(message)?.[1] ?? '').split(', ').sort()
  const paths = OPENAPI.paths as Json
  const { schemas } = OPENAPI.components as Json
  const resolved = (schema: Json) => (schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)])
  const listed = paths[TARIFF].get.parameters.filter((one: Json) => one.in === 'query').map((one: Json) => one.name)
  const { message } = (await get(`${TARIFF}?extra_field=1`, auth)).body.error
  t.strictSame(known(message), listed.sort(), TARIFF)
  const posts = Object.keys(paths).filter(path => paths[path].post !== undefined)
  t.strictSame(posts.sort(), Object.keys(BODIES).sort())
  for (const path of posts) {
    const schema = resolved(paths[path].post.requestBody.content['application/json'].schema)
    const of = async (body: Json) => known((await post(path, body, auth)).body.error.message)
    t.strictSame(await of({ extra_field: 1 }), Object.keys(schema.properties).sort(), path)
    t.equal(schema.additionalProperties, false, path)
    const [list] = Object.keys(BODIES[path]) as [string]
    const item = resolved(schema.properties[list].items)
    if (item.type !== 'object') continue
    t.strictSame(await of({ [list]: [{ extra_field: 1 }] }), Object.keys(item.properties).sort(), `${path} ${list}`)
    t.equal(item.additionalProperties, false, `${path} ${list}`)
  }
})

testOnEngines('a POST refuses parameters in its address, where they would be ignored', async t => {
  const { post, auth } = await openService(t)
  const invoice = { items: [{ hs_code: '852321', value: 20000 }] }
  t.equal((await post(TARIFF, invoice, auth)).status, 200)
  const { status, body } = await post(`${TARIFF}?country=SA`, invoice, auth)
  t.equal(status, 400)
  t.match(body.error, {
    code: 'invalid_parameter',
    message: 'The parameter country belongs in the body of a POST, not in its address.',
    details: { parameter: 'country' },
  })
  const long = await post(`${TARIFF}?${'x'.repeat(41)}=1`, invoice, auth)
  t.equal(long.body.error.details.parameter, 'x'.repeat(40), 'a long name is cut off')
})
