import { type IncomingMessage, request } from 'node:http'
import tap, { type Test } from 'tap'
import { Gate } from '../../src/gate/gate.js'
import type { EngineName } from '../../src/http/engine.js'
import { openEngine } from '../../src/http/engines.js'
import type { Route } from '../../src/http/routes.js'
import { Server, type ServerOptions } from '../../src/http/server.js'
import { type Answer, validateAnswer } from '../support/contract.js'
import {
  ENGINES,
  fixtureCatalog,
  MovableClock,
  makeKey,
  type TestKey,
  UNREAD_BYTES_MAX,
} from '../support/service.js'

const PATH = '/api/v1/hs-codes/85'
const KEYED = [PATH, `${PATH}/children`, '/api/v1/search?q=aa', '/api/v1/tariff/calculate']
const LIMIT = 5

interface Asking {
  path?: string
  method?: string
  key?: string
  /** The loopback network has many addresses to ask from. */
  from?: string
  host?: string
  forwardedFor?: string | string[]
}

type Ask = (asking?: Asking) => Promise<Answer>

function asker(port: number): Ask {
  return async ({ path = PATH, method = 'GET', key, from, host = '127.0.0.1', forwardedFor } = {}) => {
    const headers: Record<string, string | string[]> = { connection: 'close' }
    if (key !== undefined) headers['x-api-key'] = key
    if (forwardedFor !== undefined) headers['x-forwarded-for'] = forwardedFor
    if (method === 'POST') headers['content-type'] = 'application/json'
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const socket = { host, port, agent: false, ...(from ? { localAddress: from } : {}) }
      request({ ...socket, path, method, headers }, resolve)
        .on('error', reject)
        .end(method === 'POST' ? '{}' : undefined)
    })
    const text = Buffer.concat(await response.toArray()).toString()
    const answer: Answer = {
      status: response.statusCode as number,
      headers: new Headers(response.headers as Record<string, string>),
      text,
      body: text === '' ? undefined : JSON.parse(text),
    }
    if (path !== POSTED) validateAnswer(method, path, answer)
    return answer
  }
}

const POSTED = '/posted'
const ROUTES: Route[] = [
  {
    kind: 'body',
    path: POSTED,
    prepare: () => ({ answer: (_body, out) => out.openData().ascii('1').endRecord() }),
  },
]

/** The same guarantee on every engine; `start` gives a server of its own. */
function testOnEngines(
  name: string,
  run: (
    t: Test,
    start: (
      keys: TestKey[],
      options?: Partial<ServerOptions>,
      host?: string,
    ) => Promise<{ ask: Ask; clock: MovableClock }>,
  ) => Promise<void>,
): void {
  for (const engine of ENGINES)
    tap.test(`${name} (${engine})`, t =>
      run(t, async (keys, options = {}, host = '127.0.0.1') => {
        const clock = new MovableClock()
        const port = await serve(t, engine, keys, { unauthorizedPerMinute: LIMIT, ...options, clock }, host)
        return { ask: asker(port), clock }
      }),
    )
}

async function serve(
  t: Test,
  engine: EngineName,
  keys: TestKey[],
  options: Partial<ServerOptions> & { clock: MovableClock },
  host: string,
): Promise<number> {
  const gate = new Gate()
  gate.setKeys(keys.map(({ record }) => record))
  const onFault = (error: unknown) => t.fail(String(error))
  const server = new Server({ engine: openEngine(engine, UNREAD_BYTES_MAX), gate, onFault, ...options })
  const port = await server.listen(host, 0)
  server.serve(await fixtureCatalog())
  t.teardown(() => server.close())
  return port
}

async function offend(ask: Ask, t: Test, asking: Asking = {}): Promise<void> {
  for (let i = 0; i < LIMIT; i++) t.equal((await ask({ key: 'wrong', ...asking })).status, 401)
}

testOnEngines(
  'after so many 401s an address gets 429 from every keyed path, its good keys included',
  async (t, start) => {
    const key = makeKey('pro')
    const { ask, clock } = await start([key])
    await offend(ask, t)
    clock.forward(12_500)
    for (const path of KEYED)
      for (const method of ['GET', 'HEAD'])
        for (const sent of ['wrong', undefined, key.key]) {
          const { status, headers, body } = await ask({ path, method, ...(sent ? { key: sent } : {}) })
          t.equal(status, 429, `${method} ${path}`)
          t.equal(headers.get('retry-after'), '48')
          t.equal(headers.get('x-ratelimit-limit-minute'), '30', 'the Free tier, untouched')
          t.equal(headers.get('x-ratelimit-remaining-minute'), '30')
          t.equal(headers.get('x-ratelimit-limit-day'), '1000')
          t.equal(headers.get('x-ratelimit-remaining-day'), '1000')
          if (method === 'HEAD') continue
          t.equal(body.error.code, 'rate_limit_exceeded')
          t.match(body.error.message, /^Too many requests without a valid key came from your address; .*\.$/)
        }
    clock.forward(47_499)
    t.equal((await ask({ key: key.key })).headers.get('retry-after'), '1')
    clock.forward(1)
    const { status, headers } = await ask({ key: key.key })
    t.equal(status, 200, 'until its minute is over')
    t.equal(headers.get('x-ratelimit-remaining-minute'), '199', 'nothing was charged meanwhile')
    await offend(ask, t)
    t.equal((await ask({ key: key.key })).status, 429, 'and so it begins again')
  },
)

