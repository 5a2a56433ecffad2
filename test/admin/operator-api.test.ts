/** /keys, /usage and the page of the admin port: access and refusals. */
import { request } from 'node:http'
import t, { type Test } from 'tap'
import type { KeyQuery } from '../../src/admin/key-fields.js'
import { AdminListener, type AdminTarget } from '../../src/admin/listener.js'
import type { KeyAdministration, OperatorTarget } from '../../src/admin/operator-api.js'
import { BODY_BYTES_MAX } from '../../src/admin/read-text.js'
import { OperatorError } from '../../src/errors.js'
import { type KeyOptions, KeyRefusal, noSuchKey } from '../../src/keys/key-record.js'
import { viewOf } from '../../src/keys/key-view.js'
import { makeKey } from '../support/service.js'

const { key, record } = makeKey('pro', { name: 'one' })
const VIEW = viewOf(record, '')
const USED = { status: 'active', used_today: 1, used_this_minute: 1, last_used_on: '2026-05-04' } as const

interface Asked {
  queries: KeyQuery[]
  created: KeyOptions[]
  rotated: [string, number][]
  revoked: string[]
}

function operator(asked: Asked, more: Partial<KeyAdministration> = {}): OperatorTarget {
  return {
    usage: async () => ({ figures: true }),
    keys: {
      list: async query => {
        asked.queries.push(query)
        return { keys: [{ ...VIEW, ...USED }], total: 7 }
      },
      show: async id => {
        if (id !== record.id) throw noSuchKey(id)
        return { ...VIEW, ...USED }
      },
      create: async options => {
        asked.created.push(options)
        return { ...VIEW, key }
      },
      rotate: async (id, graceMs) => {
        asked.rotated.push([id, graceMs])
        return { ...VIEW, key }
      },
      revoke: async id => {
        asked.revoked.push(id)
        return VIEW
      },
      ...more,
    },
  }
}

interface Changes {
  host?: string
  token?: string
  keys?: Partial<KeyAdministration>
  isStarting?: boolean
  page?: AdminTarget['page']
}

async function open(t: Test, { host = '127.0.0.1', token, keys, isStarting, page }: Changes = {}) {
  const asked: Asked = { queries: [], created: [], rotated: [], revoked: [] }
  const target: AdminTarget = {
    metrics: () => '',
    notReady: () => undefined,
    reload: async () => ({ isLoaded: true, message: '' }),
    operator: isStarting ? undefined : operator(asked, keys),
    page,
  }
  const listener = await AdminListener.open(target, { host, port: 0, token })
  t.teardown(() => listener.close())
  const { port } = listener
  const ask = (path: string, method = 'GET', headers: Record<string, string> = {}, body?: string) =>
    new Promise<{
      status: number
      code?: string
      parameter?: string
      headers: Record<string, unknown>
      text: string
      body: never
    }>((resolve, reject) => {
      request(
        { host: '127.0.0.1', port, path, method, headers: { host: `localhost:${port}`, ...headers }, agent: false },
        res => {
          let text = ''
          res.on('data', piece => {
            text += piece
          })
          res.on('end', () => {
            const isJson = res.headers['content-type'] === 'application/json' && text !== ''
            const answer = isJson ? JSON.parse(text) : {}
            const { code, details } = answer.error ?? {}
            resolve({
              status: res.statusCode ?? 0,
              code,
              parameter: details?.parameter,
              headers: res.headers,
              text,
              body: answer as never,
            })
          })
        },
      )
        .on('error', reject)
        .end(body)
    })
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(path, 'POST', { 'content-type': 'application/json', ...headers }, typeof body === 'string' ? body : JSON.stringify(body))
  return { ask, post, asked, port }
}

const PATHS = [
  ['GET', '/keys'],
  ['POST', '/keys'],
  ['GET', `/keys/${record.id}`],
  ['POST', `/keys/${record.id}/rotate`],
  ['POST', `/keys/${record.id}/revoke`],
  ['GET', '/usage'],
] as const

const nothing = { queries: [], created: [], rotated: [], revoked: [] }

t.test('if a token is set, nothing is shown or changed without it', async t => {
  const { ask, asked } = await open(t, { token: 'secret' })
  for (const [method, path] of PATHS) {
    for (const authorization of ['', 'Bearer wrong', 'secret', 'Basic secret'])
      t.match(await ask(path, method, { authorization }), { status: 401, code: 'admin_token_required' }, `${method} ${path}`)
    t.equal((await ask(`${path}?token=secret`, method)).status, 401, 'the token is never read from the address')
  }
  t.equal((await ask('/usage')).headers['www-authenticate'], 'Bearer')
  t.strictSame(asked, nothing)
  for (const authorization of ['Bearer secret', 'bearer secret', 'Bearer   secret'])
    t.equal((await ask('/keys', 'GET', { authorization })).status, 200, authorization)
})

t.test('without a token, requests are refused on addresses other than loopback and for foreign Host names', async t => {
  const outside = await open(t, { host: '0.0.0.0' })
  const inside = await open(t)
  for (const [method, path] of PATHS) {
    t.match(await outside.ask(path, method), { status: 403, code: 'admin_token_not_set' }, path)
    t.match(await inside.ask(path, method, { host: 'evil.example' }), { status: 403, code: 'host_not_allowed' }, path)
  }
  t.strictSame([outside.asked, inside.asked], [nothing, nothing])
})

