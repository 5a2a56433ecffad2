/** The protocol at /mcp: the official client, both engines, the same keys and quotas. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import type { Catalog } from '../../src/catalog/catalog.js'
import { ROUTES } from '../../src/http/api-routes.js'
import type { ServerOptions } from '../../src/http/server.js'
import type { KeyRecord } from '../../src/keys/key-record.js'
import { MCP_ROUTE } from '../../src/mcp/over-http.js'
import { TOOLS } from '../../src/mcp/tools.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { ManualGate } from '../support/manual-gate.js'
import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'
import { until } from '../support/until.js'

// biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the answers
type Json = any

const PAGE = 'https://www.example.com'
const MODES = ['legacy', 'auto'] as const

async function start(t: Test, limits: Partial<KeyRecord> = {}, more: Partial<ServerOptions> = {}, catalog?: Catalog) {
  const key = makeKey('pro', { per_minute: 1_000, per_day: 10_000, ...limits })
  const service = await startService(t, [key], catalog ?? (await fixtureCatalog()), [...ROUTES, MCP_ROUTE], {
    onFault: error => t.fail(String(error)),
    ...more,
  })
  const url = `${service.url}/mcp`
  /** Sends a request without the client library. */
  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key.key, connection: 'close', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    const left = Number(response.headers.get('x-ratelimit-remaining-minute'))
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as Json,
      left,
    }
  }
  const connect = async (mode: (typeof MODES)[number]) => {
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${key.key}`, connection: 'close' } },
    })
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
    await client.connect(transport)
    t.teardown(() => client.close())
    return client
  }
  return { service, key, url, post, connect }
}

const request = (method: string, params: object = {}, id: number | string = 1) => ({ jsonrpc: '2.0', id, method, params })
const call = (name: string, args: object, id: number | string = 1) => request('tools/call', { name, arguments: args }, id)
const OPENING = request('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'hand', version: '1' },
})

testOnEngines('the official client connects with both revisions of the protocol, lists the tools and calls them', async t => {
  const { connect } = await start(t)
  for (const mode of MODES) {
    const client = await connect(mode)
    t.match(client.getServerVersion(), { name: 'hsapi' })
    const { tools } = await client.listTools()
    t.equal(tools.length, TOOLS.length)
    const answer: Json = await client.callTool({ name: 'get_hs_code', arguments: { code: '8523.21' } })
    t.match(answer.structuredContent, { hs_code: '852321' })
    const list: Json = await client.callTool({ name: 'classify_goods', arguments: { texts: ['horses', 'magnetic cards'] } })
    t.equal(list.structuredContent.items.length, 2)
    t.match(await client.callTool({ name: 'get_hs_code', arguments: { code: 'horse' } }), { isError: true })
    await t.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /no_such_tool/)
    t.match(await client.readResource({ uri: 'hsapi://notes/rules' }), { contents: [{ text: /wording of headings decides/ }] })
    t.match(await client.getPrompt({ name: 'explain-code', arguments: { code: '85' } }), { messages: [{ role: 'user' }] })
  }
})

testOnEngines('a call counts as many requests as its endpoint does; calls and API requests share one quota', async t => {
  const { service, key, post } = await start(t, { per_minute: 100 })
  t.equal((await post(OPENING)).left, 99)
  t.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).left, 98)
  t.equal((await post(request('tools/list'))).left, 97)
  t.equal((await post(call('get_hs_code', { code: '85' }))).left, 96)
  t.equal((await post(call('classify_goods', { texts: ['horses', 'cards', 'tapes'] }))).left, 93)
  t.equal((await post(call('resolve_hs_codes', { codes: ['85', '8523'] }))).left, 91)
  t.equal((await post(call('classify_goods', { texts: ['horses', '  '] }))).left, 90, 'an invalid list counts as one request')
  t.equal(
    (await post(call('resolve_hs_codes', { codes: Array(10_000).fill('85') }))).left,
    83,
    'the list is counted by its size of 49 KiB',
  )
  const texts = Array.from({ length: 20 }, (_, n) => `${n}${' horses'.repeat(68)}`)
  t.equal(
    (await post(call('classify_goods', { texts }))).left,
    63,
    'the list is counted by its items, which are more requests than its 10 KiB',
  )
  t.equal(
    (await post(call('compare_hs_codes', { codes: ['852321', '852329', '852351'] }))).left,
    60,
    'each compared code counts as a request',
  )
  const { headers } = await service.get('/api/v1/hs-codes/85', { 'x-api-key': key.key })
  t.equal(headers.get('x-ratelimit-remaining-minute'), '59')
})

testOnEngines('a list over the quota is a tool error with a sentence, and nothing more is counted', async t => {
  const { post, service } = await start(t, { per_minute: 5 })
  const texts = ['horses', 'cards', 'tapes', 'telephones']
  t.equal((await post(call('get_hs_code', { code: '85' }))).left, 4)
  const first = await post(call('classify_goods', { texts }))
  t.equal(first.left, 0)
  t.equal(first.body.result.structuredContent.items.length, 4)
  const none = { code: 'rate_limit_exceeded', message: /Try again in 60 seconds\./ }
  t.match(await post(OPENING), { status: 429, body: { success: false, error: none } })
  service.clock.forward(60_000)
  await post(OPENING)
  await post(OPENING)
  const over = await post(call('classify_goods', { texts }))
  t.match(over, { status: 200, left: 2, body: { result: { isError: true } } })
  t.match(over.body.result.content[0].text, /needs 3 more requests, and this key has 2 left for now.*try again in 60 seconds/)
  const never = await post(call('classify_goods', { texts: [...texts, ...texts] }))
  t.match(never.body.result.content[0].text, /counts as 8 requests, more than/)
  service.clock.forward(60_000)
  const oneTooMany = await post(call('classify_goods', { texts: [...texts, 'horses', 'cards'] }))
  t.match(oneTooMany.body.result.content[0].text, /counts as 6 requests, more than this key's limit of 5/)
  service.clock.forward(60_000)
  await post(OPENING)
  const asManyAsTheLimit = await post(call('classify_goods', { texts: [...texts, 'horses'] }))
  t.match(asManyAsTheLimit.body.result.content[0].text, /needs 4 more requests, and this key has 3 left for now/)
})

testOnEngines('the error for a list that exceeds the quota of the day says how many requests are left', async t => {
  const { post } = await start(t, { per_minute: 100, per_day: 6 })
  for (let i = 0; i < 3; i++) await post(OPENING)
  const over = await post(call('classify_goods', { texts: ['horses', 'cards', 'tapes', 'telephones'] }))
  t.match(over, { status: 200, left: 96, body: { result: { isError: true } } })
  t.match(over.body.result.content[0].text, /needs 3 more requests, and this key has 2 left for now/)
})

testOnEngines('a batch of messages is refused with a sentence in every revision of the protocol, and counts once', async t => {
  const { post } = await start(t, { per_minute: 100 })
  const batches = [[], [call('get_hs_code', { code: '85' })], [request('ping', {}, 'a'), request('ping', {}, 'b')], [[]]]
  for (const [i, batch] of batches.entries())
    for (const [j, version] of ['2025-03-26', '2025-06-18', '2026-07-28'].entries()) {
      const { status, body, left } = await post(batch, { 'mcp-protocol-version': version })
      t.strictSame([status, left], [400, 99 - 3 * i - j])
      t.match(body, { jsonrpc: '2.0', id: null, error: { code: -32_600, message: /send each message in a request of its own/ } })
    }
})

testOnEngines('requests that are refused before the protocol handles them get the usual error body', async t => {
  const { post, service, url, key } = await start(t, {}, { origins: [PAGE] })
  const refused = (code: string, status: number) => ({ status, body: { success: false, error: { code } } })
  t.match(await post(OPENING, { 'x-api-key': '' }), refused('missing_api_key', 401))
  t.match(await post(OPENING, { 'x-api-key': 'nonsense' }), refused('invalid_api_key', 401))
  t.match(await post('{'), refused('invalid_parameter', 400))
  t.match(await post(OPENING, { 'content-type': 'text/plain' }), refused('unsupported_media_type', 415))
  t.match(await post(`{"a":"${'x'.repeat(1_000_000)}"}`), refused('body_too_large', 413))
  for (const origin of ['https://evil.example', 'null', service.url])
    t.match(await post(OPENING, { origin }), refused('origin_not_allowed', 403), origin)
  const allowed = await post(OPENING, { origin: PAGE })
  t.equal(allowed.status, 200)
  t.equal(allowed.headers.get('access-control-allow-origin'), PAGE)
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { connection: 'close' } })
  t.match(preflight.headers.get('access-control-allow-headers'), /MCP-Protocol-Version, Mcp-Session-Id/)
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(url, { method, headers: { 'x-api-key': key.key, connection: 'close' } })
    t.strictSame([response.status, response.headers.get('allow')], [405, 'POST'])
    t.match(await response.json(), { error: { code: 'method_not_allowed' } })
  }
})

testOnEngines('malformed messages are protocol errors or tool errors, never faults', async t => {
  const { post } = await start(t)
  const codeOf = async (body: unknown, headers = {}) => (await post(body, headers)).body?.error?.code
  for (const body of [null, 7, 'tea', {}, [[]], { jsonrpc: '1.0' }, { jsonrpc: '2.0', id: {}, method: 'tools/list' }])
    t.type(await codeOf(JSON.stringify(body)), 'number', JSON.stringify(body))
  t.equal(await codeOf(request('no/such/method')), -32_601)
  t.equal(await codeOf(call('no_such_tool', {})), -32_602)
  t.equal(await codeOf(request('subscriptions/listen')), -32_601)
  t.equal(await codeOf(request('tools/list'), { 'mcp-protocol-version': '1999-01-01' }), -32_000)
  t.match(await post(request('tools/list'), { 'mcp-session-id': 'of another server' }), { status: 200, body: { result: {} } })
  t.match((await post({ jsonrpc: '2.0', id: 9, result: {} })).status, 202, 'an answer without a request is accepted')
  t.match((await post(call('get_hs_code', { code: { a: 1 } }))).body.result, { isError: true })
  const bare = await post(request('tools/list'), { accept: '*/*' })
  t.match(bare, { status: 200 })
  t.equal(bare.headers.get('content-type'), 'application/json')
})

testOnEngines('a client that disconnects in the middle of a list frees its place', async t => {
  const { url, key, post } = await start(t)
  const body = JSON.stringify(call('classify_goods', { texts: Array(20).fill('horses and other live animals') }))
  const headers = { 'content-type': 'application/json', 'x-api-key': key.key }
  for (let round = 0; round < 20; round++) {
    const controller = new AbortController()
    const gone = fetch(url, { method: 'POST', headers, body, signal: controller.signal })
    setImmediate(() => controller.abort())
    await t.rejects(gone)
  }
  t.match((await post(call('classify_goods', { texts: ['horses', 'cards'] }))).body.result, {
    structuredContent: { items: [{}, {}] },
  })
})

testOnEngines(
  'while Redis decides, a list waits; a refused list is a tool error, and a list is cancelled if its client disconnects',
  async t => {
    const gate = new ManualGate()
    const { post, key, url } = await start(t, {}, { gate })
    gate.setKey(key.record)
    const list = call('classify_goods', { texts: ['horses', 'cards', 'tapes'] })
    const admitted = post(list)
    ;(await gate.nth(1)).decide(Verdict.Admitted)
    const more = await gate.nth(2)
    t.equal(more.requests, 2)
    more.decide(Verdict.Admitted)
    t.match((await admitted).body.result.structuredContent.items, [{}, {}, {}])
    const refused = post(list)
    ;(await gate.nth(3)).decide(Verdict.Admitted)
    ;(await gate.nth(4)).decide(Verdict.OverLimit)
    t.match(await refused, { status: 200, body: { result: { isError: true } } })
    const controller = new AbortController()
    const headers = { 'content-type': 'application/json', 'x-api-key': key.key }
    const gone = fetch(url, { method: 'POST', headers, body: JSON.stringify(list), signal: controller.signal })
    ;(await gate.nth(5)).decide(Verdict.Admitted)
    await gate.nth(6)
    controller.abort()
    await t.rejects(gone)
    await until('the waiter is cancelled', () => gate.cancelled > 0)
  },
)

testOnEngines('a fault in a tool gives a 500 with the usual error body, and is logged', async t => {
  const faults: unknown[] = []
  const catalog = await fixtureCatalog()
  const { post } = await start(t, {}, { onFault: error => faults.push(error) }, catalog)
  Object.defineProperty(catalog, 'notes', { value: undefined })
  t.match(await post(call('get_hs_code', { code: '85' })), { status: 500, body: { error: { code: 'internal_error' } } })
  t.equal(faults.length, 1)
  t.match(await post(call('search_hs_codes', { query: 'horses' })), { status: 200 })
})

t.test('when MCP is off, the path /mcp does not exist', async t => {
  const service = await startService(t, [], await fixtureCatalog())
  t.match(await service.post('/mcp', OPENING), { status: 404, body: { error: { code: 'route_not_found' } } })
})
