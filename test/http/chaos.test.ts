/** Injected faults, as a client sees them. */
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import type { Engine, EngineName, Handler, HttpRequest, HttpResponse } from '../../src/engines/engine.js'
import { openEngine } from '../../src/engines/engines.js'
import { Gate } from '../../src/gate/gate.js'
import { Chaos, paceOf } from '../../src/http/chaos.js'
import { Server } from '../../src/http/server.js'
import { parsePlan } from '../../src/load-kit/chaos/expression.js'
import { Tally } from '../../src/metrics/tally.js'
import type { Access } from '../../src/responses/observer.js'
import { Connection, raw } from '../support/raw.js'
import { ask, ENGINES, fixtureCatalog, MovableClock, makeKey, UNREAD_BYTES_MAX } from '../support/service.js'

const LOOKUP = '/api/v1/hs-codes/85'
const catalog = await fixtureCatalog()

async function open(t: Test, name: EngineName, expression: string, heldMax?: number) {
  const key = makeKey('pro')
  const gate = new Gate()
  gate.setKey(key.record)
  const tally = new Tally()
  const logged: Access[] = []
  const engine = openEngine(name, UNREAD_BYTES_MAX)
  const chaos = new Chaos(engine.sender, parsePlan(expression), 0, tally, heldMax)
  const server = new Server({
    engine,
    gate,
    clock: new MovableClock(),
    onFault: error => t.fail(String(error)),
    tally,
    access: access => logged.push(access),
    origins: ['https://www.example.com'],
    chaos,
  })
  const port = await server.listen('127.0.0.1', 0)
  server.serve(catalog)
  t.teardown(() => server.close({ finishMs: 0, drainMs: 100 }))
  const url = `http://127.0.0.1:${port}`
  const auth = { 'x-api-key': key.key }
  const get = (path = LOOKUP, method = 'GET', headers: Record<string, string> = auth) => ask(url, path, headers, method)
  const post = (path: string, body: unknown) =>
    ask(url, path, { ...auth, 'content-type': 'application/json' }, 'POST', JSON.stringify(body))
  const left = async () => Number((await get('/api/v1/health')).headers.get('x-ratelimit-remaining-minute'))
  return { get, post, left, port, url, tally, logged, chaos, server, engine, key: key.key }
}

async function untilHeld(tally: Tally, count: number): Promise<void> {
  while (tally.get('chaosLatency') < count) await new Promise(done => setTimeout(done, 2))
}

const chaosOf = ({ headers }: { headers: Headers }) => headers.get('x-hsapi-chaos')

