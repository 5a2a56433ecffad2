import { randomBytes } from 'node:crypto'
import { type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, constants, deflateRawSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import tap from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { CodedBodies, CodedBody } from '../../src/responses/coded-bodies.js'
import { catalogOf, FIXTURE, makeKey, openService, shippedSnapshot, startService, testOnEngines } from '../support/service.js'
import { until } from '../support/until.js'

const LIST = '/api/v1/hs-codes/85/lines'

interface Raw {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** The body as sent: fetch would decompress it. */
function raw(url: string, path: string, headers: Record<string, string>, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent: false }, response => {
      const pieces: Buffer[] = []
      response.on('data', piece => pieces.push(piece))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Repeats the request until the answer is compressed. */
async function codedAnswer(url: string, path: string, headers: Record<string, string>): Promise<Raw> {
  let answer = await raw(url, path, headers)
  await until(`${path} is compressed`, async () => {
    answer = await raw(url, path, headers)
    return answer.headers['content-encoding'] !== undefined
  })
  return answer
}

testOnEngines('a list is compressed in the background when it is requested again, and renewed each second', async t => {
  const { url, auth, clock } = await openService(t)
  const wanted = { ...auth, 'accept-encoding': 'br;q=1.0, gzip;q=0.8, *;q=0.1' }
  const plain = await raw(url, LIST, auth)
  t.ok(plain.body.length > 1_024)
  const first = await raw(url, LIST, wanted)
  t.equal(first.headers['content-encoding'], undefined, 'no response waits for the compression')
  const coded = await codedAnswer(url, LIST, wanted)
  t.equal(coded.headers['content-encoding'], 'gzip')
  t.ok(coded.body.length < plain.body.length / 2)
  t.equal(coded.headers['content-length'], String(coded.body.length))
  t.equal(gunzipSync(coded.body).toString(), plain.body.toString())
  for (const { headers } of [plain, first, coded]) {
    t.equal(headers.vary, 'Accept-Encoding')
    t.equal(headers.etag, plain.headers.etag, 'the weak tag is the same with and without compression')
  }
  clock.forward(61_000)
  const later = await raw(url, LIST, wanted)
  t.equal(later.headers['content-encoding'], 'gzip')
  t.equal(gunzipSync(later.body).toString(), plain.body.toString().replace('12:00:00', '12:01:01'))
  t.equal(
    (await raw(url, LIST, auth)).headers['content-encoding'],
    undefined,
    'the answer is compressed only if the client accepts this',
  )

  const head = await raw(url, LIST, wanted, 'HEAD')
  t.match(head.headers, { 'content-encoding': 'gzip', 'content-length': String(later.body.length), vary: 'Accept-Encoding' })
  t.equal(head.body.length, 0)
  const known = await raw(url, LIST, { ...wanted, 'if-none-match': coded.headers.etag ?? '' })
  t.equal(known.status, 304)
  t.equal(known.headers.vary, 'Accept-Encoding')
  t.equal(known.body.length, 0)
})

testOnEngines('long lists of every endpoint are compressed, and no other answers', async t => {
  const { url, auth } = await openService(t)
  const wanted = { ...auth, 'accept-encoding': 'gzip' }
  for (const path of [
    '/api/v1/hs-codes/85/children',
    '/api/v1/chapters',
    '/api/v1/search?q=85',
    '/api/v1/notes/85',
    '/api/v1/changes',
  ]) {
    const plain = await raw(url, path, auth)
    if (plain.body.length < 1_024) continue
    t.equal(gunzipSync((await codedAnswer(url, path, wanted)).body).toString(), plain.body.toString(), path)
  }
  const lookup = '/api/v1/hs-codes/852321?include=path,notes,controls,siblings,lines'
  for (const path of [
    lookup,
    '/api/v1/dataset',
    '/api/v1/hs-codes/8523/children?limit=1',
    '/api/v1/health',
    '/api/v1/search?q=x',
  ]) {
    for (let i = 0; i < 4; i++) t.equal((await raw(url, path, wanted)).headers['content-encoding'], undefined, path)
  }
  t.equal((await raw(url, lookup, wanted)).headers.vary, undefined)
  for (const header of ['identity', 'gzip;q=0', 'br', '', 'gzip;q=x'])
    for (let i = 0; i < 3; i++)
      t.equal((await raw(url, LIST, { ...auth, 'accept-encoding': header })).headers['content-encoding'], undefined, header)
})

testOnEngines('compressed bodies of an earlier dataset are never sent', async t => {
  const key = makeKey('pro', { per_minute: 1_000_000, per_day: 1_000_000 })
  const { url, server } = await startService(t, [key], await catalogOf(FIXTURE))
  const headers = { 'x-api-key': key.key, 'accept-encoding': 'gzip' }
  await codedAnswer(url, LIST, headers)
  server.serve(await catalogOf(FIXTURE))
  t.equal((await raw(url, LIST, headers)).headers['content-encoding'], undefined)
  t.equal((await codedAnswer(url, LIST, headers)).headers['content-encoding'], 'gzip')
})

testOnEngines('if compression is turned off, no answer is compressed', async t => {
  const key = makeKey('pro', { per_minute: 1_000_000, per_day: 1_000_000 })
  const { url } = await startService(t, [key], await catalogOf(FIXTURE), undefined, { compress: false })
  for (let i = 0; i < 4; i++) {
    const { headers } = await raw(url, LIST, { 'x-api-key': key.key, 'accept-encoding': 'gzip' })
    t.equal(headers['content-encoding'], undefined)
    t.equal(headers.vary, undefined)
  }
})

testOnEngines('the contract is compressed once, with a tag for each encoding', async t => {
  const { url } = await openService(t)
  const plain = await raw(url, '/openapi.json', {})
  const packed = await codedAnswer(url, '/openapi.json', { 'accept-encoding': 'gzip' })
  t.equal(gunzipSync(packed.body).toString(), plain.body.toString())
  const better = await codedAnswer(url, '/openapi.json', { 'accept-encoding': 'gzip, br' })
  t.equal(brotliDecompressSync(better.body).toString(), plain.body.toString())
  t.equal(new Set([plain, packed, better].map(({ headers }) => headers.etag)).size, 3)
  for (const { headers } of [plain, packed, better]) t.equal(headers.vary, 'Accept-Encoding')
  const head = await raw(url, '/openapi.json', { 'accept-encoding': 'gzip' }, 'HEAD')
  t.match(head.headers, { 'content-encoding': 'gzip', 'content-length': String(packed.body.length) })
  const known = { 'accept-encoding': 'gzip', 'if-none-match': packed.headers.etag ?? '' }
  t.equal((await raw(url, '/openapi.json', known)).status, 304)
})

tap.test('any body, split at any place, gives a valid gzip member', async () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 3_000, size: 'max' }),
      fc.uint8Array({ minLength: 1, maxLength: 90, size: 'max' }),
      (before, tail) => {
        const compressed = deflateRawSync(before, { finishFlush: constants.Z_SYNC_FLUSH })
        const body = new CodedBody(before, compressed, tail.length)
        for (const [second, end] of [tail, tail.map(byte => byte ^ 1)].entries()) {
          const { buffer } = body.renew(end, second)
          if (!gunzipSync(new Uint8Array(buffer)).equals(Buffer.concat([before, end]))) return false
        }
        return true
      },
    ),
    { numRuns: 60 },
  )
})

