/** The end of a request is unambiguous: bytes after it are never answered as another request. */
import type { Test } from 'tap'
import { ROUTES } from '../../src/http/api-routes.js'
import type { Route } from '../../src/http/routes.js'
import { BODY_PIECES_MAX } from '../../src/limits.js'
import { asset } from '../support/asset.js'
import { Connection } from '../support/raw.js'
import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'
import { until } from '../support/until.js'

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
/** More than uWebSockets.js receives at once. */
const LARGE_BYTES = 100_000
const CODES = '{"codes":["8523"]}'

async function start(t: Test) {
  const key = makeKey('pro', { per_minute: 1_000_000, per_day: 1_000_000 })
  let smuggled = 0
  const trap: Route = {
    kind: 'open',
    path: '/smuggled',
    prepare: () => (_ready, out) => {
      smuggled++
      out.openData().ascii('"smuggled"').endRecord()
    },
  }
  const large = asset('/large', Buffer.alloc(LARGE_BYTES, 'x'))
  const service = await startService(t, [key], await fixtureCatalog(), [...ROUTES, trap, large])
  const head = (line: string, more: string) =>
    `${line} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key.key}\r\nContent-Type: application/json\r\n${more}\r\n`
  return { ...service, pulse: await Pulse.of(t, service.port), head, smuggled: () => smuggled }
}

/** Sends requests on a separate connection. Their answers show that the server has handled everything sent before. */
class Pulse {
  readonly #connection: Connection
  #beat: () => void = () => {}

  private constructor(connection: Connection) {
    this.#connection = connection
    connection.socket.setNoDelay(true).on('data', () => this.#beat())
  }

  static async of(t: Test, port: number): Promise<Pulse> {
    const connection = await Connection.open(port)
    t.teardown(() => connection.socket.destroy())
    return new Pulse(connection)
  }

  async beat(): Promise<void> {
    const heard = new Promise<void>(done => {
      this.#beat = done
    })
    this.#connection.send('GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n')
    await heard
  }
}

/** Sends the pieces. The server handles each before the next is sent. */
async function send({ port, pulse }: { port: number; pulse: Pulse }, pieces: string[]): Promise<Connection> {
  const connection = await Connection.open(port)
  connection.socket.setNoDelay(true)
  for (const piece of pieces) {
    if (connection.socket.destroyed) break
    connection.send(piece)
    await pulse.beat()
  }
  // answers may arrive one turn of the event loop later
  await pulse.beat()
  await pulse.beat()
  return connection
}

/** The answers of the server, without those of the engine to bytes that are not a request. */
const answersIn = ({ text }: Connection) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)[^\r]*\r\nContent-Type/g)].map(([, status]) => status)
const statuses = ({ text }: Connection) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const FIRST = `${CODES.length.toString(16)}\r\n${CODES}\r\n`
const REQUESTS = [
  'GET /api/v1/health',
  'GET /api/v1/hs-codes/8523',
  'GET /api/v1/hs-codes/85/lines?limit=50',
  'HEAD /api/v1/hs-codes/8523',
  'GET /nowhere',
  'OPTIONS /api/v1/search',
  'PUT /api/v1/search',
  'POST /api/v1/resolve',
  'POST /api/v1/suggest',
]
/** Expected statuses of these requests. */
const EXPECTED = ['200', '200', '200', '200', '404', '405', '405', '200', '405']
const TRAILERS = [`A:${SMUGGLED}`, `AA${SMUGGLED}`, `X-Sum: 1\r\nA:${SMUGGLED}`, SMUGGLED, 'X-Sum: 1\r\n\r\n']
const SPLITS: ((head: string, trailer: string) => string[])[] = [
  (head, trailer) => [`${head}${FIRST}0\r\n${trailer}`],
  (head, trailer) => [`${head}${FIRST}0\r\n`, trailer],
  (head, trailer) => [`${head}${FIRST}`, `0\r\n${trailer}`],
  (head, trailer) => [head, `${FIRST}0\r\n${trailer}`],
  (head, trailer) => [`${head}${FIRST}0\r\n${trailer.slice(0, 9)}`, trailer.slice(9)],
  (head, trailer) => [`${head}${FIRST}0`, '\r', '\n', ...trailer.slice(0, 6), trailer.slice(6)],
]

testOnEngines('trailers of a chunked body are never handled as a further request, however they arrive', async t => {
  const service = await start(t)
  const { head, smuggled, engine } = service
  const answeredTwice: string[] = []
  for (const request of REQUESTS)
    for (const trailer of TRAILERS)
      for (const [i, split] of SPLITS.entries()) {
        const connection = await send(service, split(head(request, CHUNKED), trailer))
        if (answersIn(connection).length > 1) answeredTwice.push(`${request}, ${JSON.stringify(trailer)}, split ${i}`)
        else if (engine === 'uws') await connection.closed
        connection.socket.destroy()
      }
  t.strictSame(answeredTwice, [])
  t.equal(smuggled(), 0)
})

testOnEngines('every kind of request with a chunked body without trailers is answered', async t => {
  const service = await start(t)
  const { head, engine, get } = service
  for (const [i, request] of REQUESTS.entries())
    for (const pieces of [[`${FIRST}0\r\n\r\n`], [FIRST, '0\r\n', '\r\n']]) {
      const [first = '', ...rest] = pieces
      const connection = await send(service, [head(request, CHUNKED) + first, ...rest])
      t.strictSame(statuses(connection), [EXPECTED[i]], request)
      if (engine === 'uws') {
        t.match(connection.text, /\r\nconnection: close\r\n/i)
        await connection.closed
      }
      connection.socket.destroy()
    }
  t.equal((await get('/api/v1/health')).status, 200)
})