t.test('a page of another origin can neither read nor change anything, with or without the token', async t => {
  for (const token of ['secret', '']) {
    const { ask, asked, port } = await open(t, token === '' ? {} : { token })
    for (const page of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }])
      for (const [method, path] of PATHS)
        t.match(
          await ask(path, method, { authorization: `Bearer ${token}`, ...page }),
          { status: 403, code: 'cross_origin' },
          `${path} ${JSON.stringify(page)}`,
        )
    t.strictSame(asked, nothing)
    const own = { origin: `http://localhost:${port}`, 'sec-fetch-site': 'same-origin', authorization: `Bearer ${token}` }
    t.equal((await ask('/keys', 'GET', own)).status, 200)
  }
})

t.test('lists are bounded, and a refusal names the wrong value', async t => {
  const { ask, asked } = await open(t)
  t.match(await ask('/keys'), {
    body: { success: true, data: [{ id: record.id }], meta: { total: 7, count: 1, offset: 0, limit: 100 } },
  })
  await ask('/keys?search=a%20b&status=revoked&offset=200000&limit=1')
  t.strictSame(asked.queries, [
    { search: '', status: undefined, offset: 0, limit: 100 },
    { search: 'a b', status: 'revoked', offset: 200_000, limit: 1 },
  ])
  for (const [query, parameter] of [
    ['limit=101', 'limit'],
    ['limit=0', 'limit'],
    ['limit=1e1', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=200001', 'offset'],
    ['status=gone', 'status'],
    [`search=${'x'.repeat(201)}`, 'search'],
  ])
    t.match(await ask(`/keys?${query}`), { status: 400, code: 'invalid_parameter', parameter }, query)
  t.equal(asked.queries.length, 2)
  t.equal((await ask(`/keys?search=${'x'.repeat(200)}`)).status, 200)
  t.equal((await ask('/keys', 'HEAD')).text, '')
})

t.test("a new key's fields are read like the flags of the command", async t => {
  const { post, asked } = await open(t)
  t.match(await post('/keys', { tier: 'pro' }, { 'content-type': 'Application/JSON' }), {
    status: 201,
    body: { data: { key, id: record.id } },
  })
  for (const list of ['[]', '[{"tier":"pro"}]'])
    t.match(await post('/keys', list), { status: 400, body: { error: { message: 'The body must be a JSON object.' } } })
  const body = { tier: 'free', name: 'شركة', expires: '2999-12-31', per_minute: 0, per_day: 2_000_000_000 }
  await post('/keys', body)
  await post('/keys', { tier: 'basic', name: null, expires: null, per_minute: null, per_day: null, unlimited: true })
  t.strictSame(asked.created, [
    { tier: 'pro', name: '', expiresAt: null, perMinute: null, perDay: null, unlimited: false },
    { tier: 'free', name: 'شركة', expiresAt: '2999-12-31', perMinute: 0, perDay: 2_000_000_000, unlimited: false },
    { tier: 'basic', name: '', expiresAt: null, perMinute: null, perDay: null, unlimited: true },
  ])
  const valid = { tier: 'pro' }
  for (const [wrong, parameter] of [
    [{}, 'tier'],
    [{ tier: 'gold' }, 'tier'],
    [{ tier: 'toString' }, 'tier'],
    [{ ...valid, name: 5 }, 'name'],
    [{ ...valid, name: 'a\nb' }, 'name'],
    [{ ...valid, name: 'x'.repeat(201) }, 'name'],
    [{ ...valid, expires: '2027-02-30' }, 'expires'],
    [{ ...valid, expires: '2020-01-01' }, 'expires'],
    [{ ...valid, expires: 5 }, 'expires'],
    [{ ...valid, per_minute: -1 }, 'per_minute'],
    [{ ...valid, per_day: 1.5 }, 'per_day'],
    [{ ...valid, per_day: '5' }, 'per_day'],
    [{ ...valid, per_day: 2_000_000_001 }, 'per_day'],
    [{ ...valid, unlimited: 'yes' }, 'unlimited'],
    [{ ...valid, unlimited: true, per_day: 5 }, 'unlimited'],
    [{ ...valid, hash: 'x' }, 'hash'],
  ] as const)
    t.match(await post('/keys', wrong), { status: 400, code: 'invalid_parameter', parameter }, JSON.stringify(wrong))
  t.equal(asked.created.length, 3)
})

t.test('responses with a key are not cached', async t => {
  const { post, ask } = await open(t)
  const noStore = { headers: { 'cache-control': 'no-store' } }
  t.match(await post('/keys', { tier: 'pro' }), { status: 201, ...noStore })
  t.match(await post(`/keys/${record.id}/rotate`, {}), { status: 200, ...noStore })
  t.match(await ask('/keys'), { status: 200, ...noStore })
})

t.test('keys can be rotated and revoked, and invalid requests are refused', async t => {
  const { post, ask, asked } = await open(t)
  t.match(await post(`/keys/${record.id}/rotate`, {}), { status: 200, body: { data: { key } } })
  t.equal((await post(`/keys/${record.id}/rotate`, { grace: '24h' })).status, 200)
  t.strictSame(asked.rotated, [
    [record.id, 0],
    [record.id, 86_400_000],
  ])
  for (const grace of ['24', '91d', '0h', 5, 'x'])
    t.match(await post(`/keys/${record.id}/rotate`, { grace }), { status: 400, parameter: 'grace' })
  t.match(await post(`/keys/${record.id}/revoke`, { sure: true }), { status: 400, parameter: 'sure' })
  t.equal((await post('/keys/with%20space/revoke', {})).status, 200)
  t.strictSame(asked.revoked, ['with space'])
  t.match(await ask(`/keys/${record.id}`), { status: 200, body: { data: { id: record.id, used_today: 1 } } })
  t.match(await ask('/keys/nobody'), { status: 404, code: 'key_not_found' })
  for (const path of ['/keys/', '/keys/a/b', '/keys/a/rotate/b', '/keys/%ff'])
    t.match(await ask(path), { status: 404, code: 'route_not_found' }, path)
})

t.test('other methods, bodies and types are refused', async t => {
  const { ask, post, asked } = await open(t)
  for (const [method, path, allow] of [
    ['DELETE', '/keys', 'GET, HEAD, POST'],
    ['POST', '/usage', 'GET, HEAD'],
    ['POST', `/keys/${record.id}`, 'GET, HEAD'],
    ['GET', `/keys/${record.id}/rotate`, 'POST'],
    ['GET', `/keys/${record.id}/revoke`, 'POST'],
  ] as const) {
    const answer = await ask(path, method)
    t.match(answer, { status: 405, code: 'method_not_allowed' }, `${method} ${path}`)
    t.equal(answer.headers.allow, allow)
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])
    t.match(
      await post('/keys', '{"tier":"pro"}', { 'content-type': type }),
      { status: 415, code: 'unsupported_media_type' },
      `a form of another site sends ${type}`,
    )
  for (const body of ['', 'tier=pro', '[]', 'null', '"x"'])
    t.match(await post('/keys', body), { status: 400, code: 'invalid_parameter' }, body)
  const long = (bytes: number) => post('/keys', `{"name":"${'x'.repeat(bytes - '{"name":""}'.length)}"}`)
  for (const bytes of [BODY_BYTES_MAX + 1, 20_000]) t.match(await long(bytes), { status: 413, code: 'body_too_large' })
  t.match(await long(BODY_BYTES_MAX), { status: 400, parameter: 'tier' }, 'a body of exactly the limit is read')
  t.equal((await post('/keys', '{"tier":"pro"}', { 'content-type': 'application/json; charset=utf-8' })).status, 201)
  t.equal(asked.created.length, 1)
})