testOnEngines('what needs no key is answered as ever', async (t, start) => {
  const { ask } = await start([])
  await offend(ask, t)
  t.equal((await ask()).status, 429)
  t.equal((await ask({ path: '/api/v1/health' })).status, 200)
  t.equal((await ask({ path: '/openapi.json' })).status, 200)
  t.equal((await ask({ path: '/nowhere' })).status, 404)
  t.equal((await ask({ method: 'DELETE' })).status, 405)
})

testOnEngines('other addresses never notice', async (t, start) => {
  const key = makeKey('pro')
  const { ask } = await start([key])
  await offend(ask, t, { from: '127.0.0.2' })
  t.equal((await ask({ from: '127.0.0.2', key: key.key })).status, 429)
  t.equal((await ask({ from: '127.0.0.3', key: key.key })).status, 200)
  t.equal((await ask({ from: '127.0.0.3', key: 'wrong' })).status, 401)
})

testOnEngines('only 401s count: missing, unknown and expired keys', async (t, start) => {
  const key = makeKey('free', { per_minute: 3 })
  const expired = makeKey('free', { expires_at: '2026-05-03' })
  const { ask } = await start([key, expired])
  for (let i = 0; i < 2 * LIMIT; i++) {
    await ask({ path: '/api/v1/health', key: 'wrong' })
    await ask({ path: '/nowhere' })
    await ask({ method: 'DELETE' })
    t.equal((await ask({ key: key.key })).status, i < 3 ? 200 : 429, 'its quota is used up')
  }
  for (const sent of [undefined, 'wrong', expired.key, undefined, expired.key])
    t.equal((await ask({ ...(sent ? { key: sent } : {}) })).status, 401)
  t.match((await ask({ key: key.key })).body.error.message, /from your address/)
})

testOnEngines('paths that take a body count and shed likewise', async (t, start) => {
  const key = makeKey('pro')
  const { ask } = await start([key], { routes: ROUTES })
  const posting = { path: POSTED, method: 'POST' }
  t.equal((await ask({ ...posting, key: key.key })).status, 200)
  await offend(ask, t, posting)
  const { status, headers } = await ask({ ...posting, key: key.key })
  t.equal(status, 429)
  t.equal(headers.get('retry-after'), '60')
})

testOnEngines('with a limit of 0 nobody is shed', async (t, start) => {
  const { ask } = await start([], { unauthorizedPerMinute: 0 })
  for (let i = 0; i < 4; i++) await offend(ask, t)
})

testOnEngines(
  'behind a trusted proxy the forwarded address counts, and no other proxy is believed',
  async (t, start) => {
    const key = makeKey('pro')
    const { ask } = await start([key], { trustedProxies: [{ address: '127.0.0.1', bits: 32 }] })
    await offend(ask, t, { forwardedFor: '198.51.100.1' })
    const status = async (asking: Asking) => (await ask({ key: key.key, ...asking })).status
    t.equal(await status({ forwardedFor: '198.51.100.1' }), 429)
    t.equal(await status({ forwardedFor: '203.0.113.5, 198.51.100.1, 127.0.0.1' }), 429)
    t.equal(await status({ forwardedFor: ['203.0.113.5', '198.51.100.1'] }), 429, 'on a line of its own')
    t.equal(await status({ forwardedFor: '198.51.100.2' }), 200)
    t.equal(await status({}), 200)
    t.equal(await status({ from: '127.0.0.2', forwardedFor: '198.51.100.1' }), 200, 'not by that proxy')
  },
)

testOnEngines('a socket for both families counts IPv4 callers by their own addresses', async (t, start) => {
  const key = makeKey('pro')
  const { ask } = await start([key], {}, '::').catch(() => ({ ask: undefined }))
  if (ask === undefined) return void t.pass('no IPv6 here')
  await offend(ask, t, { from: '127.0.0.2' })
  t.equal((await ask({ from: '127.0.0.2', key: key.key })).status, 429)
  t.equal((await ask({ from: '127.0.0.3', key: key.key })).status, 200)
  t.equal((await ask({ host: '::1', key: key.key })).status, 200)
  await offend(ask, t, { host: '::1' })
  t.equal((await ask({ host: '::1', key: key.key })).status, 429)
})
