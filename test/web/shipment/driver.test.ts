/** The shipment page waits for the quota and for pauses in typing before it sends requests. Tested without a browser. */
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { limits } from '../../../src/web/app/data/api.js'
import { readCountry } from '../../../src/web/app/data/country.js'
import { changeKey } from '../../../src/web/app/data/key.js'
import { readTable } from '../../../src/web/app/shipment/read-table.js'
import { answered, openFakeBrowser, refused } from '../../support/fake-browser.js'
import { runHook } from '../../support/hooks.js'
import { pasted } from './support.js'

const { useShipment } = await import('../../../src/web/app/shipment/use-shipment.js')

const START_MS = 1_800_000_000_000

const resolvedOf = (code: string) => ({
  input: code,
  status: 'found',
  hs_code: code,
  declarable: true,
  lines: 1,
  nearest: null,
  candidates: [],
  record: null,
})

type Body = { codes?: string[]; items?: { value: string }[] }

async function openDriver(t: Test) {
  const browser = openFakeBrowser(t)
  mock.timers.enable({ apis: ['Date'], now: START_MS })
  const before = limits.peek()
  limits.value = { limit: 600, remaining: 600, limitDay: 600, remainingDay: 600 }
  changeKey('hs_free_a')
  t.teardown(() => {
    limits.value = before
    changeKey(null)
    readCountry('')
    mock.timers.reset()
  })
  const good = ({ path, body }: { path: string; body: unknown }) => {
    const { codes = [], items = [] } = (body ?? {}) as Body
    if (path.endsWith('/resolve')) return answered(codes.map(resolvedOf))
    if (path.endsWith('/calculate'))
      return answered({
        items: items.map(() => ({ error: { code: 'invalid_value', message: '', details: {} } })),
        totals: { declared_value: '0', vat_amount: '0' },
        fees: [],
      })
    return answered({ items: items.map(() => ({ status: 'unknown', candidates: [], question: null, verdict: null })) })
  }
  browser.answer(good)
  const hook = runHook(t, useShipment)
  await browser.settle()
  const pass = async (ms: number) => {
    mock.timers.tick(ms)
    browser.pass(ms)
    await browser.settle()
  }
  const paste = async (text: string) => {
    hook.value().actions.paste(readTable(text).cells, false)
    await browser.settle()
  }
  const edit = async (id: number, field: 'code' | 'value', text: string) => {
    hook.value().actions.edit(id, field, text)
    await browser.settle()
  }
  /** The requests since the last call: the path, with the codes or the number of items. */
  const taken = () =>
    browser.sent.splice(0).map(({ path, body }) => {
      const { codes, items } = (body ?? {}) as Body
      return `${path.replace(/^.*\/v1\//, '')} ${codes?.join() ?? items?.length ?? ''}`.trim()
    })
  return { ...browser, driver: hook.value, end: hook.end, good, pass, paste, edit, taken }
}

t.test('rows are sent in one request, each once, and nothing is sent after that', async t => {
  const { paste, taken, driver, pass } = await openDriver(t)
  t.equal(driver().run.kind, 'idle')
  t.strictSame(taken(), [])
  await paste('0101\n0102')
  t.strictSame(taken(), ['health', 'resolve 0101,0102'], 'the remaining quota is requested before several rows')
  t.equal(driver().run.kind, 'idle')
  t.strictSame(
    driver().state.rows.map(({ resolved }) => resolved?.hs_code),
    ['0101', '0102'],
  )
  await paste('0103')
  t.strictSame(taken(), ['resolve 0103'], 'for one row, the remaining quota is not requested')
  await pass(60_000)
  t.strictSame(taken(), [])
})

