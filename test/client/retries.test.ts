import t from 'tap'
import { HsapiClient } from '../../src/client/index.js'
import type { Route } from '../../src/http/routes.js'
import { KEY_BATCHES_MAX } from '../../src/limits.js'
import { clientOn, ENVELOPE, fakeServer } from '../support/client.js'
import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'
import { until } from '../support/until.js'

testOnEngines('when the limit per minute is used up, the client waits for Retry-After, then sends the request again', async t => {
  const { client, waits, seen } = await clientOn(t, {}, makeKey('free', { per_minute: 2 }))
  for (const code of ['01', '0101', '85']) t.equal((await client.lookup(code)).hs_code, code)
  t.strictSame(
    seen.map(one => one.status),
    [200, 200, 429, 200],
  )
  t.equal(waits.length, 1)
  t.ok((waits[0] as number) >= 60_000, 'the wait is not shorter than Retry-After')
  t.ok((waits[0] as number) <= 60_250, 'the wait is at most 250 ms longer than Retry-After')
})

testOnEngines('if Retry-After is longer than the maximum wait, the refusal is thrown at once, with retryAfter', async t => {
  const { client, waits } = await clientOn(t, {}, makeKey('free', { per_day: 1 }))
  await client.lookup('01')
  await t.rejects(client.lookup('85'), { code: 'rate_limit_exceeded', status: 429, retryAfter: 43_200 })
  const withoutWaits = await clientOn(t, { waitMsMax: 0 }, makeKey('free', { per_minute: 1 }))
  await withoutWaits.client.lookup('01')
  await t.rejects(withoutWaits.client.lookup('85'), { code: 'rate_limit_exceeded', retryAfter: 60 })
  t.strictSame([waits, withoutWaits.waits], [[], []])
})

testOnEngines("a request with more items than the key's limit is not sent again", async t => {
  const { client, waits } = await clientOn(t, {}, makeKey('free', { per_minute: 2 }))
  await t.rejects(client.resolve(['01', '85', '90']), { status: 429, message: /more than this key's limit/ })
  t.strictSame(waits, [])
})

testOnEngines('a batch as large as the limit per minute is sent again in the next minute', async t => {
  const { client, waits, seen } = await clientOn(t, {}, makeKey('free', { per_minute: 3 }))
  await client.lookup('01')
  t.equal((await client.resolve(['01', '85', '90'])).length, 3)
  t.strictSame(
    seen.map(one => one.status),
    [200, 429, 200],
  )
  t.equal(waits.length, 1)
})

testOnEngines('a request is repeated while the server loads its dataset', async t => {
  const key = makeKey('pro')
  const service = await startService(t, [key])
  const catalog = await fixtureCatalog()
  let tries = 0
  const client = new HsapiClient({
    url: service.url,
    key: key.key,
    sleep: async ms => {
      t.ok(ms >= 1000 && ms <= 1250, 'the wait is the Retry-After of one second, plus at most 250 ms')
      if (++tries === 2) service.server.serve(catalog)
    },
  })
  t.equal((await client.health()).status, 'starting')
  t.equal((await client.lookup('85')).hs_code, '85')
  t.equal(tries, 2)
})

testOnEngines('after the last retry, the refusal is thrown', async t => {
  const { client, waits } = await clientOn(t, { retries: 3 }, makeKey('pro'), false)
  await t.rejects(client.dataset(), { code: 'db_unavailable', status: 503, retryAfter: 1 })
  t.equal(waits.length, 3)
  const withoutRetries = await clientOn(t, { retries: 0 }, makeKey('pro'), false)
  await t.rejects(withoutRetries.client.dataset(), { code: 'db_unavailable' })
  t.strictSame(withoutRetries.waits, [])
})

t.test('status 502 and a broken connection are retried, with growing waits', async t => {
  let requests = 0
  const { url } = await fakeServer(t, (_, res) => {
    requests++
    if (requests === 1) res.writeHead(502).end('<html>')
    else if (requests === 2) res.socket?.destroy()
    else res.end(ENVELOPE)
  })
  const waits: number[] = []
  const client = new HsapiClient({ url, sleep: async ms => void waits.push(ms) })
  t.equal((await client.health()).status, 'ok')
  t.equal(waits.length, 2)
  t.ok((waits[0] as number) >= 100 && (waits[0] as number) <= 450)
  t.ok((waits[1] as number) >= 200 && (waits[1] as number) <= 650)
})

t.test('status 504 is retried as well, and waits do not grow beyond five seconds', async t => {
  const { url } = await fakeServer(t, (_, res) => res.writeHead(504).end())
  const waits: number[] = []
  await t.rejects(new HsapiClient({ url, retries: 8, sleep: async ms => void waits.push(ms) }).health(), {
    code: 'unexpected_answer',
    status: 504,
  })
  t.equal(waits.length, 8)
  t.ok(
    waits.slice(5).every(ms => ms >= 2_500 && ms <= 5_250),
    String(waits),
  )
})

t.test('if Retry-After is a date, the wait is calculated from the Date header of the answer', async t => {
  const headersWith = (date: string, retryAfter: string) => ({ date, 'retry-after': retryAfter })
  for (const [headers, seconds] of [
    [headersWith('Mon, 04 May 2026 12:00:00 GMT', 'Mon, 04 May 2026 12:00:07 GMT'), 7],
    [headersWith('Mon, 04 May 2026 12:00:00 GMT', 'Mon, 04 May 2026 11:59:00 GMT'), 0],
    [headersWith('', new Date(Date.now() + 20_000).toUTCString()), 20],
  ] as const) {
    let requests = 0
    const { url } = await fakeServer(t, (_, res) => {
      res.sendDate = false
      if (++requests === 1) res.writeHead(503, headers).end()
      else res.end(ENVELOPE)
    })
    const waits: number[] = []
    await new HsapiClient({ url, sleep: async ms => void waits.push(ms) }).health()
    const [waited = Number.NaN] = waits
    // without a Date header, the local clock is used, and time has passed since the test read it
    const slack = headers.date === '' ? 5_000 : 0
    t.ok(
      waited >= seconds * 1000 - slack && waited <= seconds * 1000 + 250,
      `Retry-After is ${seconds} s, the client waited ${waited} ms`,
    )
  }
  const { url } = await fakeServer(t, (_, res) =>
    res.writeHead(503, headersWith('Mon, 04 May 2026 12:00:00 GMT', 'Tue, 05 May 2026 12:00:00 GMT')).end(),
  )
  await t.rejects(
    new HsapiClient({ url }).health(),
    { code: 'unexpected_answer', status: 503, retryAfter: 86_400 },
    'the client does not wait for a date beyond the maximum wait',
  )
})

t.test('status 400, 404, 413 and 500 are not retried', async t => {
  for (const status of [500, 404, 400, 413]) {
    let requests = 0
    const { url } = await fakeServer(t, (_, res) => {
      requests++
      res.writeHead(status).end()
    })
    await t.rejects(new HsapiClient({ url }).health(), { status, code: 'unexpected_answer' })
    t.equal(requests, 1, `status ${status} is not retried`)
  }
})

t.test('an unreachable server is reported with the reason', async t => {
  const sleep = async () => {}
  const unreachable = new HsapiClient({ url: 'http://127.0.0.1:1', sleep })
  await t.rejects(unreachable.health(), {
    code: 'network_error',
    status: 0,
    message: /127\.0\.0\.1:1.*is unreachable: ./,
  })
  const failing = new HsapiClient({
    url: 'http://127.0.0.1:1',
    sleep,
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
  })
  await t.rejects(failing.health(), { message: /Failed to fetch/ })
  // if a name has several addresses and none answers, Node's error has a cause without a message
  const nameless = new HsapiClient({
    url: 'http://127.0.0.1:1',
    sleep,
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause: new AggregateError([]) })),
  })
  await t.rejects(nameless.health(), { message: /is unreachable: fetch failed/ })
})

