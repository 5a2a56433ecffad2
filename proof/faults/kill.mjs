/**
 * kill -9 under load: at most a second and a half of counts is lost, never a key, and no quota is exceeded by more than that.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { newKey, writeKeys } from '../shared/keys.mjs'
import { ask, countedToday, Load } from '../shared/load.mjs'
import { ServerProcess } from '../shared/program.mjs'
import { Random } from '../shared/random.mjs'

const LOST_MS_MAX = 1_500
const CONNECTIONS = 6
const LOAD_MS = [1_200, 3_000]
const SMALL_DAY = 300
const LANE_PAUSE_MS = 2

export class Kill {
  constructor({ stage, rounds, seed, engine }) {
    this.stage = stage
    this.rounds = rounds
    this.random = new Random(seed, 1)
    this.env = { ...stage.env('kill'), HSAPI_ENGINE: engine }
  }

  async run() {
    const { random, env } = this
    const large = newKey(random)
    const small = newKey(random)
    writeKeys(env.HSAPI_DATA_DIR, [
      { id: 'ample', key: large },
      { id: 'small', key: small, per_day: SMALL_DAY },
    ])
    const keyFile = join(env.HSAPI_DATA_DIR, 'keys.json')
    const keysBefore = readFileSync(keyFile, 'utf8')
    let before = { [large]: 0, [small]: 0 }
    let answered = 0
    let lostMost = 0
    let server = await ServerProcess.start(env)
    for (let round = 0; round < this.rounds; round++) {
      const load = new Load({
        port: () => server.port,
        connections: CONNECTIONS,
        mayBeCutOff: true,
        next: lane => ({
          path: '/api/v1/hs-codes/85',
          key: lane === 0 ? small : large,
          pauseMs: LANE_PAUSE_MS,
        }),
        check: ({ status }, { key }) =>
          status === 200 || (status === 429 && key === small) ? undefined : `the status ${status}`,
      }).start()
      await wait(random.between(...LOAD_MS))
      const killedMs = Date.now()
      await server.end('SIGKILL')
      await load.stop()
      assert.deepEqual(load.wrong, [])
      answered += load.answered
      server = await ServerProcess.start(env)
      const after = {}
      for (const key of [large, small]) {
        after[key] = await countedToday(server.port, key)
        const sure = before[key] + load.countedBefore(key, killedMs - LOST_MS_MAX)
        const all = before[key] + load.counted(key)
        assert.ok(
          after[key] >= sure,
          `round ${round}: ${after[key]} requests are counted, but ${sure} were answered ${LOST_MS_MAX} ms before the kill`,
        )
        assert.ok(
          after[key] <= all + CONNECTIONS,
          `round ${round}: ${after[key]} requests are counted, but only ${all} were answered`,
        )
        lostMost = Math.max(lostMost, all - after[key])
      }
      before = after
      assert.equal(readFileSync(keyFile, 'utf8'), keysBefore, 'the key file is unchanged')
    }
    await this.#spend(server.port, small, before[small])
    assert.equal(await server.end(), 0)
    return `${this.rounds} kills under load, ${answered} answers; at most ${lostMost} counts lost at once, none older than ${LOST_MS_MAX} ms, quota exact afterwards`
  }

  /** The requests counted before and those admitted from now on add up to exactly the quota. */
  async #spend(port, key, counted) {
    let admitted = 0
    for (let i = 0; i < SMALL_DAY + 5; i++) if ((await ask(port, '/api/v1/hs-codes/85', key)).status === 200) admitted++
    assert.equal(counted + admitted, SMALL_DAY)
  }
}
