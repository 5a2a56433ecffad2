import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { Gate } from '../../src/gate/gate.js'
import { Counters, LOCK } from '../../src/quotas/counters.js'
import { Windows } from '../../src/quotas/windows.js'
import { makeKey, START_MS } from '../support/service.js'

const TURNS = 1_000_000
const module = (name: string) => JSON.stringify(new URL(`../../dist/src/${name}.js`, import.meta.url).href)

/** Makes a million requests with the same key, with counters in memory that other threads use at the same time. */
const SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads')
  Promise.all([import(${module('gate/gate')}), import(${module('quotas/counters')})]).then(([{ Gate }, { Counters }]) => {
    const gate = new Gate(new Counters(workerData.buffer))
    gate.setKey(workerData.record)
    parentPort.once('message', () => {
      for (let i = 0; i < ${TURNS}; i++) gate.admit(workerData.key, ${START_MS})
      parentPort.postMessage('done')
    })
    parentPort.postMessage('ready')
  })`

t.test('concurrent requests on two threads are all counted', async t => {
  const { key, record } = makeKey('free', { per_minute: 2_000_000_000, per_day: 2_000_000_000 })
  const counters = Counters.create(8, true)
  const workerData = { key, record, buffer: counters.buffer }
  const threads = [0, 1].map(() => new Worker(SCRIPT, { eval: true, workerData }))
  const message = () => Promise.all(threads.map(thread => new Promise(done => thread.once('message', done))))
  await message()
  const done = message()
  for (const thread of threads) thread.postMessage('go')
  await done
  const gate = new Gate(counters)
  gate.setKey(record)
  gate.peek(key, START_MS)
  t.equal(2_000_000_000 - gate.shown.remainingDay, 2 * TURNS)
  t.equal(2_000_000_000 - gate.shown.remainingMinute, 2 * TURNS)
  await Promise.all(threads.map(thread => thread.terminate()))
})

t.test('counts of several servers that together exceed 32 bits stay at the maximum', async t => {
  const counters = Counters.create(1)
  counters.setCounts(0, { minuteStartMs: START_MS, minuteCount: 2 ** 31, day: 20_577, dayCount: 2 ** 32 })
  t.match(counters.counts(0), { minuteCount: 2 ** 31 - 1, dayCount: 2 ** 31 - 1 })
})

/** Takes the lock of a slot that another thread holds, and reports when that has succeeded. */
const TAKER = `
  const { parentPort, workerData } = require('node:worker_threads')
  import(${module('quotas/counters')}).then(({ Counters }) => {
    const counters = new Counters(workerData)
    parentPort.postMessage('begins')
    counters.take(0)
    counters.release(0)
    parentPort.postMessage('done')
  })`

function startTaker(t: Test, counters: Counters): { begins: Promise<unknown>; done: Promise<unknown> } {
  const thread = new Worker(TAKER, { eval: true, workerData: counters.buffer })
  t.teardown(() => thread.terminate())
  const begins = new Promise(resolve => thread.once('message', resolve))
  return { begins, done: begins.then(() => new Promise(resolve => thread.once('message', resolve))) }
}

const isTaken = (counters: Counters) => Atomics.load(counters.words, counters.at(0) + LOCK) === 1

t.test('the lock of a slot whose holder is gone is taken over', async t => {
  const counters = Counters.create(1, true)
  counters.take(0)
  const late = new Promise(resolve => setTimeout(resolve, 60_000, 'it hangs').unref())
  t.equal(await Promise.race([startTaker(t, counters).done, late]), 'done')
  t.notOk(isTaken(counters))
})

t.test('a thread waits for a slot that is locked briefly', async t => {
  const counters = Counters.create(1, true)
  counters.take(0)
  const { begins, done } = startTaker(t, counters)
  await begins
  t.ok(isTaken(counters))
  counters.release(0)
  t.equal(await done, 'done')
})

t.test('a failure while a slot is locked releases the lock', async t => {
  const counters = Counters.create(1, true)
  const fails = () => {
    throw new Error('it fails')
  }
  t.throws(() => counters.locked(0, fails), /it fails/)
  t.notOk(isTaken(counters))
  const gate = new Gate(counters)
  gate.setKey(makeKey('free').record)
  t.throws(() => new Windows(counters, { spendAlone: fails }).count(0, START_MS, 1), /it fails/)
  t.notOk(isTaken(counters))
})
