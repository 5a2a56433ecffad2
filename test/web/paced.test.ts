/** How long a search waits after the visitor types, tested without a browser. */
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { limits } from '../../src/web/app/data/api.js'
import { usePaced } from '../../src/web/app/search/paced.js'
import { runHook } from '../support/hooks.js'

const turn = () => new Promise(done => setImmediate(done))

async function openPaced(t: Test, remaining: number) {
  const before = limits.peek()
  limits.value = { ...before, limit: 30, remaining }
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => {
    limits.value = before
    mock.timers.reset()
  })
  let now = { wanted: '', isTyped: false, isKnown: true, quietMs: 0 }
  const hook = runHook(t, () => usePaced(now.wanted, now))
  const settle = async () => {
    await turn()
    await turn()
    const { question, isHeld } = hook.value()
    return isHeld ? 'held' : question
  }
  return {
    type: (wanted: string, more: object = {}) => {
      now = { wanted, isTyped: true, isKnown: false, quietMs: 0, ...more }
      hook.draw()
      return settle()
    },
    pass: (ms: number) => {
      mock.timers.tick(ms)
      return settle()
    },
    go: () => {
      hook.value().go()
      return settle()
    },
  }
}

t.test('with ample quota, every letter starts a search at once', async t => {
  const { type } = await openPaced(t, 500)
  t.equal(await type('t'), 't')
  t.equal(await type('te'), 'te')
})

t.test('with less quota left, a search waits for a pause in typing; until then the earlier search stays', async t => {
  const { type, pass } = await openPaced(t, 20)
  t.equal(await type('tea', { isTyped: false }), 'tea', 'text from an address is searched for at once')
  t.equal(await type('teap'), 'tea')
  t.equal(await pass(249), 'tea')
  t.equal(await type('teapo'), 'tea')
  t.equal(await pass(249), 'tea', 'each letter begins the pause again')
  t.equal(await pass(1), 'teapo')
  t.equal(await type('teapot', { isKnown: true }), 'teapot', 'a cached answer costs nothing')
  t.equal(await type('teapots', { quietMs: 600 }), 'teapot')
  t.equal(await pass(599), 'teapot', 'a search that takes several requests waits longer')
  t.equal(await pass(1), 'teapots')
})

t.test('near the end of the quota only Enter searches, and earlier results are not shown for the new text', async t => {
  const { type, pass, go } = await openPaced(t, 5)
  t.equal(await type('tea'), 'held')
  t.equal(await pass(60_000), 'held')
  t.equal(await go(), 'tea')
  t.equal(await type('teap'), 'held')
  t.equal(await type('tea'), 'tea', 'the results are shown again if the text is again the one that was searched for')
})
