/** Stored answers, tested without a browser: to which key they belong, and when a page shows them with a note. */
import t, { type Test } from 'tap'
import { forgetAnswers, keepInMemory, keptSince, recallAnswer } from '../../src/web/app/data/answer.js'
import { ask } from '../../src/web/app/data/api.js'
import { installWorker } from '../../src/web/app/data/install-worker.js'
import { changeKey } from '../../src/web/app/data/key.js'
import { answered, openFakeBrowser } from '../support/fake-browser.js'

const KEY = 'hs_free_a'
const OPEN = 'hsapi-answers-open'
const QUIET_MS = 1_000

async function openKept(t: Test) {
  const browser = openFakeBrowser(t)
  // the module is loaded once, so its listeners are on the window of the first test
  const { askAgain, endOffline, findAnswer, keepAnswer } = await import('../../src/web/app/data/kept-answers.js')
  const restart = () => {
    endOffline()
    changeKey(null)
  }
  restart()
  await browser.settle()
  t.teardown(restart)
  const kept = () => [...browser.caches.values()].flatMap(cache => [...cache.keys()].map(path => path.slice('/api/v1/'.length)))
  const keep = async (path: string, text = '{"data":{},"meta":{}}', key: string | null = null) => {
    keepAnswer(path, text, key)
    browser.pass(QUIET_MS)
    await browser.settle()
  }
  const store = (day: string, path: string) => {
    const cache = browser.caches.get(OPEN) ?? new Map()
    const headers = { Date: new Date(`${day}T12:00:00Z`).toUTCString() }
    cache.set(`/api/v1/${path}`, new Response(`{"data":"${path}","meta":{}}`, { headers }))
    browser.caches.set(OPEN, cache)
  }
  return { ...browser, kept, keep, store, keepAnswer, findAnswer, askAgain, endOffline }
}

const noteDay = () => keptSince.value?.toISOString().slice(0, 10)

t.test('the note has the date of the oldest stored answer that the page shows', async t => {
  const { store, findAnswer, location } = await openKept(t)
  store('2026-11-03', 'hs-codes/85')
  store('2026-11-01', 'hs-codes/01')
  store('2026-11-02', 'hs-codes/09')
  store('2026-10-01', 'dataset')
  const dayAfter = async (path: string) => {
    await findAnswer(path)
    return noteDay()
  }
  t.equal(await dayAfter('dataset'), undefined, 'facts about the dataset are not content of the page')
  t.equal(await dayAfter('hs-codes/85'), '2026-11-03')
  t.equal(await dayAfter('hs-codes/01'), '2026-11-01')
  t.equal(await dayAfter('hs-codes/09'), '2026-11-01', 'a newer answer does not change the date')
  t.equal(await dayAfter('hs-codes/77'), '2026-11-01', 'an answer that is not stored does not change the date either')
  location.pathname = '/code/09'
  t.equal(await dayAfter('hs-codes/09'), '2026-11-02', 'another page has a date of its own')
  location.search = '?lang=ar'
  t.equal(await dayAfter('hs-codes/77'), undefined, 'a page without stored answers has no note')
})

t.test('answers are stored when typing pauses; of a search typed letter by letter, only the last text is stored', async t => {
  const { keepAnswer, kept, pass, settle } = await openKept(t)
  const text = '{"data":{},"meta":{}}'
  for (const path of ['search?q=t', 'hs-codes/01', 'search?q=tea&limit=1', 'search?q=tea']) keepAnswer(path, text, null)
  pass(QUIET_MS - 1)
  await settle()
  t.strictSame(kept(), [])
  keepAnswer('chapters', text, null)
  pass(QUIET_MS - 1)
  await settle()
  t.strictSame(kept(), [], 'each answer starts the pause again')
  pass(1)
  await settle()
  t.strictSame(kept(), ['hs-codes/01', 'search?q=tea&limit=1', 'search?q=tea', 'chapters'])
})

t.test('the 200 latest answers stay; an answer that is stored again is not the oldest', async t => {
  const { keepAnswer, keep, kept, pass, settle } = await openKept(t)
  for (let i = 0; i < 200; i++) keepAnswer(`hs-codes/${i}`, '', null)
  pass(QUIET_MS)
  for (let i = 0; i < 50; i++) await settle()
  t.equal(kept().length, 200)
  await keep('hs-codes/0')
  await keep('hs-codes/200')
  t.equal(kept().length, 200)
  t.ok(kept().includes('hs-codes/0'))
  t.notOk(kept().includes('hs-codes/1'))
})