for (const engine of ENGINES) {
  t.test(`a latency delays the answer and is in its header; the logged time includes it (${engine})`, async t => {
    const { get, post, left, tally, logged } = await open(t, engine, 'latency=20..30ms')
    for (const answer of [
      await get(),
      await get(LOOKUP, 'HEAD'),
      await get('/api/v1/hs-codes/77'),
      await get('/nowhere'),
      await get(LOOKUP, 'GET', {}),
      await post('/api/v1/resolve', { codes: ['85', '01'] }),
    ]) {
      t.match(chaosOf(answer), /^latency=(?:2[0-9]|30)ms$/)
    }
    t.match(await post('/api/v1/tariff/calculate', { items: [{ hs_code: '85', value: 100 }] }), {
      status: 200,
      body: { success: true },
    })
    t.equal(tally.get('chaosLatency'), 7)
    t.ok(logged.every(({ microseconds }) => microseconds >= 20_000))
    t.strictSame(
      logged.map(({ status }) => status),
      [200, 200, 404, 404, 401, 200, 200],
    )
    t.equal(await left(), 200 - 3 - 2 - 1, 'all requests count as usual')
  })

  t.test(`an injected status is the usual refusal, sent before the key is checked (${engine})`, async t => {
    const expected = {
      503: { code: 'db_unavailable', retry: '1' },
      429: { code: 'rate_limit_exceeded', retry: '1' },
      500: { code: 'internal_error', retry: null },
    }
    for (const [status, { code, retry }] of Object.entries(expected)) {
      const { get, post, left, tally, logged } = await open(t, engine, `status=${status}`)
      const origin = { origin: 'https://www.example.com' }
      for (const answer of [await get(), await get(LOOKUP, 'GET', origin), await post('/api/v1/resolve', {})]) {
        t.equal(answer.status, Number(status))
        t.equal(answer.body.error.code, code)
        t.equal(answer.headers.get('retry-after'), retry)
        t.equal(chaosOf(answer), `status=${status}`)
      }
      t.equal((await get(LOOKUP, 'GET', origin)).headers.get('access-control-allow-origin'), origin.origin)
      t.equal((await get(LOOKUP, 'HEAD')).status, Number(status))
      t.equal(tally.get('chaosStatus'), 5)
      t.strictSame([...new Set(logged.map(({ keyId }) => keyId))], [''])
      t.equal(await left(), 200, 'nothing was counted')
    }
  })

  t.test(`a reset ends the connection without an answer, at once or later (${engine})`, async t => {
    for (const expression of ['reset', 'reset,latency=5ms,status=503']) {
      const { port, left, tally, logged, key } = await open(t, engine, expression)
      t.equal(await raw(port, `GET ${LOOKUP} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n\r\n`), '')
      t.equal(tally.get('chaosReset'), 1)
      t.equal(tally.get('chaosStatus'), 0)
      t.equal(logged.length, 0, 'a request without an answer is not logged')
      t.equal(await left(), 200)
    }
  })

  t.test(`a slow body arrives complete, in pieces (${engine})`, async t => {
    const { get, post, tally, logged, chaos } = await open(t, engine, 'off')
    const children = '/api/v1/hs-codes/85/children'
    const whole = await get(children)
    t.equal(chaosOf(whole), null)
    chaos.setPlan(parsePlan('slow-body=200KB/s'))
    const slow = await get(children)
    t.equal(chaosOf(slow), 'slow-body=200KB/s')
    t.strictSame(slow.body.data, whole.body.data)
    t.equal(slow.headers.get('content-length'), whole.headers.get('content-length'))
    t.equal((await post('/api/v1/resolve', { codes: ['85'] })).body.data.length, 1)
    t.equal(tally.get('chaosSlowBody'), 2)
    const head = await get(children, 'HEAD')
    t.equal(chaosOf(head), null, 'a HEAD response has no body to slow down')
    t.equal(tally.get('chaosSlowBody'), 2)
    chaos.setPlan(parsePlan('slow-body=5KB/s, latency=5ms'))
    t.match(chaosOf(await get()), /^latency=5ms, slow-body=5KB\/s$/)
    t.ok(logged.every(({ status }) => status === 200))
  })

  t.test(`rules for a path do not affect other paths; health is affected only if a rule names it (${engine})`, async t => {
    const { get, chaos } = await open(t, engine, '/api/v1/hs-codes/*: status=503')
    t.equal((await get()).status, 503)
    t.equal((await get('/api/v1/chapters')).status, 200)
    chaos.setPlan(parsePlan('status=503'))
    t.equal((await get('/api/v1/chapters')).status, 503)
    t.equal((await get('/api/v1/health')).status, 200)
    chaos.setPlan(parsePlan('/api/v1/health: latency=1ms'))
    t.equal(chaosOf(await get('/api/v1/health')), 'latency=1ms')
    t.equal((await get()).status, 200)
  })

  t.test(`the same requests in the same order get the same faults (${engine})`, async t => {
    const expression = 'latency=1..9ms@30%,status=503@20%,status=429@10%,slow-body=100KB/s@20%;seed=7'
    const met = async () => {
      const { get } = await open(t, engine, expression)
      const all: string[] = []
      for (let n = 0; n < 40; n++) {
        const answer = await get()
        all.push(`${answer.status} ${chaosOf(answer)}`)
      }
      return all
    }
    const first = await met()
    t.ok(new Set(first).size > 4)
    t.strictSame(await met(), first)
  })

  t.test(
    `after disconnects, pipelined requests and a full queue, all slots for delayed responses are free again (${engine})`,
    async t => {
      const { get, port, chaos, engine: at } = await open(t, engine, 'latency=50ms@50%,slow-body=1KB/s@50%', 8)
      const request = `GET ${LOOKUP} HTTP/1.1\r\nHost: a\r\n\r\n`
      const lane = async (count: number) => {
        const connection = await Connection.open(port)
        connection.send(request.repeat(count))
        await new Promise(done => setTimeout(done, 20))
        connection.socket.destroy()
        await connection.closed
      }
      await Promise.all(Array.from({ length: 24 }, (_, i) => lane(i % 3 === 0 ? 5 : 1)))
      while (at.connections > 0) await new Promise(done => setTimeout(done, 5))
      chaos.setPlan(parsePlan('latency=1ms'))
      t.equal(chaosOf(await get()), 'latency=1ms', 'the request gets a slot for its delay')
    },
  )

  t.test(`beyond the limit of delayed responses, requests get no faults (${engine})`, async t => {
    const { get, port, tally } = await open(t, engine, 'latency=60s', 1)
    const held = await Connection.open(port)
    held.send(`GET ${LOOKUP} HTTP/1.1\r\nHost: a\r\n\r\n`)
    await untilHeld(tally, 1)
    t.equal(chaosOf(await get()), null)
    held.socket.destroy()
    await held.closed
  })

  t.test(`a delayed response ends its connection when the server stops (${engine})`, async t => {
    for (const expression of ['latency=600ms', 'latency=600ms,slow-body=20KB/s']) {
      const { port, server, key, tally } = await open(t, engine, expression)
      const requests = ['GET', 'HEAD'].map(async method => {
        const connection = await Connection.open(port)
        connection.send(`${method} ${LOOKUP} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key}\r\n\r\n`)
        return connection
      })
      const connections = await Promise.all(requests)
      await untilHeld(tally, 2)
      const closed = server.close({ finishMs: 5_000, drainMs: 5_000 })
      for (const connection of connections) {
        await connection.until(/HTTP\/1.1 200/)
        await connection.until(/Connection: close/i)
        connection.socket.end()
      }
      await closed
    }
  })
}