t.test('a redirect is an error, and its target receives no request and so no key', async t => {
  let received = 0
  const { url: location } = await fakeServer(t, (_, res) => {
    received++
    res.end()
  })
  const { url } = await fakeServer(t, (_, res) => res.writeHead(302, { location }).end())
  const client = new HsapiClient({ url, key: 'hs_free_secret', retries: 0 })
  await t.rejects(client.dataset(), { code: 'network_error', message: /redirect/ })
  t.equal(received, 0)
})

t.test('a body with status 200 that is not an answer of hsapi is reported as unexpected_answer', async t => {
  for (const text of ['<html>', '', 'null', '7', '{}', '{"success":true}', '{"success":false,"error":{}}']) {
    const { url } = await fakeServer(t, (_, res) => res.end(text))
    await t.rejects(new HsapiClient({ url }).health(), { code: 'unexpected_answer', status: 200 }, text)
  }
  const { url } = await fakeServer(t, (_, res) => res.writeHead(500).end(ENVELOPE))
  await t.rejects(new HsapiClient({ url }).health(), { code: 'unexpected_answer', status: 500 }, 'an answer with an error status')
})

testOnEngines('a request that a busy server refuses is sent again after Retry-After', async t => {
  const key = makeKey('pro', { unlimited: true })
  let started = 0
  let isOver = false
  const route: Route = {
    kind: 'body',
    path: '/api/v1/classify',
    prepare: () => () => {
      started++
      return { requests: 1, work: () => !isOver, answer: out => out.openData().ascii('{"items":[{"text":"x"}]}').endRecord() }
    },
  }
  const { url } = await startService(t, [key], await fixtureCatalog(), [route])
  const headers = { 'x-api-key': key.key, 'content-type': 'application/json', connection: 'close' }
  const batches = Array.from({ length: KEY_BATCHES_MAX }, () => fetch(url + route.path, { method: 'POST', headers, body: '{}' }))
  await until('the key has its maximum of batches in progress', () => started === KEY_BATCHES_MAX)
  const waits: number[] = []
  const client = new HsapiClient({
    url,
    key: key.key,
    sleep: async ms => {
      waits.push(ms)
      isOver = true
      await Promise.all(batches)
    },
  })
  t.equal((await client.classify(['x'])).length, 1)
  t.equal(waits.length, 1)
  t.ok((waits[0] as number) >= 1000 && (waits[0] as number) <= 1250)
})
