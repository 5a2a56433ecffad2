import { createServer, type Server, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { Connection, parseTarget, requestBytes } from '../../../src/load-kit/load/connection.js'
import { Latencies, POINTS } from '../../../src/load-kit/load/latencies.js'
import { type Outgoing, type Schedule, sendOnTime } from '../../../src/load-kit/load/on-time.js'
import { readShare } from '../../../src/load-kit/load/thresholds.js'

interface Numbered extends Outgoing {
  number: number
}

/** A fixed number of requests at a fixed interval. */
class FixedSchedule implements Schedule<Numbered> {
  taken = 0
  readonly endMs: number
  constructor(
    readonly count: number,
    readonly stepMs: number,
    readonly method = 'GET',
  ) {
    this.endMs = count * stepMs
  }
  get nextMs(): number {
    return this.taken < this.count ? this.taken * this.stepMs : Number.POSITIVE_INFINITY
  }
  take(): Numbered {
    const number = this.taken++
    const bytes = requestBytes({ host: 'h', port: 1 }, `/${number}`, {}, this.method)
    return { bytes, isHead: this.method === 'HEAD', number }
  }
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** Starts a minimal server that calls `answer` with the path of each request. */
async function serve(t: Test, answer: (path: string, socket: Socket) => void): Promise<{ port: number; server: Server }> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let text = ''
    socket.on('data', data => {
      text += data
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const path = text.split(' ')[1] as string
        text = text.slice(end + 4)
        answer(path, socket)
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as { port: number }).port, server }
}

const load = (port: number, schedule: Schedule<Numbered>, more: object = {}) => {
  const answers: [number, number][] = []
  const sending = sendOnTime({
    target: { host: '127.0.0.1', port },
    schedule,
    connections: 2,
    graceMs: 20_000,
    onAnswer: ({ number }, status) => answers.push([number, status]),
    ...more,
  })
  return sending.then(result => ({ ...result, answers }))
}

t.test('every request is sent once, in order, and responses with any framing are reported', async t => {
  const FRAMES = [
    OK,
    'HTTP/1.1 204 No Content\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  ]
  const EXPECTED = [200, 204, 404, 200]
  const { port } = await serve(t, (path, socket) => {
    const frame = FRAMES[Number(path.slice(1)) % FRAMES.length] as string
    // each response arrives in two pieces
    socket.write(frame.slice(0, 20))
    setTimeout(() => socket.write(frame.slice(20)), 2)
  })
  const { sent, answered, failures, unsent, pending, answers, latency } = await load(port, new FixedSchedule(24, 2))
  t.strictSame({ sent, answered, failures, unsent, pending }, { sent: 24, answered: 24, failures: 0, unsent: 0, pending: 0 })
  for (const [number, status] of answers)
    t.equal(status, EXPECTED[number % 4], `request ${number} gets the status of its response`)
  t.ok((latency.p50 as number) > 0)
})

t.test('a response to HEAD has no body, even if it has a Content-Length', async t => {
  const { port } = await serve(t, (_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n'))
  const { answered } = await load(port, new FixedSchedule(6, 1, 'HEAD'))
  t.equal(answered, 6)
})

t.test('a stall increases the latency of every request that was due during it', async t => {
  let isStalled = true
  const waiting: Socket[] = []
  const { port } = await serve(t, (_, socket) => {
    if (isStalled) waiting.push(socket)
    else socket.write(OK)
  })
  setTimeout(() => {
    isStalled = false
    for (const socket of waiting) socket.write(OK)
  }, 150)
  const { answered, waited, latency, lateness } = await load(port, new FixedSchedule(100, 1))
  t.equal(answered, 100)
  t.ok(waited >= 50, `${waited} requests had to wait for a connection, at least 50 expected`)
  t.ok((latency.p50 as number) >= 50, 'half of the requests took at least 50 ms')
  t.ok((lateness.max as number) >= 0)
})

t.test(
  'requests of the warm-up are not timed; with latencyFrom "sent", waits for a connection are not part of the latency',
  async t => {
    const { port } = await serve(t, (_, socket) => socket.write(OK))
    const warm = await load(port, new FixedSchedule(10, 1), { warmMs: 1_000 })
    t.equal(warm.answered, 10)
    t.equal(warm.latency.max, 0)
    const slow = await serve(t, (_, socket) => setTimeout(() => socket.write(OK), 20))
    const timedFromSending = await load(slow.port, new FixedSchedule(20, 0), {
      latencyFrom: 'sent',
      graceMs: Number.POSITIVE_INFINITY,
    })
    t.equal(timedFromSending.answered, 20)
    const medianFromDueMs = 20 * 10
    t.ok((timedFromSending.latency.p50 as number) < medianFromDueMs, 'the wait for a connection is not part of the latency')
  },
)

t.test('requests without a response in time are counted, and those that were never sent are counted separately', async t => {
  const { port } = await serve(t, () => {})
  const { answered, pending, unsent, answers, latency } = await load(port, new FixedSchedule(10, 1), { graceMs: 50 })
  t.strictSame({ answered, pending, unsent }, { answered: 0, pending: 2, unsent: 8 })
  t.equal(answers.filter(([, status]) => status === 0).length, 10)
  t.ok((latency.max as number) >= 50)
  const sent = await load(port, new FixedSchedule(2, 1), { graceMs: 50 })
  t.match(sent, { pending: 2, unsent: 0 })
  t.ok((sent.latency.p50 as number) >= 50, 'the latency of an unanswered request lasts until the load ends')
})

t.test('connections that break or are closed by the server are replaced', async t => {
  const { port } = await serve(t, (path, socket) => {
    const number = Number(path.slice(1))
    if (number % 5 === 1) socket.destroy()
    else if (number % 5 === 2) socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok')
    else if (number % 5 === 3) socket.end('HTTP/1.1 200 OK\r\n\r\nuntil it closes')
    else socket.write(OK)
  })
  const { answered, failures, lastFailure } = await load(port, new FixedSchedule(40, 2))
  t.strictSame([answered, failures], [32, 8])
  t.match(lastFailure, /closed|ECONNRESET/)
})

t.test('a connection that ends while it is idle is replaced', async t => {
  const closing = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
  let number = 0
  const { port } = await serve(t, (_, socket) => {
    number++
    if (number === 1) socket.write(OK + closing)
    else if (number === 2) socket.end(OK)
    else socket.write(OK)
  })
  const { answered, failures } = await load(port, new FixedSchedule(4, 100), { connections: 1 })
  t.equal(answered + failures, 4)
})

t.test(
  'a load fails if the server is unreachable from the start; if it becomes unreachable later, the result names the failure',
  async t => {
    const { port, server } = await serve(t, (_, socket) => socket.destroy())
    const stopped = new AbortController()
    setTimeout(() => server.close(), 20)
    setTimeout(() => stopped.abort(), 600)
    const { lastFailure } = await load(port, new FixedSchedule(1_000, 5), { signal: stopped.signal })
    t.match(lastFailure, /ECONNREFUSED|ECONNRESET|closed/)
    await t.rejects(load(port, new FixedSchedule(1, 1)), /ECONNREFUSED/)
  },
)

t.test('breakOff closes a connection and passes the reason to its user', async t => {
  const { port } = await serve(t, () => {})
  const reason = await new Promise<Error | undefined>(resolve => {
    Connection.open({ host: '127.0.0.1', port }, () => {}, resolve).then(connection => {
      connection.send(Buffer.from('GET / HTTP/1.1\r\n\r\n'))
      connection.breakOff(new Error('too long'))
    })
  })
  t.match(reason, /too long/)
})

t.test('addresses are parsed into host, port and TLS, and written into the Host header', async t => {
  t.strictSame(parseTarget('https://example.org/x'), { host: 'example.org', port: 443, secure: true })
  t.strictSame(parseTarget('http://[::1]:8080'), { host: '::1', port: 8080, secure: false })
  t.equal(
    requestBytes({ host: '::1', port: 8080 }, '/a', { A: 'b' }, 'HEAD').toString(),
    'HEAD /a HTTP/1.1\r\nHost: [::1]:8080\r\nA: b\r\n\r\n',
  )
})

t.test('percentiles are exact, and 0 if there are no values', async t => {
  const latencies = new Latencies()
  t.equal(latencies.percentiles().p99, 0)
  for (let i = 2_000; i >= 1; i--) latencies.add(i)
  const found = latencies.percentiles()
  t.match(found, { p50: 1_000, p99: 1_980, 'p99.9': 1_998, max: 2_000 })
  t.equal(Object.keys(found).length, POINTS.length + 1)
})

t.test('a share from 0 to 100 % must have a percent sign unless it is 0', async t => {
  t.strictSame(['0.1%', '0', '100%'].map(readShare), [0.001, 0, 1])
  t.strictSame(['0.1', '101%', '%', '-1%'].map(readShare), Array(4).fill(undefined))
})