tap.test('a body is copied before it is compressed, because its buffer serves the next request meanwhile', async t => {
  const bodies = new CodedBodies()
  const buffer = Buffer.from('[1,2,3]'.repeat(1_000))
  const expected = buffer.toString()
  bodies.find('/list', buffer, 10)
  bodies.find('/list', buffer, 10)
  buffer.fill('x')
  await until('the body is compressed', () => bodies.find('/list', buffer, 10) !== undefined)
  const coded = bodies.find('/list', buffer, 10)?.renew(Buffer.from(expected.slice(-10)), 1)
  t.equal(gunzipSync(new Uint8Array(coded?.buffer ?? new ArrayBuffer(0))).toString(), expected)
})

tap.test('the cache is bounded and drops the oldest first; bodies of an earlier dataset are never served', async t => {
  const bodies = new CodedBodies()
  // random bytes do not compress
  const noise = randomBytes(1_000_000)
  const isKept = (target: string) => bodies.find(target, noise, 10) !== undefined
  for (let i = 0; i < 10; i++) await until(`/${i}`, () => isKept(`/${i}`))
  t.notOk(isKept('/0'), 'the oldest body was dropped')
  t.ok(isKept('/9'))

  bodies.clear()
  t.notOk(isKept('/9'))
  t.notOk(isKept('/9'), 'the second request starts the compression')
  bodies.clear()
  // compressions that start later end later
  for (let i = 0; i < 3; i++) await until(`/after-${i}`, () => isKept(`/after-${i}`))
  t.notOk(isKept('/9'), 'the compressed body is dropped, because another dataset was loaded')
  const long = `/${'x'.repeat(600)}`
  for (let i = 0; i < 3; i++) t.notOk(isKept(long))
})

testOnEngines(
  'a body that never changes is compressed for the first client that accepts compression, and renewed each second',
  async t => {
    const key = makeKey('pro')
    const { url, clock } = await startService(t, [key], new Catalog(await shippedSnapshot()))
    const auth = { 'x-api-key': key.key }
    const wanted = { ...auth, 'accept-encoding': 'gzip' }
    const plain = await raw(url, '/api/v1/chapters', auth)
    for (const path of ['/api/v1/chapters', '/api/v1/chapters?x=1']) {
      const coded = await raw(url, path, wanted)
      t.equal(coded.headers['content-encoding'], 'gzip')
      t.equal(gunzipSync(coded.body).toString(), plain.body.toString())
    }
    clock.forward(61_000)
    const later = gunzipSync((await raw(url, '/api/v1/chapters', wanted)).body).toString()
    t.not(later, plain.body.toString())
    t.equal(later, (await raw(url, '/api/v1/chapters', auth)).body.toString())
  },
)
