/**
 * Clocks that jump, also backwards past midnight and during a restart: no key ever gets a day's quota twice. Tests the gate,
 * which gets its clock as a parameter.
 */
import assert from 'node:assert/strict'
import { Gate } from '../../dist/src/gate/gate.js'
import { checksumOf, hashKey } from '../../dist/src/keys/key.js'
import { UsageFile } from '../../dist/src/quotas/usage-file.js'
import { Verdict } from '../../dist/src/quotas/verdict.js'
import { newKey } from '../shared/keys.mjs'
import { Random } from '../shared/random.mjs'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = Date.parse('2026-05-04T23:30:00Z')
const STEPS = 60
const LIMIT_DAY = 40
/** Keeps the clock within two days of the latest day: beyond that, the gate assumes it was wrong and counts from zero. */
const BACK_MS_MAX = DAY_MS + 12 * HOUR_MS

export class Clock {
  constructor({ stage, rounds, seed }) {
    this.stage = stage
    this.rounds = rounds
    this.seed = seed
  }

  async run() {
    let admitted = 0
    let back = 0
    let restarts = 0
    for (let round = 0; round < this.rounds; round++) {
      const random = new Random(this.seed, 8, round)
      const key = newKey(random)
      const record = {
        id: 'clock',
        name: '',
        tier: 'pro',
        hash: hashKey(key),
        checksum: checksumOf(key),
        expires_at: null,
        per_minute: 1_000_000,
        per_day: LIMIT_DAY,
        revoked_at: null,
      }
      let nowMs = START_MS
      const open = async () => {
        const gate = new Gate()
        const store = new UsageFile(this.stage.path(`clock-${round}`), false, () => nowMs)
        gate.setKey(record)
        gate.usage.restore(await store.load())
        return { gate, store }
      }
      let { gate, store } = await open()
      let latestDay = 0
      let onLatestDay = 0
      for (let step = 0; step < STEPS; step++) {
        const jump = random.next()
        const earliestMs = latestDay * DAY_MS - BACK_MS_MAX
        if (jump < 0.3) {
          nowMs = Math.max(earliestMs, nowMs - random.between(1, 30 * HOUR_MS))
          back++
        } else nowMs += random.between(1, 20 * HOUR_MS)
        for (let i = random.between(0, LIMIT_DAY); i > 0; i--) {
          if (gate.admit(key, nowMs) !== Verdict.Admitted) continue
          admitted++
          const day = Math.floor(nowMs / DAY_MS)
          if (day > latestDay) {
            latestDay = day
            onLatestDay = 0
          }
          onLatestDay++
          assert.ok(onLatestDay <= LIMIT_DAY, `round ${round}: ${onLatestDay} requests were admitted on day ${latestDay}`)
        }
        if (!random.chance(0.2)) continue
        restarts++
        const spent = await gate.usage.takeSpent(nowMs)
        if (spent !== undefined) await gate.usage.applyStoreCounts(spent, await store.exchange(spent))
        await store.close()
        ;({ gate, store } = await open())
      }
      await store.close()
    }
    return `${this.rounds} histories, ${back} jumps back, ${restarts} restarts, ${admitted} requests admitted; never more than the day's limit`
  }
}
