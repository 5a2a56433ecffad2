import { Worker } from 'node:worker_threads'
import t from 'tap'
import { Counters } from '../../src/gate/counters.js'
import { Gate } from '../../src/gate/gate.js'
import { makeKey, START_MS } from '../support/service.js'

const TURNS = 1_000_000
const module = (name: string) =>
  JSON.stringify(new URL(`../../dist/src/gate/${name}.js`, import.meta.url).href)

/** Asks a million times with the same key, from memory that other threads ask from as well. */
const SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads')
  Promise.all([import(${module('gate')}), import(${module('counters')})]).then(([{ Gate }, { Counters }]) => {
    const gate = new Gate(new Counters(workerData.buffer))
    gate.setKeys([workerData.record])
    parentPort.once('message', () => {
      for (let i = 0; i < ${TURNS}; i++) gate.admit(workerData.key, ${START_MS})
      parentPort.postMessage('done')
    })
    parentPort.postMessage('ready')
  })`

t.test('two threads that ask at the same time count every request', async t => {
  const { key, record } = makeKey('free', { per_minute: 2_000_000_000, per_day: 2_000_000_000 })
  const counters = Counters.shared(8)
  const workerData = { key, record, buffer: counters.buffer }
  const threads = [0, 1].map(() => new Worker(SCRIPT, { eval: true, workerData }))
  const message = () => Promise.all(threads.map(thread => new Promise(done => thread.once('message', done))))
  await message()
  const done = message()
  for (const thread of threads) thread.postMessage('go')
  await done
  const gate = new Gate(counters)
  gate.setKeys([record])
  gate.peek(key, START_MS)
  t.equal(2_000_000_000 - gate.shown.remainingDay, 2 * TURNS)
  t.equal(2_000_000_000 - gate.shown.remainingMinute, 2 * TURNS)
  await Promise.all(threads.map(thread => thread.terminate()))
})
