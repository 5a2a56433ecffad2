import { gzipSync } from 'node:zlib'
import t from 'tap'
import { HsapiClient } from '../../src/client/index.js'
import { ENVELOPE, fakeServer } from '../support/client.js'

const tooLong = (url: string, max: number) => ({
  code: 'unexpected_answer',
  status: 200,
  message: `${url}/api/v1/health answered with more than ${max} bytes.`,
})

t.test('a response over the limit is refused, with any encoding, and not requested again', async t => {
  const long = ENVELOPE + ' '.repeat(1000)
  const gzip = gzipSync(ENVELOPE + ' '.repeat(1_000_000))
  for (const [kind, body, headers] of [
    ['a response that declares its length', long, { 'content-length': long.length }],
    ['a response in pieces', long, { 'transfer-encoding': 'chunked' }],
    ['a response that is too long after unpacking', gzip, { 'content-encoding': 'gzip' }],
  ] as const) {
    let requests = 0
    const { url } = await fakeServer(t, (_, res) => {
      requests++
      res.writeHead(200, headers).end(body)
    })
    const client = new HsapiClient({ url, answerBytesMax: 1000 })
    await t.rejects(client.health(), tooLong(url, 1000), `${kind} is refused`)
    t.equal(requests, 1)
  }
})

t.test('an endless response is aborted at the limit, and its connection is closed', async t => {
  const piece = Buffer.alloc(65_536, 32)
  let closed = () => {}
  const isClosed = new Promise<void>(done => {
    closed = done
  })
  const { url } = await fakeServer(t, (_, res) => {
    res.on('close', closed)
    const write = () => {
      while (!res.destroyed && res.write(piece));
    }
    res.on('drain', write)
    write()
  })
  const client = new HsapiClient({ url, timeoutMs: 60_000, answerBytesMax: 1_000_000 })
  await t.rejects(client.health(), tooLong(url, 1_000_000))
  await isClosed
})

t.test('the limit is in bytes: a response of exactly this size is read, one byte more is refused', async t => {
  const text = ENVELOPE.replace('"hsapi"', `"${'ق'.repeat(100_000)}"`)
  const { url } = await fakeServer(t, (_, res) => res.end(text))
  const bytes = Buffer.byteLength(text)
  const { service } = await new HsapiClient({ url, answerBytesMax: bytes }).health()
  t.equal(service, 'ق'.repeat(100_000))
  await t.rejects(new HsapiClient({ url, answerBytesMax: bytes - 1 }).health(), { code: 'unexpected_answer' })
})

t.test('the limit also applies to a fetch without streams', async t => {
  const fetchOf = (text: string): typeof fetch =>
    (async () => ({
      status: 200,
      ok: true,
      headers: new Headers(),
      text: async () => text,
    })) as unknown as typeof fetch
  const url = 'http://127.0.0.1:1'
  t.equal((await new HsapiClient({ url, fetch: fetchOf(ENVELOPE) }).health()).status, 'ok')
  const client = new HsapiClient({ url, fetch: fetchOf(ENVELOPE), answerBytesMax: 10 })
  await t.rejects(client.health(), tooLong(url, 10))
})
