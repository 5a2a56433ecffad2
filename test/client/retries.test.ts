import t from 'tap'
import { HsapiClient } from '../../src/client/index.js'
import type { Route } from '../../src/http/routes.js'
import { KEY_BATCHES_MAX } from '../../src/limits.js'
import { clientOn, ENVELOPE, fakeServer } from '../support/client.js'
import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'
import { until } from '../support/until.js'

testOnEngines(
  'when the minute is used up, the client waits as long as Retry-After says, then sends the request again',
  async t => {
    const { client, waits, seen } = await clientOn(t, {}, makeKey('free', { per_minute: 2 }))
    for (const code of ['01', '0101', '85']) t.equal((await client.lookup(code)).hs_code, code)
    t.strictSame(
      seen.map(one => one.status),
      [200, 200, 429, 200],
    )
    t.equal(waits.length, 1)
    t.ok((waits[0] as number) >= 60_000, 'never sooner than Retry-After')
    t.ok((waits[0] as number) <= 60_250, 'it does not wait much longer than Retry-After')
  },
)

testOnEngines('if Retry-After exceeds the maximum wait, the refusal is thrown at once, with its Retry-After', async t => {
  const { client, waits } = await clientOn(t, {}, makeKey('free', { per_day: 1 }))
  await client.lookup('01')
  await t.rejects(client.lookup('85'), { code: 'rate_limit_exceeded', status: 429, retryAfter: 43_200 })
  const hasty = await clientOn(t, { waitMsMax: 0 }, makeKey('free', { per_minute: 1 }))
  await hasty.client.lookup('01')
  await t.rejects(hasty.client.lookup('85'), { code: 'rate_limit_exceeded', retryAfter: 60 })
  t.strictSame([waits, hasty.waits], [[], []])
})

testOnEngines("a request beyond the key's limit is not tried again", async t => {
  const { client, waits } = await clientOn(t, {}, makeKey('free', { per_minute: 2 }))
  await t.rejects(client.resolve(['01', '85', '90']), { status: 429, message: /can never pass/ })
  t.strictSame(waits, [])
})

testOnEngines('a batch as large as the limit is sent again once there is room for it', async t => {
  const { client, waits, seen } = await clientOn(t, {}, makeKey('free', { per_minute: 3 }))
  await client.lookup('01')
  t.equal((await client.resolve(['01', '85', '90'])).length, 3)
  t.strictSame(
    seen.map(one => one.status),
    [200, 429, 200],
  )
  t.equal(waits.length, 1)
})

testOnEngines('while a server is loading its dataset, the request is repeated', async t => {
  const key = makeKey('pro')
  const service = await startService(t, [key])
  const catalog = await fixtureCatalog()
  let tries = 0
  const client = new HsapiClient({
    url: service.url,
    key: key.key,
    sleep: async ms => {
      t.ok(ms >= 1000 && ms <= 1250, 'Retry-After is a second')
      if (++tries === 2) service.server.serve(catalog)
    },
  })
  t.equal((await client.health()).status, 'starting')
  t.equal((await client.lookup('85')).hs_code, '85')
  t.equal(tries, 2)
})

testOnEngines('after the last try the last refusal is thrown', async t => {
  const { client, waits } = await clientOn(t, { retries: 3 }, makeKey('pro'), false)
  await t.rejects(client.dataset(), { code: 'db_unavailable', status: 503, retryAfter: 1 })
  t.equal(waits.length, 3)
  const once = await clientOn(t, { retries: 0 }, makeKey('pro'), false)
  await t.rejects(once.client.dataset(), { code: 'db_unavailable' })
  t.strictSame(once.waits, [])
})

t.test('a proxy without a server and a broken connection are retried, with growing waits', async t => {
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

t.test('Retry-After may be a date, compared with the clock of the server that sent it', async t => {
  const ahead = (date: string, retryAfter: string) => ({ date, 'retry-after': retryAfter })
  for (const [headers, seconds] of [
    [ahead('Mon, 04 May 2026 12:00:00 GMT', 'Mon, 04 May 2026 12:00:07 GMT'), 7],
    [ahead('Mon, 04 May 2026 12:00:00 GMT', 'Mon, 04 May 2026 11:59:00 GMT'), 0],
    [ahead('', new Date(Date.now() + 20_000).toUTCString()), 20],
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
    // without a Date header, the duration of the test separates the two clocks
    const slack = headers.date === '' ? 5_000 : 0
    t.ok(waited >= seconds * 1000 - slack && waited <= seconds * 1000 + 250, `${seconds} s: ${waited} ms`)
  }
  const { url } = await fakeServer(t, (_, res) =>
    res.writeHead(503, ahead('Mon, 04 May 2026 12:00:00 GMT', 'Tue, 05 May 2026 12:00:00 GMT')).end(),
  )
  await t.rejects(
    new HsapiClient({ url }).health(),
    { code: 'unexpected_answer', status: 503, retryAfter: 86_400 },
    'the date is beyond the maximum wait',
  )
})

t.test('a permanent refusal is not tried again', async t => {
  for (const status of [500, 404, 400, 413]) {
    let requests = 0
    const { url } = await fakeServer(t, (_, res) => {
      requests++
      res.writeHead(status).end()
    })
    await t.rejects(new HsapiClient({ url }).health(), { status, code: 'unexpected_answer' })
    t.equal(requests, 1, String(status))
  }
})

t.test('an unreachable server is reported with the reason', async t => {
  const sleep = async () => {}
  const gone = new HsapiClient({ url: 'http://127.0.0.1:1', sleep })
  await t.rejects(gone.health(), {
    code: 'network_error',
    status: 0,
    message: /127\.0\.0\.1:1.*is unreachable: ./,
  })
  const { url } = await fakeServer(t, (_, res) => res.writeHead(302, { location: '/elsewhere' }).end())
  await t.rejects(new HsapiClient({ url, sleep }).health(), { code: 'network_error', message: /redirect/ })
  const odd = new HsapiClient({ url, sleep, fetch: () => Promise.reject(new TypeError('Failed to fetch')) })
  await t.rejects(odd.health(), { message: /Failed to fetch/ })
})

t.test('a 200 from another program is an unexpected answer', async t => {
  for (const text of ['<html>', '', 'null', '7', '{}', '{"success":true}', '{"success":false,"error":{}}']) {
    const { url } = await fakeServer(t, (_, res) => res.end(text))
    await t.rejects(new HsapiClient({ url }).health(), { code: 'unexpected_answer', status: 200 }, text)
  }
})

testOnEngines('a request refused by a busy server is sent again after Retry-After', async t => {
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
  const places = Array.from({ length: KEY_BATCHES_MAX }, () => fetch(url + route.path, { method: 'POST', headers, body: '{}' }))
  await until('all places are taken', () => started === KEY_BATCHES_MAX)
  const waits: number[] = []
  const client = new HsapiClient({
    url,
    key: key.key,
    sleep: async ms => {
      waits.push(ms)
      isOver = true
      await Promise.all(places)
    },
  })
  t.equal((await client.classify(['x'])).length, 1)
  t.equal(waits.length, 1)
  t.ok((waits[0] as number) >= 1000 && (waits[0] as number) <= 1250)
})
