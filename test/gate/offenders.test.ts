import fc from 'fast-check'
import t from 'tap'
import { MINUTE_MS } from '../../src/clock.js'
import { Offenders } from '../../src/gate/offenders.js'

const START_MS = Date.parse('2026-05-04T12:00:00Z')

/** What the table promises as long as it has room: a window for each address, and nothing forgotten. */
class Model {
  readonly #limit: number
  readonly #windows = new Map<string, { startMs: number; count: number }>()

  constructor(limit: number) {
    this.#limit = limit
  }

  #window(address: string, nowMs: number) {
    const window = this.#windows.get(address)
    if (window !== undefined && nowMs < window.startMs + MINUTE_MS && nowMs >= window.startMs) return window
    this.#windows.delete(address)
    return { startMs: nowMs, count: 0 }
  }

  count(address: string, nowMs: number): void {
    const window = this.#window(address, nowMs)
    window.count++
    this.#windows.set(address, window)
  }

  secondsShed(address: string, nowMs: number): number {
    const { startMs, count } = this.#window(address, nowMs)
    return count < this.#limit ? 0 : Math.ceil((startMs + MINUTE_MS - nowMs) / 1000)
  }
}

const ADDRESSES = ['a', 'b', 'c', 'd', 'e']

t.test('sheds whom a plain model sheds, for as long, whatever the clock does', async t => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ count: fc.constantFrom(...ADDRESSES) }) },
    { weight: 3, arbitrary: fc.record({ forwardMs: fc.integer({ min: 0, max: 40_000 }) }) },
    { weight: 1, arbitrary: fc.record({ forwardMs: fc.integer({ min: -90_000, max: -1 }) }) },
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 80 }), (limit, steps) => {
      const offenders = new Offenders(limit, ADDRESSES.length)
      const model = new Model(limit)
      let nowMs = START_MS
      for (const step of steps) {
        if ('forwardMs' in step) nowMs += step.forwardMs
        // who is shed causes no further 401s
        else if (model.secondsShed(step.count, nowMs) === 0) {
          offenders.count(step.count, nowMs)
          model.count(step.count, nowMs)
        }
        const expected = ADDRESSES.map(address => model.secondsShed(address, nowMs))
        const seconds = ADDRESSES.map(address => offenders.secondsShed(address, nowMs))
        if (seconds.join() !== expected.join()) return false
        if (offenders.shed !== expected.filter(value => value > 0).length) return false
      }
      return true
    }),
    { numRuns: 2_000 },
  )
  t.pass('held')
})

t.test('an address may cause just its limit, and again once its minute is over', async t => {
  const offenders = new Offenders(3)
  offenders.count('a', START_MS)
  offenders.count('a', START_MS + 1_000)
  t.equal(offenders.shed, 0)
  offenders.count('a', START_MS + 20_500)
  t.equal(offenders.shed, 1)
  t.equal(offenders.secondsShed('a', START_MS + 20_500), 40, 'whole seconds, rounded up')
  t.equal(offenders.secondsShed('b', START_MS + 20_500), 0)
  t.equal(offenders.secondsShed('a', START_MS + MINUTE_MS - 1), 1)
  t.equal(offenders.shed, 1)
  t.equal(offenders.secondsShed('b', START_MS + MINUTE_MS), 0)
  t.equal(offenders.shed, 0, 'whoever asks first notices that the minute is over')
  t.equal(offenders.secondsShed('a', START_MS + MINUTE_MS), 0)
})

t.test('of a limit of 0 nobody is ever over, and nothing is kept', async t => {
  const offenders = new Offenders(0)
  for (let i = 0; i < 1_000; i++) offenders.count('a', START_MS)
  t.equal(offenders.shed, 0)
  t.equal(offenders.size, 0)
})

t.test('an address that is not known is nobody, and never shed', async t => {
  const offenders = new Offenders(1)
  for (let i = 0; i < 10; i++) offenders.count('', START_MS)
  t.equal(offenders.shed, 0)
})

t.test('a flood of addresses neither grows the table nor frees one that is shed', async t => {
  const capacity = 16
  fc.assert(
    fc.property(
      fc.array(fc.nat(500), { maxLength: 300 }),
      fc.integer({ min: 2, max: 5 }),
      (others, limit) => {
        const offenders = new Offenders(limit, capacity)
        for (let i = 0; i < limit; i++) offenders.count('shed', START_MS)
        const counts = new Map<number, number>()
        for (const other of others) {
          // each of them stays below the limit
          const count = (counts.get(other) ?? 0) + 1
          if (count >= limit) continue
          counts.set(other, count)
          offenders.count(`other ${other}`, START_MS + 1)
          if (offenders.size > 2 * capacity) return false
        }
        return offenders.secondsShed('shed', START_MS + 1) === 60 && offenders.shed === 1
      },
    ),
  )
  t.pass('held')
})

t.test('where too many are shed the first of them goes, and the others stay', async t => {
  const offenders = new Offenders(2, 8)
  for (let address = 0; address < 9; address++)
    for (let i = 0; i < 2; i++) offenders.count(String(address), START_MS)
  t.equal(offenders.shed, 8)
  t.equal(offenders.secondsShed('0', START_MS), 0)
  for (let address = 1; address < 9; address++)
    t.equal(offenders.secondsShed(String(address), START_MS), 60, String(address))
})