testOnEngines('the connection of every chunked request is closed, even if its client sends nothing more', async t => {
  const { port, head, engine } = await start(t)
  if (engine === 'node') return
  // enough bytes in total that the sender checks several clients, see uws-sender.ts
  const connections: Connection[] = []
  for (let n = 0; n < 300; n++) {
    const connection = await Connection.open(port)
    connection.send(`${head('GET /api/v1/hs-codes/8523', CHUNKED)}0\r\n\r\n`)
    await connection.until(/"meta"/)
    connections.push(connection)
  }
  await until('all connections are closed', () => connections.every(({ socket }) => socket.destroyed))
})

testOnEngines(
  'an answer that does not depend on the body waits for a chunked body, so that closing does not lose it',
  async t => {
    const service = await start(t)
    const { head, engine } = service
    for (const [i, request] of REQUESTS.entries()) {
      if (request === 'POST /api/v1/resolve') continue
      const connection = await send(service, [head(request, CHUNKED), FIRST])
      t.equal(connection.text, '', request)
      t.notOk(connection.socket.destroyed)
      connection.send('0\r\n\r\n')
      await connection.until(/\r\n\r\n/)
      t.strictSame(statuses(connection), [EXPECTED[i]], request)
      if (engine === 'uws') await connection.closed
      connection.socket.destroy()
    }
  },
)

testOnEngines('a response that waits for the rest of a chunked body shows the figures of its own request', async t => {
  const service = await start(t)
  const request = 'GET /api/v1/hs-codes/8523'
  const waiting = await send(service, [service.head(request, CHUNKED), FIRST])
  const other = await send(service, [service.head(request, '')])
  waiting.send('0\r\n\r\n')
  const remaining = async (connection: Connection) => {
    await connection.until(/"meta"/)
    connection.socket.destroy()
    return /x-ratelimit-remaining-minute: (\d+)/i.exec(connection.text)?.[1]
  }
  t.equal(await remaining(other), '999998')
  t.equal(await remaining(waiting), '999999', 'the waiting request was admitted first')
})

testOnEngines('the wait for a chunked body that nobody reads is limited', async t => {
  const service = await start(t)
  const request = service.head('GET /api/v1/hs-codes/8523', CHUNKED)
  const silent = await send(service, [request, FIRST])
  const large = await send(service, [request, `${LARGE_BYTES.toString(16)}\r\n${'x'.repeat(LARGE_BYTES)}`])
  const pieces = await send(service, [request, '1\r\nx\r\n'.repeat(BODY_PIECES_MAX + 1)])
  for (const connection of [large, pieces, silent]) {
    await connection.closed
    t.strictSame(statuses(connection), ['200'])
    t.match(connection.text, /\r\nconnection: close\r\n/i)
  }
})

testOnEngines('trailers after a request with a large answer are not handled as a request either', async t => {
  const service = await start(t)
  const { head, smuggled, engine } = service
  for (const [i, split] of SPLITS.entries()) {
    const connection = await send(service, split(head('GET /large', CHUNKED), `A:${SMUGGLED}`))
    t.ok(answersIn(connection).length <= 1, `split ${i}`)
    if (engine === 'uws') await connection.closed
    connection.socket.destroy()
  }
  t.equal(smuggled(), 0)
  const connection = await send(service, [`${head('GET /large', CHUNKED)}0\r\n\r\n`])
  await connection.until(/x$/)
  while (connection.text.split('\r\n\r\n')[1]?.length !== LARGE_BYTES) await service.pulse.beat()
  t.equal(connection.text.split('\r\n\r\n')[1], 'x'.repeat(LARGE_BYTES))
  if (engine === 'uws') {
    t.match(connection.text, /\r\nconnection: close\r\n/i)
    connection.send(SMUGGLED)
    await connection.closed
  }
  connection.socket.destroy()
  t.equal(smuggled(), 0)
})

testOnEngines('a request with an ambiguous end is refused and its connection is closed', async t => {
  const service = await start(t)
  const { head, smuggled, engine } = service
  const lines = [
    'Content-Length: 18\r\nContent-Length: 18',
    'Content-Length: 18\r\nContent-Length: 60',
    'Content-Length: 60\r\nContent-Length: 18',
    'Content-Length: 18, 18',
    'Content-Length: +18',
    'Content-Length: 18\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: chunked, gzip',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding:\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding : chunked',
    'Transfer-Encoding:\r\n chunked',
  ]
  for (const line of lines)
    for (const request of ['POST /api/v1/resolve', 'PUT /api/v1/resolve', 'GET /api/v1/hs-codes/8523']) {
      // uWebSockets.js does not check this for GET, because it would cost a few percent of a lookup; proxies refuse such
      // requests themselves
      const isUnseen = line.includes('\r\nContent-Length') || line.startsWith('Transfer-Encoding:\r\nTransfer')
      if (engine === 'uws' && isUnseen && request.startsWith('GET')) continue
      const name = `${request}, ${JSON.stringify(line)}`
      const sent = head(request, `${line}\r\n`) + (line.startsWith('Content') ? CODES : `${FIRST}0\r\n\r\n`)
      const alone = await send(service, [sent])
      t.strictSame(statuses(alone), ['400'], name)
      await alone.closed
      const followed = await send(service, [sent + SMUGGLED])
      t.strictSame(answersIn(followed), [], name)
      await followed.closed
    }
  t.equal(smuggled(), 0)
})