t.test('a request has at most as many rows as requests are left; the other rows wait as long as the API says', async t => {
  const { paste, taken, driver, answer, good, pass } = await openDriver(t)
  let left = 2
  answer(sent => {
    if (sent.path.endsWith('/health'))
      return answered({}, { 'X-RateLimit-Remaining-Minute': String(left), 'X-RateLimit-Remaining-Day': '500' })
    if (left === 0) return refused(429, 'rate_limited', {}, { 'Retry-After': '7', 'X-RateLimit-Remaining-Minute': '0' })
    left = 0
    const response = good(sent)
    response.headers.set('X-RateLimit-Remaining-Minute', '0')
    return response
  })
  await paste('0101\n0102\n0103')
  t.strictSame(taken(), ['health', 'resolve 0101,0102', 'resolve 0103'])
  t.match(driver().run, { kind: 'waiting', why: 'limit', untilMs: START_MS + 7_000 })
  await pass(6_999)
  t.strictSame(taken(), [])
  left = 500
  await pass(1)
  t.strictSame(taken(), ['health', 'resolve 0103'], 'the remaining quota has changed')
  t.equal(driver().run.kind, 'idle')
})

t.test('the remaining quota of the day limits a request like that of the minute', async t => {
  const { paste, taken, answer, good } = await openDriver(t)
  answer(sent => {
    const response = good(sent)
    response.headers.set('X-RateLimit-Remaining-Day', sent.path.endsWith('/health') ? '2' : '500')
    return response
  })
  await paste('0101\n0102\n0103')
  t.strictSame(taken().slice(0, 2), ['health', 'resolve 0101,0102'])
})

t.test('if others used the same key meanwhile, the remaining quota is used immediately', async t => {
  const { paste, taken, answer, good, driver } = await openDriver(t)
  let isFirst = true
  answer(sent => {
    if (!sent.path.endsWith('/resolve') || !isFirst) return good(sent)
    isFirst = false
    return refused(429, 'rate_limited', {}, { 'Retry-After': '30', 'X-RateLimit-Remaining-Minute': '2' })
  })
  await paste('0101\n0102\n0103')
  t.strictSame(taken().slice(0, 3), ['health', 'resolve 0101,0102,0103', 'resolve 0101,0102'])
  t.not(driver().run.kind, 'waiting')
})

t.test('an unreachable server is tried every five seconds, and as soon as the browser is online', async t => {
  const { paste, taken, answer, good, pass, driver, window, settle } = await openDriver(t)
  answer(null)
  await paste('0101')
  t.match(driver().run, { kind: 'waiting', why: 'offline', untilMs: START_MS + 5_000 })
  t.strictSame(taken(), ['resolve 0101'])
  await pass(5_000)
  t.strictSame(taken(), ['resolve 0101'])
  window.dispatchEvent(new Event('online'))
  await settle()
  t.strictSame(taken(), ['resolve 0101'])
  answer(good)
  await pass(4_999)
  t.strictSame(taken(), [], 'the five seconds start again')
  await pass(1)
  t.strictSame(taken(), ['resolve 0101'])
  answer(() => refused(503, 'starting', {}, { 'Retry-After': '3' }))
  await paste('0102')
  t.match(driver().run, { kind: 'waiting', why: 'starting' })
  taken()
  window.dispatchEvent(new Event('online'))
  await settle()
  t.strictSame(taken(), [], 'the server said how long to wait')
})

t.test('amounts are requested after a pause in typing, which is longer if few requests are left', async t => {
  const { paste, edit, taken, pass, driver, settle } = await openDriver(t)
  await paste('code,value\n0101,5')
  t.strictSame(taken(), ['resolve 0101', 'tariff/calculate 1'], 'pasted amounts are requested immediately')
  await edit(1, 'value', '6')
  await pass(499)
  t.strictSame(taken(), [])
  await edit(1, 'value', '67')
  await pass(499)
  t.strictSame(taken(), [], 'the pause starts again')
  await pass(1)
  t.strictSame(taken(), ['tariff/calculate 1'])
  for (const remaining of [60, 59]) {
    limits.value = { ...limits.peek(), remaining }
    await edit(1, 'value', `8${remaining}`)
    await pass(500)
    t.strictSame(taken(), remaining === 60 ? ['tariff/calculate 1'] : [])
  }
  await pass(1_000)
  t.strictSame(taken(), ['tariff/calculate 1'])
  await edit(1, 'code', '0102')
  t.strictSame(taken(), ['resolve 0102'], 'a code is requested without a pause')
  await pass(1_500)
  taken()
  driver().actions.terms({ freight: '5', country: 'SA' })
  await settle()
  t.strictSame(taken(), ['resolve 0102'])
  driver().actions.terms({ freight: '55' })
  await pass(1_499)
  t.strictSame(taken(), [], 'typed terms also wait for a pause')
  await pass(1)
  t.strictSame(taken(), ['tariff/calculate 1'])
})

