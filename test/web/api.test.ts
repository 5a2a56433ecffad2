/** The pages' requests, tested without a browser: keys, countries, cached answers, and errors as values. */
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { forgetAnswers, keepInMemory, recallAnswer } from '../../src/web/app/data/answer.js'
import { ask, checkKey, limits, recall, refreshLimits, rememberAnswer } from '../../src/web/app/data/api.js'
import {
  chooseCountry,
  country,
  lastRefused,
  noteServerCountry,
  readCountry,
  serverCountry,
} from '../../src/web/app/data/country.js'
import { askModeAgain, changeKey, hasKeptKey, keptKey } from '../../src/web/app/data/key.js'
import { answered, openFakeBrowser, refused } from '../support/fake-browser.js'

function openApi(t: Test) {
  const browser = openFakeBrowser(t)
  const restart = () => {
    changeKey(null)
    askModeAgain()
    chooseCountry('')
    noteServerCountry('')
    readCountry('')
    forgetAnswers()
  }
  restart()
  t.teardown(restart)
  return browser
}

const asOpen = (key: string) => new Response(JSON.stringify({ mode: 'open', key }))
const paths = ({ sent }: { sent: { path: string }[] }) => sent.map(({ path }) => path.replace('/api/v1/', ''))

t.test('an answer is requested again only after five minutes or after a change of key', async t => {
  const browser = openApi(t)
  changeKey('hs_free_a')
  browser.answer(() => answered({ hs_code: '0101' }))
  const first = await ask('hs-codes/0101')
  t.match(first, { kind: 'ok', data: { hs_code: '0101' }, meta: { total: 1 } })
  t.equal(await ask('hs-codes/0101'), first)
  t.equal(browser.sent.length, 1)
  changeKey('hs_free_b')
  await ask('hs-codes/0101')
  t.strictSame(
    browser.sent.map(({ key }) => key),
    ['hs_free_a', 'hs_free_b'],
  )
  const start = performance.now()
  const now = mock.method(performance, 'now', () => start + 5 * 60_000 - 1000)
  t.teardown(() => now.mock.restore())
  await ask('hs-codes/0101')
  t.equal(browser.sent.length, 2, 'the answer is still in memory')
  now.mock.mockImplementation(() => start + 5 * 60_000 + 10_000)
  await ask('hs-codes/0101')
  t.equal(browser.sent.length, 3)
})

t.test('memory keeps the latest 300 answers', async t => {
  openApi(t)
  const answer = { kind: 'missing', nearest: null, movedTo: [] } as const
  for (let i = 0; i < 300; i++) keepInMemory(`hs-codes/${i}`, answer)
  t.ok(recallAnswer('hs-codes/0'))
  keepInMemory('hs-codes/0', answer)
  keepInMemory('hs-codes/300', answer)
  t.ok(recallAnswer('hs-codes/0'), 'an answer that was stored again is not the oldest')
  t.notOk(recallAnswer('hs-codes/1'))
  t.ok(recallAnswer('hs-codes/2'))
})

t.test('errors and answers to a POST are requested every time', async t => {
  const browser = openApi(t)
  changeKey('hs_free_a')
  browser.answer(() => refused(404, 'not_found', { nearest: '01', moved_to: ['010121'] }))
  for (let i = 0; i < 2; i++) t.strictSame(await ask('hs-codes/9999'), { kind: 'missing', nearest: '01', movedTo: ['010121'] })
  browser.answer(() => answered([]))
  for (let i = 0; i < 2; i++) t.equal((await ask('resolve', { body: { codes: ['01'] } })).kind, 'ok')
  t.strictSame(browser.sent.slice(2), [
    { path: '/api/v1/resolve', key: 'hs_free_a', body: { codes: ['01'] } },
    { path: '/api/v1/resolve', key: 'hs_free_a', body: { codes: ['01'] } },
  ])
  t.equal(browser.sent.length, 4)
})

