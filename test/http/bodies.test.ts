import { ROUTES } from '../../src/http/api-routes.js'
import type { Exchange } from '../../src/http/exchange.js'
import { MCP_PATH, type Route } from '../../src/http/routes.js'
import { BODY_BYTES_MAX, BODY_PIECES_MAX } from '../../src/limits.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { asset } from '../support/asset.js'
import { ManualGate } from '../support/manual-gate.js'
import { Connection } from '../support/raw.js'
import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'
import { until } from '../support/until.js'

/** Answers with the number of items; refuses anything except a list. */
const COUNTING: Route[] = [
  {
    kind: 'body',
    path: '/count',
    prepare: catalog => body => ({
      requests: 1,
      answer: out => {
        if (!Array.isArray(body)) throw new Error('no list')
        out
          .openData()
          .decimal(body.length)
          .ascii(`,"edition":${JSON.stringify(catalog.meta.edition)}`)
          .endRecord()
      },
    }),
  },
  {
    kind: 'keyed',
    path: '/both',
    prepare: () => ({ handle: (_req, out) => out.openData().ascii('"got"').endRecord() }),
  },
  {
    kind: 'body',
    path: '/both',
    prepare: () => () => ({ requests: 1, answer: out => out.openData().ascii('"posted"').endRecord() }),
  },
  asset('/page', new TextEncoder().encode('<p>سلام</p>'), {
    contentType: 'text/html; charset=utf-8',
    headers: { 'Cache-Control': 'max-age=60', 'Content-Security-Policy': "default-src 'none'" },
  }),
]

const JSON_TYPE = { 'content-type': 'application/json' }

testOnEngines('a JSON body is received up to the limit and charged once', async t => {
  const key = makeKey('free')
  const { url } = await startService(t, [key], await fixtureCatalog(), COUNTING)
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${url}/count`, {
      method: 'POST',
      body,
      headers: { 'x-api-key': key.key, ...JSON_TYPE, connection: 'close', ...headers },
    })
  const left = (answer: Response) => Number(answer.headers.get('x-ratelimit-remaining-minute'))
  const good = await post('[1,2,"ثلاثة"]')
  t.equal(good.status, 200)
  t.match(await good.text(), /^\{"success":true,"data":3,/)
  t.equal(left(good), 29)
  t.equal((await post('[]', { 'content-type': 'Application/JSON; charset=utf-8' })).status, 200)
  const large = await post(`[${'1,'.repeat(BODY_BYTES_MAX / 2 - 2)}12]`)
  t.equal(large.status, 200, 'a body of exactly the limit is accepted')
  t.match(await large.text(), /"data":32767,/)

  for (const [body, headers, status, code] of [
    ['[1', {}, 400, 'invalid_parameter'],
    ['', {}, 400, 'invalid_parameter'],
    [Buffer.from([34, 0xff, 34]), {}, 400, 'invalid_parameter'],
    ['[]', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['[]', { 'content-type': 'application/json-patch+json' }, 415, 'unsupported_media_type'],
    [`[${'1,'.repeat(BODY_BYTES_MAX / 2)}1]`, {}, 413, 'body_too_large'],
    ['7', {}, 500, 'internal_error'],
  ] as const) {
    const answer = await post(body as string, headers)
    t.equal(answer.status, status, code)
    t.equal(((await answer.json()) as { error: { code: string } }).error.code, code)
    if (status !== 500) t.ok(left(answer) < 30, 'the request was charged')
  }
  for (const [headers, code] of [
    [{ 'x-api-key': '' }, 'missing_api_key'],
    [{ 'x-api-key': 'wrong' }, 'invalid_api_key'],
  ] as const) {
    const answer = await post('[]', headers)
    t.equal(answer.status, 401)
    t.equal(((await answer.json()) as { error: { code: string } }).error.code, code)
  }
  const before = left(await post('[]'))
  for (let i = 0; i < before; i++) await post('[]')
  const refused = await post('[]')
  t.equal(refused.status, 429)
  t.ok(Number(refused.headers.get('retry-after')) > 0)
})

testOnEngines('before it is parsed, a body is charged one request per 8 KiB; if it has more items, one per item', async t => {
  const parsed: number[] = []
  const route: Route = {
    kind: 'body',
    path: '/sized',
    prepare: () => body => {
      parsed.push((body as string[]).length)
      return { requests: (body as string[]).length, answer: out => out.openData().ascii('"done"').endRecord() }
    },
  }
  const key = makeKey('free', { per_minute: 20, per_day: 1_000 })
  const { url, clock } = await startService(t, [key], await fixtureCatalog(), [route])
  const post = async (items: number, bytes: number, end = '') => {
    const empty = JSON.stringify(Array(items).fill(''))
    const body = `["${'x'.repeat(bytes - empty.length - end.length)}${empty.slice(2)}${end}`
    const answer = await fetch(`${url}/sized`, {
      method: 'POST',
      body,
      headers: { 'x-api-key': key.key, ...JSON_TYPE, connection: 'close' },
    })
    return {
      status: answer.status,
      left: Number(answer.headers.get('x-ratelimit-remaining-minute')),
      text: await answer.text(),
    }
  }
  const used = async (items: number, bytes: number, end?: string) => {
    clock.forward(60_000)
    const { left, status } = await post(items, bytes, end)
    return [status, 20 - left]
  }
  t.strictSame(await used(1, 8 * 1024), [200, 1])
  t.strictSame(await used(1, 8 * 1024 + 1), [200, 2])
  t.strictSame(await used(1, 60 * 1024), [200, 8])
  t.strictSame(await used(12, 60 * 1024), [200, 12])
  t.strictSame(await used(1, 60 * 1024, '?'), [400, 8], 'a body that is not JSON is charged as well')
  parsed.length = 0
  clock.forward(60_000)
  for (let n = 0; n < 2; n++) await post(1, 60 * 1024)
  const refused = await post(1, 60 * 1024)
  t.equal(refused.status, 429)
  t.equal(parsed.length, 2, 'a body that the quota refuses is not parsed')
})