t.test('if no requests are left today, only one row is sent, to learn how long to wait', async t => {
  const { paste, taken, answer, driver } = await openDriver(t)
  const left = { 'X-RateLimit-Remaining-Minute': '9', 'X-RateLimit-Remaining-Day': '0', 'Retry-After': '60' }
  answer(({ path }) => (path.endsWith('/health') ? answered({}, left) : refused(429, 'rate_limited', {}, left)))
  await paste('0101\n0102')
  t.strictSame(taken(), ['health', 'resolve 0101'])
  t.match(driver().run, { kind: 'waiting', why: 'limit', untilMs: START_MS + 60_000 })
})

t.test('a change that needs another request cancels the current one; other changes do not', async t => {
  const { paste, edit, taken, answer, good, driver, settle } = await openDriver(t)
  let release: (() => void)[] = []
  answer(sent => new Promise(done => release.push(() => done(good(sent)))))
  await paste('0101')
  driver().actions.add()
  await settle()
  t.strictSame(taken(), ['resolve 0101'], 'an empty row needs no request')
  await edit(1, 'code', '0102')
  t.strictSame(taken(), ['resolve 0102'])
  for (const go of release) go()
  release = []
  await settle()
  t.strictSame(
    driver().state.rows.map(({ resolved }) => resolved?.hs_code),
    ['0102', undefined],
  )
  t.equal(driver().run.kind, 'idle')
})

t.test(
  'a request that was refused as a whole is not repeated; after an error, nothing is sent until the visitor continues',
  async t => {
    const { paste, taken, answer, good, driver, pass, settle } = await openDriver(t)
    answer(() => refused(400, 'invalid_parameter', { parameter: 'codes' }))
    await paste('0101')
    t.match(driver().state.refusal, { kind: 'resolve', code: 'invalid_parameter', parameter: 'codes' })
    t.strictSame(taken(), ['resolve 0101'])
    answer(() => refused(500, 'internal_error', { request_id: 'r1' }))
    await paste('0102')
    t.match(driver().run, { kind: 'trouble', trouble: { kind: 'broken', id: 'r1' } })
    taken()
    answer(good)
    await paste('0103')
    await pass(60_000)
    t.strictSame(taken(), [])
    driver().goOn()
    await settle()
    t.strictSame(taken(), ['resolve 0101,0102,0103'])
  },
)

t.test('after a stop, nothing is sent until the visitor continues, and an answer that arrives later is not used', async t => {
  const { paste, taken, answer, good, driver, settle } = await openDriver(t)
  let release = () => {}
  answer(
    sent =>
      new Promise(done => {
        release = () => done(good(sent))
      }),
  )
  await paste('0101')
  driver().stop()
  release()
  await settle()
  t.equal(driver().run.kind, 'stopped')
  t.equal(driver().state.rows[0]?.resolved, null)
  await paste('0102')
  t.strictSame(taken(), ['resolve 0101'])
  answer(good)
  driver().goOn()
  await settle()
  t.strictSame(taken(), ['health', 'resolve 0101,0102'])
})

t.test('restored work continues with the country of the page, unless it was stopped; cleared work sends no requests', async t => {
  const { taken, driver, settle } = await openDriver(t)
  readCountry('?country=SA')
  driver().restore(pasted('0101'), true)
  await settle()
  t.equal(driver().run.kind, 'stopped')
  t.equal(driver().state.terms.country, 'SA')
  t.strictSame(taken(), [])
  driver().restore(pasted('0101'), false)
  await settle()
  t.strictSame(taken(), ['resolve 0101'])
  driver().stop()
  await settle()
  driver().clear()
  await settle()
  t.strictSame([driver().run.kind, driver().state.rows], ['idle', []])
})

t.test('after the visitor leaves the page, nothing more is sent', async t => {
  const { paste, edit, taken, end, pass } = await openDriver(t)
  await paste('code,value\n0101,5')
  await edit(1, 'value', '6')
  taken()
  end()
  await pass(10_000)
  t.strictSame(taken(), [])
})