t.test('errors are told apart by status and code', async t => {
  const browser = openApi(t)
  changeKey('hs_free_a')
  const trouble = async (response: Response) => {
    browser.answer(() => response)
    return ask('hs-codes/0101')
  }
  t.strictSame(await trouble(refused(429, 'rate_limited', {}, { 'Retry-After': '7' })), { kind: 'limit', seconds: 7 })
  t.strictSame(await trouble(refused(429, 'rate_limited', {}, { 'Retry-After': '0' })), { kind: 'limit', seconds: 1 })
  t.strictSame(await trouble(refused(503, 'starting', {}, { 'Retry-After': '2' })), { kind: 'starting', seconds: 2 })
  t.strictSame(await trouble(new Response('', { status: 503 })), { kind: 'starting', seconds: 1 })
  t.strictSame(await trouble(refused(401, 'missing_api_key')), { kind: 'key', reason: 'missing' })
  t.strictSame(await trouble(refused(401, 'invalid_api_key')), { kind: 'key', reason: 'wrong' })
  t.strictSame(await trouble(refused(401, 'api_key_expired')), { kind: 'key', reason: 'expired' })
  t.strictSame(await trouble(refused(404, 'not_found')), { kind: 'missing', nearest: null, movedTo: [] })
  t.strictSame(await trouble(refused(400, 'invalid_parameter', { parameter: 'q' })), {
    kind: 'refused',
    code: 'invalid_parameter',
    message: 'invalid_parameter',
    parameter: 'q',
  })
  t.match(await trouble(refused(400, 'query_too_short')), { kind: 'refused', parameter: '' })
  for (const status of [502, 504]) t.strictSame(await trouble(new Response('<html>', { status })), { kind: 'offline' })
  t.strictSame(await trouble(refused(500, 'internal_error', { request_id: 'r1' })), { kind: 'broken', id: 'r1' })
  t.strictSame(await trouble(new Response('<html>', { status: 404 })), { kind: 'broken', id: null })
  t.strictSame(await trouble(new Response('<html>')), { kind: 'broken', id: null }, 'HTML is not an answer of the API')
  browser.answer(null)
  t.strictSame(await ask('tariff/01'), { kind: 'offline' })
})

t.test('an aborted request rejects as aborted, also in browsers that name the failure differently', async t => {
  const browser = openApi(t)
  changeKey('hs_free_a')
  const controller = new AbortController()
  browser.answer(() => {
    controller.abort()
    throw new TypeError('Failed to fetch')
  })
  await t.rejects(ask('hs-codes/0101', { signal: controller.signal }), { name: 'AbortError' })
  t.equal(recall('hs-codes/0101'), undefined)
})

t.test("if the server's own key is refused, it is requested once more; a refused key of a visitor is not replaced", async t => {
  const browser = openApi(t)
  let own = 'hs_page_1'
  let good = 'hs_page_2'
  browser.answer(({ path, key }) => {
    if (path === '/explorer.json') return asOpen(own)
    return key === good ? answered({}) : refused(401, 'invalid_api_key')
  })
  t.strictSame(await ask('chapters'), { kind: 'key', reason: 'wrong' })
  t.strictSame(paths(browser), ['/explorer.json', 'chapters', '/explorer.json', 'chapters'])
  own = good
  browser.sent.length = 0
  t.equal((await ask('chapters')).kind, 'ok', 'after a restart, the new key of the server is used')
  t.strictSame(
    browser.sent.map(({ key }) => key),
    ['hs_page_1', null, 'hs_page_2'],
  )
  browser.sent.length = 0
  changeKey('hs_free_wrong')
  await browser.settle()
  browser.caches.set('hsapi-answers-1', new Map()).set('hsapi-shell', new Map())
  good = 'none'
  t.equal((await ask('dataset')).kind, 'key')
  t.strictSame(paths(browser), ['dataset'])
  await browser.settle()
  t.strictSame([...browser.caches.keys()], ['hsapi-shell'], 'stored answers of a key that is not valid are gone')
  t.equal(keptKey(), 'hs_free_wrong', 'the refused key stays, because the visitor may have mistyped it')
})

t.test('if a key is needed, nothing is sent without one; a failed request for the mode is repeated', async t => {
  const browser = openApi(t)
  browser.answer(null)
  t.equal((await ask('chapters')).kind, 'offline')
  browser.answer(() => new Response('', { status: 500 }))
  t.equal((await ask('chapters')).kind, 'offline')
  browser.caches.set('hsapi-answers-open', new Map())
  browser.answer(() => new Response(JSON.stringify({ mode: 'key' })))
  t.strictSame(await ask('chapters'), { kind: 'key', reason: 'missing' })
  await browser.settle()
  t.strictSame([...browser.caches.keys()], [], 'answers that needed no key are not shown to a visitor who needs one')
  t.ok(paths(browser).every(path => path === '/explorer.json'))
  t.equal(hasKeptKey(), false)
})

t.test('the country is added only to paths whose answers depend on it; a POST has it in its body', async t => {
  const browser = openApi(t)
  changeKey('hs_free_a')
  readCountry('?country=sa')
  browser.answer(() => answered({}))
  await ask('hs-codes/0101?include=rate')
  await ask('hs-codes/0101')
  await ask('chapters')
  await ask('tariff/calculate', { body: {} })
  t.strictSame(paths(browser), [
    'hs-codes/0101?include=rate&country=SA',
    'hs-codes/0101?country=SA',
    'chapters',
    'tariff/calculate',
  ])
  t.ok(recall('hs-codes/0101'))
  readCountry('')
  t.equal(recall('hs-codes/0101'), undefined, 'the cached answer is for another country')
})

