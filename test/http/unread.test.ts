import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { prepared, run, startServe } from '../support/cli.js'
import { Connection } from '../support/raw.js'
import { ask, ENGINES } from '../support/service.js'

/**
 * How much the server's memory may grow because of clients that do not read: its limit for unread answers, plus garbage, of
 * which node:http leaves more on a busy machine. All answers together are far larger: without a limit, node:http would run out
 * of memory here.
 */
const UNREAD_MB_MAX: Readonly<Record<string, number>> = { uws: 80, node: 160 }

const residentMb = (pid: number) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

async function serverWithKey(t: Test, engine: string, more: Record<string, string> = {}) {
  const env = { ...(await prepared(t)), HSAPI_ENGINE: engine, ...more }
  const made = await run(['keys', 'create', '--tier', 'pro', '--per-minute', '2000000', '--per-day', '2000000', '--json'], env)
  const served = await startServe(t, env)
  return { served, port: Number(new URL(served.url).port), key: JSON.parse(made.stdout).key as string }
}

/** After these answers the server has had several turns: it will not read anything that it has not read by now. */
async function turnsOf(port: number): Promise<void> {
  for (let i = 0; i < 3; i++) await ask(`http://127.0.0.1:${port}`, '/api/v1/health')
}

/** Sends as fast as possible and never reads. Ends when the server closes the connection or reads no more, or when everything is sent. */
async function flood(port: number, request: string, bytes: number, batch?: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => {})
  let isClosed = false
  const closed = new Promise<void>(done =>
    socket.on('close', () => {
      isClosed = true
      done()
    }),
  )
  await new Promise(done => socket.once('connect', done))
  const piece = batch === undefined ? request.repeat(Math.ceil(65_536 / request.length)) : request.repeat(batch)
  for (let sent = 0; sent < bytes && !isClosed; sent += piece.length) {
    if (!socket.write(piece)) {
      let isTaken = false
      const drained = new Promise<void>(done =>
        socket.once('drain', () => {
          isTaken = true
          done()
        }),
      )
      await Promise.race([drained, closed, turnsOf(port)])
      if (!isTaken && batch !== undefined) break
    }
    if (batch !== undefined) await wait(2)
  }
  await turnsOf(port)
  socket.destroy()
}

for (const engine of ENGINES) {
  t.test(`responses that a client never reads do not fill memory (${engine})`, async t => {
    const { served, port, key } = await serverWithKey(t, engine, { HSAPI_UNREAD_MB: '16' })
    await ask(served.url, '/api/v1/health')
    const pid = served.child.pid as number
    for (const [what, request] of [
      ['the contract', 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['records', `GET /api/v1/hs-codes/85 HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`],
      ['nothing', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['heads', 'HEAD /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'],
    ] as const) {
      const before = residentMb(pid)
      let most = before
      const watch = setInterval(() => {
        most = Math.max(most, residentMb(pid))
      }, 5)
      await Promise.all([1, 2, 3].map(() => flood(port, request, 4_000_000)))
      clearInterval(watch)
      t.ok(most - before < (UNREAD_MB_MAX[engine] as number), `${what}: ${Math.round(most - before)} MB`)
      t.equal((await ask(served.url, '/api/v1/health')).status, 200)
    }
    t.equal(await served.end('SIGTERM'), 0)
  })

  t.test(`unread responses beyond the engine's buffer do not end the server (${engine})`, async t => {
    const { served, port } = await serverWithKey(t, engine)
    for (const request of ['GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'])
      for (const batch of [36, 37, 38, 39, 40, 41]) await flood(port, request, 500_000, batch)
    t.equal((await ask(served.url, '/api/v1/health')).status, 200)
    t.equal(await served.end('SIGTERM'), 0)
  })

  t.test(`slowly sent requests whose responses are never read do not fill memory either (${engine})`, async t => {
    const { served, port } = await serverWithKey(t, engine, { HSAPI_UNREAD_MB: '8' })
    await ask(served.url, '/api/v1/health')
    const pid = served.child.pid as number
    const request = 'HEAD /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
    // about 120 MB of answers each time; the first run also causes an engine's initial garbage
    await flood(port, request, 20_000_000, 250)
    const before = residentMb(pid)
    for (let times = 0; times < 2; times++) await flood(port, request, 20_000_000, 250)
    const more = residentMb(pid) - before
    t.ok(more < (UNREAD_MB_MAX[engine] as number), `${Math.round(more)} MB`)
    t.equal((await ask(served.url, '/api/v1/health')).status, 200)
    t.equal(await served.end('SIGTERM'), 0)
  })

  t.test(`clients that read are never closed, however many heads they request (${engine})`, async t => {
    // the smallest limit: heads that were read must not count towards it
    const { port, key, served } = await serverWithKey(t, engine, { HSAPI_UNREAD_MB: '1' })
    const ALL = 20_000
    const DEPTH = 8
    const request = `HEAD /api/v1/hs-codes/85 HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`
    const head = /^HTTP\/1\.1 200 OK\r\n(?:[^\r\n]+\r\n)*content-length: (\d+)\r\n(?:[^\r\n]+\r\n)*\r\n/i
    const lengths = new Set<string>()
    let answered = 0
    await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const connection = await Connection.open(port)
        for (let sent = 0; sent < ALL / 4; sent += DEPTH) {
          connection.send(request.repeat(DEPTH))
          for (let read = 0; read < DEPTH; read++) {
            await connection.until(/\r\n\r\n/)
            const [whole = '', length = ''] = head.exec(connection.text) ?? []
            if (whole === '') throw new Error(`no head: ${connection.text}`)
            lengths.add(length)
            connection.text = connection.text.slice(whole.length)
            answered++
          }
        }
        connection.socket.destroy()
      }),
    )
    t.equal(answered, ALL)
    t.equal(lengths.size, 1, 'all answers have the same length')
    t.equal(await served.end('SIGTERM'), 0)
  })

  t.test(`a client that reads slowly and pipelines 16 deep gets every response, whole and in order (${engine})`, async t => {
    const { port, key } = await serverWithKey(t, engine)
    const paths = ['/openapi.json', '/api/v1/hs-codes/9031/children?limit=50', '/api/v1/hs-codes/852321', '/nowhere']
    const expected: number[] = []
    const socket: Socket = connect(port, '127.0.0.1')
    let text = ''
    const read = () => (text.match(/HTTP\/1\.1 \d{3} /g) ?? []).length
    socket.on('data', data => {
      text += data.toString('latin1')
      socket.pause()
      setTimeout(() => socket.resume(), 2)
    })
    let isClosed = false
    socket.on('close', () => {
      isClosed = true
    })
    await new Promise(done => socket.once('connect', done))
    const DEPTH = 16
    const ALL = 160
    // the last request ends the connection, so that nothing can follow its response
    while (!isClosed) {
      while (expected.length < ALL && expected.length - read() < DEPTH) {
        const path = paths[expected.length % paths.length] as string
        expected.push(path === '/nowhere' ? 404 : 200)
        const end = expected.length === ALL ? 'Connection: close\r\n' : ''
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n${end}\r\n`)
      }
      await wait(5)
    }
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
    t.strictSame(statuses, expected)
    // the length of each answer matches its header
    let at = 0
    let whole = 0
    while (at < text.length) {
      const end = text.indexOf('\r\n\r\n', at) + 4
      const length = Number(/content-length: (\d+)/i.exec(text.slice(at, end))?.[1])
      at = end + length
      whole++
    }
    t.equal(at, text.length)
    t.equal(whole, ALL)
    socket.destroy()
  })
}