testOnEngines('a body may come in many pieces or without a length, and its sender may disconnect', async t => {
  const key = makeKey('free')
  const { port, faults, url } = await startService(t, [key], await fixtureCatalog(), COUNTING)
  const head = `POST /count HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key.key}\r\nContent-Type: application/json\r\n`
  const slow = await Connection.open(port)
  slow.send(`${head}Content-Length: 9\r\n\r\n`)
  // an answer on another connection shows that the server has read what was sent before
  const untilRead = async () => (await fetch(`${url}/page`, { headers: { connection: 'close' } })).arrayBuffer()
  for (const piece of ['[1,', '2,3', ',4]']) {
    await untilRead()
    slow.send(piece)
  }
  await slow.until(/"data":4/)
  slow.text = ''
  slow.send(`${head}Transfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n`)
  await slow.until(/"data":2/)
  slow.socket.destroy()

  const gone = await Connection.open(port)
  gone.send(`${head}Content-Length: 100\r\n\r\n[1,`)
  await untilRead()
  gone.socket.destroy()
  await gone.closed
  const answer = await fetch(`${url}/count`, { method: 'POST', headers: { connection: 'close' } })
  t.equal(answer.status, 401)
  t.strictSame(faults, [])
})

const posting = (key: string, more: string) =>
  `POST /count HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n${more}\r\n`
const statusOf = (connection: Connection) => /^HTTP\/1\.1 (\d+)/.exec(connection.text)?.[1]

testOnEngines('one request is charged before the body is read, and the limit headers of the answer include it', async t => {
  const [key, other] = [makeKey('free'), makeKey('pro')]
  const { port, get } = await startService(t, [key, other], await fixtureCatalog(), [...COUNTING, ...ROUTES])
  const left = async () => (await get('/api/v1/health', { 'x-api-key': key.key })).headers.get('x-ratelimit-remaining-minute')
  const untilLeft = async (wanted: string) => {
    for (const deadline = Date.now() + 5_000; (await left()) !== wanted; )
      if (Date.now() > deadline) throw new Error(`${await left()} requests are left, not ${wanted}`)
  }
  const slow = await Connection.open(port)
  slow.send(`${posting(key.key, 'Content-Length: 9\r\n')}[1,`)
  await untilLeft('29')
  t.equal((await get('/api/v1/hs-codes/85', { 'x-api-key': other.key })).status, 200)
  slow.send('2,3,4]')
  await slow.until(/"data":4/)
  t.match(slow.text, /X-RateLimit-Limit-Minute: 30\r\nX-RateLimit-Remaining-Minute: 29\r\n/)
  t.equal(await left(), '29')
  slow.socket.destroy()

  const gone = await Connection.open(port)
  gone.send(`${posting(key.key, 'Content-Length: 9\r\n')}[1,`)
  await untilLeft('28')
  gone.socket.destroy()
  await gone.closed
  t.equal(await left(), '28', 'the request is charged even if its body never arrives')
})