t.test('each key has stored answers of its own, and a key that was removed meanwhile has none', async t => {
  const { keep, keepAnswer, findAnswer, caches, local, pass, settle } = await openKept(t)
  changeKey(KEY)
  await settle()
  await keep('hs-codes/01', '{"data":"a","meta":{}}', KEY)
  const [name = ''] = [...caches.keys()]
  t.match(name, /^hsapi-answers-[0-9a-f]{24}$/)
  t.match(await findAnswer('hs-codes/01'), { data: 'a' })
  await keep('hs-codes/02', '', null)
  t.strictSame([...caches.keys()], [name], 'an answer to a request without the current key is not stored')
  keepAnswer('hs-codes/03', '', KEY)
  local.delete('hsapi-key')
  pass(QUIET_MS)
  await settle()
  t.strictSame([...(caches.get(name)?.keys() ?? [])], ['/api/v1/hs-codes/01'], 'another tab removed the key: nothing is stored')
  changeKey('hs_free_b')
  await settle()
  t.strictSame([...caches.keys()], [], 'with another key, the stored answers of the first key are gone')
  t.equal(await findAnswer('hs-codes/01'), undefined)
  await keep('hs-codes/01', '{"data":"b","meta":{}}', 'hs_free_b')
  changeKey('hs_free_b')
  await settle()
  t.equal(caches.size, 1, 'entering the same key again removes nothing')
})

t.test('a key that is removed while its answer is being stored leaves nothing behind', async t => {
  const { keepAnswer, caches, local, pass, settle } = await openKept(t)
  changeKey(KEY)
  await settle()
  const { caches: storage } = globalThis as unknown as { caches: { open: (name: string) => Promise<unknown> } }
  const { open } = storage
  storage.open = async name => {
    local.delete('hsapi-key')
    return open(name)
  }
  keepAnswer('hs-codes/01', '', KEY)
  pass(QUIET_MS)
  await settle()
  t.strictSame([...caches.keys()], [])
})

t.test(
  'an unreachable server is tried every five seconds; its answer removes the note, and stored answers do not stay in memory',
  async t => {
    const { store, answer, pass, settle, sent, window } = await openKept(t)
    installWorker(Promise.resolve())
    forgetAnswers()
    store('2026-11-03', 'hs-codes/85')
    let online = 0
    window.addEventListener('hsapi-online-again', () => online++)
    let isAway = true
    let health = 500
    answer(({ path }) => {
      if (path === '/explorer.json') return new Response('{"mode":"open","key":"hs_page"}')
      if (path === '/api/v1/health') return new Response('', { status: health })
      if (isAway) throw new TypeError('Failed to fetch')
      return answered({})
    })
    t.match(await ask('hs-codes/85'), { kind: 'ok', data: 'hs-codes/85' })
    t.equal(noteDay(), '2026-11-03')
    t.strictSame(await ask('hs-codes/86'), { kind: 'offline' })
    t.strictSame(await ask('tariff/calculate?hs_code=85'), { kind: 'offline' })
    sent.length = 0
    pass(4_999)
    t.equal(sent.length, 0)
    pass(5_001)
    await settle()
    t.strictSame(
      sent.map(({ path }) => path),
      ['/api/v1/health', '/api/v1/health'],
    )
    t.equal(noteDay(), '2026-11-03', 'the note stays if the server answers with an error')
    health = 200
    window.dispatchEvent(new Event('online'))
    await settle()
    t.equal(noteDay(), undefined)
    t.equal(online, 1)
    sent.length = 0
    pass(60_000)
    window.dispatchEvent(new Event('online'))
    await settle()
    t.strictSame(sent, [], 'no further request is sent')

    t.match(
      await ask('hs-codes/85'),
      { kind: 'ok', data: 'hs-codes/85' },
      'the server is unreachable again, so a stored answer is used',
    )
    isAway = false
    await ask('chapters')
    await settle()
    t.equal(noteDay(), undefined, 'any answer shows that the server is back')
    t.equal(online, 2)
    t.equal(recallAnswer('hs-codes/85'), undefined)
    pass(QUIET_MS)
    await settle()
  },
)

t.test('estimates and suggestions are not stored, and nothing is stored without the service worker', async t => {
  const { answer, kept, pass, settle } = await openKept(t)
  changeKey(KEY)
  await settle()
  answer(() => answered({}))
  Object.assign(globalThis, { navigator: {} })
  installWorker(Promise.resolve())
  const asked = async () => {
    forgetAnswers()
    for (const path of [
      'hs-codes/01',
      'search?q=tea',
      'notes/01',
      'chapters',
      'dataset',
      'tariff/calculate?hs_code=01',
      'suggest?q=t',
    ])
      await ask(path)
    await settle()
    pass(QUIET_MS)
    await settle()
    return kept()
  }
  t.strictSame(await asked(), [])
  Object.assign(globalThis, { navigator: { serviceWorker: { register: async () => ({}) } } })
  installWorker(Promise.resolve())
  t.strictSame(await asked(), ['hs-codes/01', 'search?q=tea', 'notes/01', 'chapters', 'dataset'])
  installWorker(Promise.reject(new Error('the page did not load')).catch(() => {}))
})

t.test('once the server answers again, the page forgets the answers that it showed from storage', async t => {
  const { store, findAnswer, endOffline } = await openKept(t)
  store('2026-11-03', 'hs-codes/85')
  const answer = await findAnswer('hs-codes/85')
  keepInMemory('hs-codes/85', answer ?? { kind: 'offline' })
  endOffline()
  t.equal(recallAnswer('hs-codes/85'), undefined)
})
