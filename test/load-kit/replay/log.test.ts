import fc from 'fast-check'
import t from 'tap'
import { parseLine } from '../../../src/load-kit/replay/log-line.js'
import { Pace } from '../../../src/load-kit/replay/pace.js'
import { type LogCounts, type LoggedRequest, readLog } from '../../../src/load-kit/replay/read-log.js'
import { isAsRecorded } from '../../../src/load-kit/replay/replay.js'

const ownLine = (changes: object = {}) =>
  JSON.stringify({
    time: '2026-11-15T02:09:55.250Z',
    method: 'GET',
    target: '/a?b=1',
    status: 200,
    ...changes,
  })

async function read(...chunks: string[]): Promise<{ requests: LoggedRequest[]; counts: LogCounts }> {
  const counts = { unread: 0, otherMethods: 0 }
  async function* pieces() {
    yield* chunks
  }
  const requests: LoggedRequest[] = []
  for await (const request of readLog(pieces(), counts)) requests.push(request)
  return { requests, counts }
}

t.test('log lines of hsapi and lines in the combined format give the same requests', async t => {
  const timeMs = Date.parse('2026-11-15T02:09:55Z')
  t.strictSame(parseLine(ownLine()), {
    timeMs: timeMs + 250,
    isCoarse: false,
    method: 'GET',
    target: '/a?b=1',
    status: 200,
  })
  for (const line of [
    '192.0.2.1 - - [15/Nov/2026:02:09:55 +0000] "GET /a?b=1 HTTP/1.1" 200 123 "-" "curl/8"',
    '::1 - user [15/Nov/2026:06:09:55 +0400] "GET /a?b=1 HTTP/1.1" 200 -',
  ])
    t.strictSame(parseLine(line), { timeMs, isCoarse: true, method: 'GET', target: '/a?b=1', status: 200 })
})

t.test('targets are escaped or refused, so that a log line cannot add another request', async t => {
  t.equal(parseLine(ownLine({ target: '/search?q=شاي' }))?.target, '/search?q=%D8%B4%D8%A7%D9%8A')
  t.equal(parseLine(ownLine({ target: '/\ud800' }))?.target, '/%EF%BF%BD')
  const quoted = '1.1.1.1 - - [15/Nov/2026:02:09:55 +0000] "GET /a\\x22b HTTP/1.1" 404 1 "-" "-"'
  t.equal(parseLine(quoted)?.target, '/a%22b')
  for (const target of ['', 'a', 'http://other/', '/a b', '/a\r\nX: y', '/a\n', '/\u0000', '/\u007f', '*'])
    t.equal(parseLine(ownLine({ target })), undefined, `the target ${JSON.stringify(target)} is refused`)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const target = parseLine(ownLine({ target: `/${text}` }))?.target
      return target === undefined || /^\/[\x21-\x7e]*$/.test(target)
    }),
  )
})

t.test('lines that are not valid requests are ignored', async t => {
  for (const line of [
    'hsapi is ready on http://127.0.0.1:8080',
    '{"time":"now"',
    '{}',
    ownLine({ time: 'yesterday' }),
    ownLine({ time: '2026-13-45T99:00:00Z' }),
    ownLine({ status: '200' }),
    ownLine({ method: 'get' }),
    ownLine({ target: 7 }),
    '1.1.1.1 - - [15/Abc/2026:02:09:55 +0000] "GET / HTTP/1.1" 200 1',
    '1.1.1.1 - - [99/Nov/2026:02:09:55 +0000] "GET / HTTP/1.1" 200 1',
    '1.1.1.1 - - [15/Nov/2026:02:09:55 +0000] "\\x16\\x03" 400 1',
  ])
    t.equal(parseLine(line), undefined, line)
})

t.test(
  'times are relative to the first request and never decrease; requests of one second are spread over this second',
  async t => {
    const at = (ms: number) => ownLine({ time: new Date(Date.parse('2026-11-15T00:00:00Z') + ms).toISOString() })
    const unordered = await read([at(0), at(500), at(400), at(900)].join('\n'))
    t.strictSame(
      unordered.requests.map(({ atMs }) => atMs),
      [0, 500, 500, 900],
    )
    const coarse = (second: number) => `1.1.1.1 - - [15/Nov/2026:00:00:0${second} +0000] "GET / HTTP/1.1" 200 1`
    const spread = await read([1, 1, 1, 1, 2, 2].map(coarse).join('\n'))
    t.strictSame(
      spread.requests.map(({ atMs }) => atMs),
      [0, 250, 500, 750, 1_000, 1_500],
    )
  },
)

t.test('a log may arrive in pieces of any size; POST requests, unreadable lines and very long lines are counted', async t => {
  const log = [
    ownLine(),
    ownLine({ method: 'HEAD' }),
    ownLine({ method: 'POST' }),
    '',
    'nonsense',
    'x'.repeat(200_000),
    ownLine(),
  ].join('\r\n')
  for (const size of [1_000, 65_000, 500_000]) {
    const chunks = Array.from({ length: Math.ceil(log.length / size) }, (_, i) => log.slice(i * size, (i + 1) * size))
    const { requests, counts } = await read(...chunks)
    t.strictSame(
      requests.map(({ method }) => method),
      ['GET', 'HEAD', 'GET'],
    )
    t.strictSame(counts, { unread: 2, otherMethods: 1 })
  }
  t.strictSame((await read('x'.repeat(70_000))).counts, { unread: 1, otherMethods: 0 })
})

t.test('Pace stops the reader while too many requests wait, and passes each request once', async t => {
  const pace = new Pace<{ bytes: Buffer; number: number }>()
  const COUNT = 20_000
  let put = 0
  const reading = (async () => {
    for (; put < COUNT; put++) await pace.put({ bytes: Buffer.alloc(0), number: put }, put)
    pace.end()
  })()
  await new Promise(resolve => setImmediate(resolve))
  t.ok(put < COUNT, 'the reader waits')
  t.equal(pace.endMs, Number.POSITIVE_INFINITY)
  for (let i = 0; i < COUNT; i++) {
    while (pace.nextMs === Number.POSITIVE_INFINITY) await new Promise(resolve => setImmediate(resolve))
    if (pace.nextMs !== i || pace.take().number !== i) t.fail(`request ${i} is a different one`)
  }
  await reading
  t.equal(pace.endMs, COUNT - 1)
  t.equal(pace.nextMs, Number.POSITIVE_INFINITY)
})

t.test('isAsRecorded accepts the recorded status, and status 200 instead of 304, 429 or 503', async t => {
  for (const [recorded, now, expected] of [
    [200, 200, true],
    [200, 404, false],
    [200, 0, false],
    [304, 200, true],
    [304, 404, false],
    [429, 200, true],
    [503, 200, true],
    [503, 500, false],
    [429, 0, false],
    [200, 429, false],
  ] as const)
    t.equal(isAsRecorded(recorded, now), expected, `the recorded status is ${recorded}, the replayed one ${now}`)
})