testOnEngines('a body in thousands of pieces is read; with too many pieces, its connection is closed', async t => {
  const key = makeKey('free')
  const { port, get } = await startService(t, [key], await fixtureCatalog(), [...COUNTING, ...ROUTES])
  const inPieces = (text: string) => Array.from(text, char => `1\r\n${char}\r\n`).join('')
  const head = posting(key.key, 'Transfer-Encoding: chunked\r\n')
  const text = `[${'1,'.repeat((BODY_PIECES_MAX - 4) / 2)}1]`
  const many = await Connection.open(port)
  many.send(`${head}${inPieces(text)}0\r\n\r\n`)
  await many.until(/"data":2047/)
  many.socket.destroy()

  const tooMany = await Connection.open(port)
  tooMany.send(head + inPieces(' '.repeat(2 * BODY_PIECES_MAX)))
  await tooMany.closed
  t.equal(tooMany.text, '')
  const { headers } = await get('/api/v1/health', { 'x-api-key': key.key })
  t.equal(headers.get('x-ratelimit-remaining-minute'), '28', 'the request counts')
})

testOnEngines('the memory of unfinished bodies is bounded, per key and in total', async t => {
  const keys = [makeKey('free'), makeKey('free'), makeKey('free')]
  const bodyBounds = { keyBytesMax: 4_000, bytesMax: 6_000 }
  const { port } = await startService(t, keys, await fixtureCatalog(), COUNTING, { bodyBounds })
  const begin = async (key: number, bytes: number) => {
    const connection = await Connection.open(port)
    t.teardown(() => connection.socket.destroy())
    const text = `[${' '.repeat(bytes - 1)}`
    connection.send(`${posting(keys[key]?.key ?? '', `Content-Length: ${bytes + 1}\r\n`)}${text}`)
    return connection
  }
  /** Sends the start of a body and waits until the server has read it, which an answer on another connection shows. */
  const held = async (key: number, bytes: number) => {
    const connection = await begin(key, bytes)
    const probe = await begin(key, 5_000)
    await probe.until(/"meta"/)
    return connection
  }
  const first = await held(0, 2_500)
  const ofKey = await begin(0, 2_000)
  await ofKey.until(/"meta"/)
  t.equal(statusOf(ofKey), '503')
  t.match(ofKey.text, /retry-after: 1\r\n/i)
  t.match(ofKey.text, /"busy","message":"This key has too many unfinished request bodies/)

  const second = await held(1, 2_500)
  const ofAll = await begin(2, 2_000)
  await ofAll.until(/"meta"/)
  t.equal(statusOf(ofAll), '503')
  t.match(ofAll.text, /retry-after: 1\r\n/i)
  t.match(ofAll.text, /"busy","message":"The server has too many unfinished request bodies/)

  first.send(']')
  await first.until(/"data":0/)
  second.socket.destroy()
  await second.closed
  const again = await held(2, 2_500)
  again.send(']')
  await again.until(/"data":0/)
  t.equal(statusOf(again), '200', 'bodies that are complete or abandoned free their memory')
})

testOnEngines('a body may use all the memory of its key', async t => {
  const key = makeKey('free')
  const bodyBounds = { keyBytesMax: 2_000, bytesMax: 2_000 }
  const { port, url } = await startService(t, [key], await fixtureCatalog(), COUNTING, { bodyBounds })
  const connection = await Connection.open(port)
  t.teardown(() => connection.socket.destroy())
  connection.send(`${posting(key.key, 'Content-Length: 2000\r\n')}[`)
  await (await fetch(`${url}/page`, { headers: { connection: 'close' } })).arrayBuffer()
  connection.send(`${' '.repeat(1_998)}]`)
  await connection.until(/"meta"/)
  t.equal(statusOf(connection), '200')
})

testOnEngines('a body takes memory as it arrives, and never more than its announced length', async t => {
  const key = makeKey('free')
  const { port, url } = await startService(t, [key], await fixtureCatalog(), COUNTING, { bodyBounds: { keyBytesMax: 4_000 } })
  const untilRead = async () => (await fetch(`${url}/page`, { headers: { connection: 'close' } })).arrayBuffer()
  const announced = async (bytes: number, start: number) => {
    const connection = await Connection.open(port)
    t.teardown(() => connection.socket.destroy())
    connection.send(`${posting(key.key, `Content-Length: ${bytes}\r\n`)}[${' '.repeat(start - 1)}`)
    await untilRead()
    return connection
  }
  const long = await announced(60_000, 100)
  t.equal(long.text, '', 'the rest of the body may still be sent')
  long.socket.destroy()
  await long.closed
  const whole = await announced(3_000, 2_100)
  whole.send(' '.repeat(800))
  await untilRead()
  whole.send(`${' '.repeat(99)}]`)
  await whole.until(/"meta"/)
  t.equal(statusOf(whole), '200')
})

const COUNTED: Route = {
  kind: 'body',
  path: '/count',
  prepare: () => body => {
    const { length } = body as unknown[]
    return { requests: length, answer: out => out.openData().decimal(length).endRecord() }
  },
}

testOnEngines('a body is received while a shared store decides on its first request', async t => {
  const key = makeKey('free')
  const gate = new ManualGate()
  gate.setKey(key.record)
  const { port } = await startService(t, [key], await fixtureCatalog(), [COUNTED], { gate })
  const post = async (text: string) => {
    const connection = await Connection.open(port)
    connection.send(`${posting(key.key, 'Content-Length: 7\r\n')}${text}`)
    return connection
  }
  const whole = await post('[1,2,3]')
  const one = await gate.nth(1)
  t.equal(one.requests, 1)
  one.decide(Verdict.Admitted)
  const rest = await gate.nth(2)
  t.equal(rest.requests, 2)
  t.equal(whole.text, '')
  rest.decide(Verdict.Admitted)
  await whole.until(/"data":3/)

  const late = await post('[1,2')
  ;(await gate.nth(3)).decide(Verdict.Admitted)
  late.send(',3]')
  ;(await gate.nth(4)).decide(Verdict.OverLimit)
  await late.until(/"rate_limit_exceeded"/)

  const refused = await post('[1,2')
  ;(await gate.nth(5)).decide(Verdict.OverLimit)
  await refused.until(/"rate_limit_exceeded"/)

  const gone = await post('[1,2')
  await gate.nth(6)
  gone.socket.destroy()
  for (const deadline = Date.now() + 5_000; gate.cancelled < 1 && Date.now() < deadline; )
    await new Promise(done => setImmediate(done))
  t.equal(gate.cancelled, 1)
  for (const { socket } of [whole, late, refused]) socket.destroy()
})

testOnEngines('the reply of a protocol to a client that has disconnected is dropped', async t => {
  const key = makeKey('free')
  const exchanges: Exchange[] = []
  const replies: (() => void)[] = []
  const route: Route = {
    kind: 'protocol',
    path: MCP_PATH,
    prepare: () => exchange => {
      exchanges.push(exchange)
      return new Promise(done => replies.push(() => done({ status: 200, body: '{}' })))
    },
  }
  const { port, faults } = await startService(t, [key], await fixtureCatalog(), [route])
  const post = async () => {
    const connection = await Connection.open(port)
    connection.send(`${posting(key.key, 'Content-Length: 2\r\n').replace('/count', MCP_PATH)}{}`)
    return connection
  }
  const gone = await post()
  await until('the message is received', () => exchanges.length === 1)
  gone.socket.destroy()
  await until('the exchange is aborted', () => exchanges[0]?.signal.aborted === true)
  replies[0]?.()
  const other = await post()
  await until('the message is received', () => replies.length === 2)
  replies[1]?.()
  await other.until(/\{\}$/)
  t.equal(statusOf(other), '200')
  t.strictSame(faults, [])
  other.socket.destroy()
})

testOnEngines('the memory of a body is free once its request is refused', async t => {
  const key = makeKey('free')
  const gate = new ManualGate()
  gate.setKey(key.record)
  const bodyBounds = { keyBytesMax: 4_000 }
  const { port } = await startService(t, [], await fixtureCatalog(), [COUNTED], { gate, bodyBounds })
  const unfinished = async () => {
    const connection = await Connection.open(port)
    t.teardown(() => connection.socket.destroy())
    connection.send(`${posting(key.key, 'Content-Length: 3000\r\n')}[${' '.repeat(2_500)}`)
    return connection
  }
  for (const count of [1, 2, 3]) {
    const refused = await unfinished()
    ;(await gate.nth(count)).decide(Verdict.OverLimit)
    await refused.until(/"meta"/)
    t.equal(statusOf(refused), '429')
  }
  const last = await unfinished()
  ;(await gate.nth(4)).decide(Verdict.Admitted)
  last.send(`${' '.repeat(498)}]`)
  await last.until(/"meta"/)
  t.equal(statusOf(last), '200')
})

testOnEngines('a body that does not arrive in time is refused', async t => {
  const key = makeKey('free')
  const { port } = await startService(t, [key], await fixtureCatalog(), COUNTING, {
    bodyBounds: { msMax: 80 },
  })
  for (const framing of ['Content-Length: 9\r\n', 'Transfer-Encoding: chunked\r\n']) {
    const connection = await Connection.open(port)
    connection.send(`${posting(key.key, framing)}1\r\n[\r\n`)
    await connection.until(/"meta"/)
    t.equal(statusOf(connection), '400')
    t.match(connection.text, /"invalid_parameter","message":"The parameter body must arrive within 0.08 seconds/)
    connection.socket.destroy()
  }
})

testOnEngines('100 Continue is sent between answers, never inside one', async t => {
  const { port } = await startService(t, [], await fixtureCatalog())
  const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
  const expecting = ask('/api/v1/health', 'Expect: 100-continue\r\n')
  for (const before of ['', ask('/nowhere'), ask('/nowhere') + ask('/nowhere')]) {
    const connection = await Connection.open(port)
    connection.send(before + expecting)
    await connection.until(/"status":"ok".*\}\}$/)
    const answers = connection.text.replaceAll('HTTP/1.1 100 Continue\r\n\r\n', '|')
    t.match(
      answers,
      /HTTP\/1\.1 200 OK\r\n(?:[^\r\n]+\r\n)+\r\n\{"success":true/,
      'the head of the answer is followed by its body',
    )
    connection.socket.destroy()
  }
})

testOnEngines('a path for POST answers other methods with 405 and the allowed methods', async t => {
  const key = makeKey('free')
  const { url } = await startService(t, [key], await fixtureCatalog(), COUNTING)
  const ask = (path: string, method: string) =>
    fetch(url + path, {
      method,
      headers: { 'x-api-key': key.key, ...JSON_TYPE, connection: 'close' },
      ...(method === 'POST' ? { body: '{}' } : {}),
    })
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
    const answer = await ask('/count', method)
    t.equal(answer.status, 405, method)
    t.equal(answer.headers.get('allow'), 'POST')
    if (method !== 'HEAD') t.match(await answer.text(), /This path answers POST only\./)
  }
  t.match(await (await ask('/both', 'GET')).text(), /"got"/)
  t.match(await (await ask('/both', 'POST')).text(), /"posted"/)
  const answer = await ask('/both', 'PUT')
  t.equal(answer.headers.get('allow'), 'GET, HEAD, POST')
  t.match(await answer.text(), /This path answers GET, HEAD and POST only\./)
})

testOnEngines('before the dataset is loaded, a POST is answered with 503', async t => {
  const key = makeKey('free')
  const { url } = await startService(t, [key], undefined, COUNTING)
  const answer = await fetch(`${url}/count`, {
    method: 'POST',
    body: '[]',
    headers: { 'x-api-key': key.key, ...JSON_TYPE, connection: 'close' },
  })
  t.equal(answer.status, 503)
})

testOnEngines('documents have their own content type and headers', async t => {
  const { url } = await startService(t, [], await fixtureCatalog(), COUNTING)
  for (const method of ['GET', 'HEAD']) {
    const answer = await fetch(`${url}/page`, { method, headers: { connection: 'close' } })
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    t.equal(answer.headers.get('cache-control'), 'max-age=60')
    t.equal(answer.headers.get('content-security-policy'), "default-src 'none'")
    t.equal(answer.headers.get('content-length'), '15')
    t.equal(await answer.text(), method === 'GET' ? '<p>سلام</p>' : '')
  }
})