/** An engine that only records calls. */
class Recorder implements Engine {
  async renewCertificate() {}
  readonly name = 'node'
  readonly handlers: Handler[] = []
  stack = ''
  readonly sender = {
    send: () => {
      this.stack = new Error().stack ?? ''
    },
    sendHead: () => {},
  }
  readonly connections = 0
  route(_method: string, _pattern: string, handler: Handler): void {
    this.handlers.push(handler)
  }
  listen = async () => 0
  listenUnix = async () => {}
  async stopListening(): Promise<void> {}
  close(): void {}
}

t.test('without HSAPI_CHAOS, a request runs no code for faults; with HSAPI_CHAOS, even if it is "off", it does', async t => {
  const request = {
    getMethod: () => 'get',
    getUrl: () => '/',
    getQuery: () => '',
    getHeader: () => '',
    forEach: () => {},
    getParameter: () => '',
  } as HttpRequest
  const wayTo = (expression: string | undefined) => {
    const engine = new Recorder()
    const chaos = expression === undefined ? undefined : new Chaos(engine.sender, parsePlan(expression))
    new Server({ engine, gate: new Gate(), clock: new MovableClock(), onFault: () => {}, chaos })
    return engine.handlers.map(handler => {
      engine.stack = ''
      handler({} as HttpResponse, request)
      return engine.stack.split('\n').filter(line => /chaos\.[jt]s/.test(line) && !line.includes('.test.')).length
    })
  }
  const plain = wayTo(undefined)
  t.ok(plain.length > 20)
  t.strictSame(new Set(plain), new Set([0]))
  t.notOk(wayTo('off').every(frames => frames === 0))
})

t.test('pieces of a slow body are small and keep to the rate', async t => {
  for (const rate of [1, 7, 10, 100, 1024, 80_000, 1024 * 1024]) {
    const { pieceBytes, intervalMs } = paceOf(rate)
    t.ok(Number.isInteger(pieceBytes) && pieceBytes >= 1 && pieceBytes <= 8_192)
    t.ok(intervalMs <= 1_000 && Math.abs((pieceBytes / intervalMs) * 1000 - rate) < 1e-6, String(rate))
  }
})

t.test('a delayed response is held once, and each fault is counted only if it occurs', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const tally = new Tally()
  const sent: string[] = []
  const sender = { send: () => sent.push('body'), sendHead: () => sent.push('head') } as never
  const chaos = new Chaos(sender, parsePlan('latency=50ms'), 0, tally)
  let aborted = () => {}
  const res = {
    onAborted: (forget: () => void) => {
      aborted = forget
    },
    cork: (write: () => void) => write(),
    close: () => {},
  } as never
  const out = { addDelay: () => {} } as never
  const answer = () => chaos.send(res, new ArrayBuffer(0), new Uint8Array(3), false)
  const request = { getUrl: () => '/' } as never
  const figures = () => (['chaosLatency', 'chaosStatus', 'chaosSlowBody'] as const).map(name => tally.get(name))
  chaos.wrap(answer, () => t.fail('refused'))(request, out, res)
  t.equal(chaos.held, 1)
  mock.timers.tick(50)
  t.strictSame([chaos.held, sent], [0, ['body']])
  aborted()
  t.equal(chaos.held, 0, 'the end of the connection is not counted a second time')
  t.strictSame(figures(), [1, 0, 0])
  chaos.setPlan(parsePlan('status=503'))
  chaos.wrap(() => t.fail('answered'), answer)(request, out, res)
  t.strictSame(figures(), [1, 1, 0])
})