t.test('a country that the dataset lacks is no longer sent until the visitor chooses again', async t => {
  const browser = openApi(t)
  changeKey('hs_free_a')
  readCountry('?country=SA')
  let changes = 0
  browser.window.addEventListener('hsapi-country-changed', () => changes++)
  browser.answer(() => refused(400, 'invalid_parameter', { parameter: 'level' }))
  await ask('search?q=tea')
  t.equal(changes, 0, 'a refusal of another parameter changes nothing')
  browser.answer(() => refused(400, 'invalid_parameter', { parameter: 'country' }))
  await ask('search?q=tea')
  t.equal(changes, 1)
  t.equal(lastRefused(), 'SA')
  readCountry('?country=SA')
  t.equal(country(), '')
  chooseCountry('SA')
  t.equal(lastRefused(), '')
  readCountry('')
  t.equal(country(), 'SA')
})

t.test("the server's country is read from an answer to a request without a country", async t => {
  const browser = openApi(t)
  changeKey('hs_free_a')
  let changes = 0
  browser.window.addEventListener('hsapi-country-changed', () => changes++)
  browser.answer(() => answered([{ hs_code: '01', rate: {} }, { rate: { country: 'OM' } }]))
  await ask('hs-codes/01/children')
  t.equal(country(), '', 'the first record has no country')
  browser.answer(() => answered({ rate: { country: 'KW' } }))
  await ask('tariff/calculate', { body: {} })
  t.equal(country(), '', 'the answer to a POST is not read')
  await ask('hs-codes/0102')
  t.strictSame([country(), serverCountry(), changes], ['KW', 'KW', 1])
  browser.answer(() => answered({ rate: { country: 'QA' } }))
  await ask('hs-codes/0103')
  t.strictSame([country(), changes], ['KW', 1])
})

t.test('the remaining quota is read from every answer; an answer without quota headers leaves the figures unchanged', async t => {
  const browser = openApi(t)
  changeKey('hs_free_a')
  const before = limits.peek()
  t.teardown(() => {
    limits.value = before
  })
  const headers = (limit: string, left: string, day: string, leftDay: string) => ({
    'X-RateLimit-Limit-Minute': limit,
    'X-RateLimit-Remaining-Minute': left,
    'X-RateLimit-Limit-Day': day,
    'X-RateLimit-Remaining-Day': leftDay,
  })
  browser.answer(() => answered({}, headers('30', '12', '500', '400')))
  await refreshLimits(new AbortController().signal)
  t.strictSame(paths(browser), ['health'])
  t.strictSame(limits.peek(), { limit: 30, remaining: 12, limitDay: 500, remainingDay: 400 })
  browser.answer(() => answered({}))
  await ask('chapters')
  t.strictSame(limits.peek(), { limit: 30, remaining: 12, limitDay: 500, remainingDay: 400 })
  browser.answer(() => answered({}, headers('0', '0', 'x', '-1')))
  await ask('hs-codes/01')
  t.strictSame(limits.peek(), { limit: 30, remaining: 0, limitDay: 500, remainingDay: 400 })
  browser.answer(null)
  await refreshLimits(new AbortController().signal)
  t.strictSame(limits.peek(), { limit: 30, remaining: 0, limitDay: 500, remainingDay: 400 })
})

t.test('a key is checked without being stored; a key without remaining requests is valid', async t => {
  const browser = openApi(t)
  const check = async (response: Response) => {
    browser.answer(() => response)
    return checkKey('hs_free_x')
  }
  t.equal(await check(answered({})), 'good')
  t.equal(await check(refused(429, 'rate_limited')), 'good')
  t.equal(await check(refused(401, 'api_key_expired')), 'expired')
  t.equal(await check(refused(401, 'invalid_api_key')), 'wrong')
  t.equal(await check(refused(503, 'starting')), 'unchecked')
  browser.answer(null)
  t.equal(await checkKey('hs_free_x'), 'unchecked')
  t.equal(keptKey(), null)
  t.ok(browser.sent.every(({ key, path }) => key === 'hs_free_x' && path === '/api/v1/dataset'))
})

t.test('answers in the document are not requested again, including the answer that a code does not exist', async t => {
  const browser = openApi(t)
  rememberAnswer('hs-codes/01', { data: { hs_code: '01' } })
  rememberAnswer('hs-codes/01/children', { data: [], meta: { total: 7, count: 0 } })
  rememberAnswer('hs-codes/99', { error: { details: { moved_to: ['98'] } } })
  t.match(await ask('hs-codes/01'), { kind: 'ok', data: { hs_code: '01' }, meta: { total: 1, count: 1 } })
  t.match(await ask('hs-codes/01/children'), { meta: { total: 7, count: 0 } })
  t.strictSame(await ask('hs-codes/99'), { kind: 'missing', nearest: null, movedTo: ['98'] })
  t.strictSame(browser.sent, [])
})