t.test('errors of the key store reach the caller', async t => {
  const failing = (error: Error) => async () => {
    throw error
  }
  const { post, ask } = await open(t, {
    keys: {
      list: failing(new KeyRefusal('many', 'too many')),
      create: failing(new OperatorError('the disk is full')),
      rotate: failing(new KeyRefusal('revoked', 'it is revoked')),
      revoke: failing(noSuchKey('x')),
      show: failing(new Error('a bug')),
    },
  })
  t.match(await ask('/keys'), { status: 409, code: 'too_many_keys' })
  t.match(await post('/keys', { tier: 'pro' }), { status: 503, body: { error: { details: { reason: 'the disk is full' } } } })
  t.match(await post('/keys/x/rotate', {}), { status: 409, code: 'key_revoked' })
  t.match(await post('/keys/x/revoke', {}), { status: 404, code: 'key_not_found' })
  t.equal((await ask('/keys/x')).status, 500)
  const starting = await open(t, { isStarting: true })
  t.match(await starting.ask('/keys'), { status: 503, code: 'db_unavailable' })
})

t.test('the page is served where operators may use it, and contains no data', async t => {
  const page: AdminTarget['page'] = async ({ path, query }) =>
    path === '/' ? { status: 200, headers: { 'Content-Type': 'text/html' }, body: Buffer.from(`page ${query}`) } : undefined
  const own = await open(t, { page })
  t.match(await own.ask('/?lang=ar'), { status: 200, text: 'page lang=ar' })
  t.equal((await own.ask('/', 'POST')).status, 404)
  t.equal((await own.ask('/elsewhere')).status, 404)
  t.equal((await own.ask('/', 'GET', { 'sec-fetch-site': 'cross-site' })).status, 200, 'a link on another site opens the page')
  t.equal((await own.ask('/', 'GET', { host: 'evil.example' })).status, 403)
  t.match(await (await open(t, { page, host: '0.0.0.0' })).ask('/'), { status: 403, text: /HSAPI_ADMIN_TOKEN/ })
  t.equal((await (await open(t, { page, host: '0.0.0.0', token: 'secret' })).ask('/')).status, 200, 'the page asks for the token')
  t.equal((await (await open(t)).ask('/')).status, 404)
})
