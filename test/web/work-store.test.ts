/** Work that is stored in the browser: which of it a tab shows, and which of it each change keeps. Tested without a browser. */
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { type Stored, WorkStore } from '../../src/web/app/data/work-store.js'
import { openFakeBrowser } from '../support/fake-browser.js'

interface Work extends Stored {
  text: string
}

const NAMES = { database: 'db', store: 'work', tab: 'tab-of-work' }
const OLD = { savedMs: 1, address: '' }

function openStore(t: Test) {
  mock.timers.enable({ apis: ['Date'], now: 1_000 })
  t.teardown(() => mock.timers.reset())
  const browser = openFakeBrowser(t)
  const kept = new Map<string, unknown>()
  browser.stores.set('db/work', kept)
  const put = (...works: Work[]) => {
    for (const work of works) kept.set(work.id, work)
  }
  const texts = () => [...kept.values()].map(work => (work as Work).text).sort()
  /** Another page of the same tab. */
  const reload = () => new WorkStore<Work>(NAMES)
  return { ...browser, put, texts, reload, store: reload() }
}

t.test('typing is saved at intervals, with its latest state, and immediately when the page unloads', async t => {
  const { store, texts, pass, settle } = openStore(t)
  store.save({ text: 'a', address: '' })
  store.save({ text: 'ab', address: '' })
  pass(199)
  await settle()
  t.strictSame(texts(), [])
  pass(1)
  await settle()
  t.strictSame(texts(), ['ab'], 'one piece of work is stored')
  store.save({ text: 'abc', address: '' })
  store.flush()
  await settle()
  t.strictSame(texts(), ['abc'])
  store.save({ text: 'abcd', address: '' })
  pass(200)
  await settle()
  t.strictSame(texts(), ['abcd'], 'typing after that is saved as well')
})

t.test('typing within an interval is written once, and changes the history entry once', async t => {
  const { store, stores, pass, settle, history } = openStore(t)
  let [written, replaced] = [0, 0]
  const kept = stores.get('db/work') as Map<string, unknown>
  const set = kept.set.bind(kept)
  kept.set = (id, work) => {
    written++
    return set(id, work)
  }
  history.replaceState = state => {
    history.state = state
    replaced++
  }
  for (const text of ['a', 'ab', 'abc']) store.save({ text, address: '' })
  pass(1_000)
  await settle()
  t.strictSame([written, replaced], [1, 1])
})

t.test(
  'a reload shows the work of the tab, Back shows the work of the history entry, and a new tab shows the latest work',
  async t => {
    const { store, put, reload, history, session, settle } = openStore(t)
    put({ id: 'latest', text: 'latest', savedMs: 900_000, address: '' }, { id: 'old', text: 'old', ...OLD })
    t.equal((await store.find(''))?.text, 'latest')
    t.equal(session.get('tab-of-work'), undefined, 'that work does not belong to this tab')
    store.save({ text: 'mine', address: '' })
    store.flush()
    await settle()
    const mine = (history.state as { work: string }).work
    history.state = null
    t.equal((await reload().find(''))?.text, 'mine', 'the work of this tab is shown, although it is not the latest')
    history.state = { work: 'old' }
    const back = reload()
    t.equal((await back.find(''))?.text, 'old')
    t.equal(back.current('')?.text, 'old')
    history.state = { work: mine }
    t.equal(back.current(''), undefined, 'the history entry has other work')
    history.state = { work: 'gone' }
    t.equal((await reload().find(''))?.text, 'mine')
    session.set('tab-of-work', 'removed')
    history.state = null
    t.equal(await reload().find(''), undefined, 'a tab whose work was removed starts without any')
  },
)

t.test('an address shows only work of that address', async t => {
  const { store, put } = openStore(t)
  put({ id: 'a', text: 'a', savedMs: 5, address: '/a' }, { id: 'b', text: 'b', savedMs: 9, address: '/b' })
  t.equal((await store.find('/a'))?.text, 'a')
  t.equal(await store.find('/c'), undefined)
  t.equal((await store.find(''))?.text, 'b')
  store.take({ id: 'a', text: 'a', savedMs: 5, address: '/a' })
  t.equal(store.current('/a')?.text, 'a')
  t.equal(store.current('/b'), undefined)
})

t.test('if the tab shows work of another tab, changes are saved as new work, and the other work stays', async t => {
  const { store, put, texts, settle } = openStore(t)
  put({ id: 'other', text: 'of another tab', ...OLD })
  await store.find('')
  store.save({ text: 'changed here', address: '' })
  store.flush()
  await settle()
  t.strictSame(texts(), ['changed here', 'of another tab'])
})

t.test('the browser keeps the five latest pieces of work', async t => {
  const { store, put, texts, settle } = openStore(t)
  for (let i = 1; i <= 7; i++) put({ id: `w${i}`, text: `w${i}`, savedMs: i, address: '' })
  t.equal((await store.find(''))?.text, 'w7')
  await settle()
  t.strictSame(texts(), ['w3', 'w4', 'w5', 'w6', 'w7'])
})

t.test('other stored work is listed, the latest first, without the work that is shown', async t => {
  const { store, put } = openStore(t)
  for (let i = 1; i <= 3; i++) put({ id: `w${i}`, text: `w${i}`, savedMs: i, address: '' })
  await store.find('')
  t.strictSame(
    (await store.others()).map(({ text }) => text),
    ['w2', 'w1'],
  )
  store.take({ id: 'w1', text: 'w1', savedMs: 1, address: '' })
  t.strictSame(
    (await store.others()).map(({ text }) => text),
    ['w3', 'w2'],
  )
})

t.test('one piece of work, the shown one, or all can be removed; a pending save does not restore them', async t => {
  const { store, put, texts, settle, pass, history, reload, session } = openStore(t)
  for (let i = 1; i <= 3; i++) put({ id: `w${i}`, text: `w${i}`, savedMs: i, address: '' })
  store.remove('w1')
  await settle()
  t.strictSame(texts(), ['w2', 'w3'])
  store.take({ id: 'w3', text: 'w3', savedMs: 3, address: '' })
  store.save({ text: 'typed', address: '' })
  store.forgetShown()
  pass(1_000)
  await settle()
  t.strictSame(texts(), ['w2'])
  t.equal((history.state as { work?: string }).work, undefined)
  t.equal(store.current(''), undefined)
  t.equal(session.get('tab-of-work'), 'w3')
  t.equal(await reload().find(''), undefined, 'the work of other tabs does not take its place')
  store.save({ text: 'new', address: '' })
  store.forget()
  pass(1_000)
  await settle()
  t.strictSame(texts(), [])
})

t.test('typed work is saved before the tab shows other work', async t => {
  const { store, texts, settle, put } = openStore(t)
  const other = { id: 'other', text: 'other', ...OLD }
  put(other)
  store.save({ text: 'typed', address: '' })
  store.take(other)
  await settle()
  t.strictSame(texts(), ['other', 'typed'])
  store.save({ text: 'more', address: '' })
  await store.find('/nowhere')
  await settle()
  t.strictSame(texts(), ['more', 'typed'])
})
