/** Reloads under load: no request is lost or mixed, and memory neither grows nor peaks above the size of a second dataset. */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { newKey, writeKeys } from '../shared/keys.mjs'
import { Load } from '../shared/load.mjs'
import { ServerProcess } from '../shared/program.mjs'
import { Random } from '../shared/random.mjs'
import { Editions } from './editions.mjs'

const CONNECTIONS = 6
const PAUSE_MS = 1
/** Memory is compared from this round on, because in earlier rounds it is still settling. */
const SETTLED_ROUND = 10
const GROWTH_MAX = 1.3
/**
 * Memory allowed in addition to the base and twice the columns: for the loading thread, and for old datasets whose memory is
 * not yet freed.
 */
const SLACK_MB = 120
const WARM_MS = 1_000

export class Reload {
  constructor({ stage, rounds, seed, engine }) {
    this.stage = stage
    this.rounds = rounds
    this.random = new Random(seed, 9)
    this.env = { ...stage.env('reload'), HSAPI_ENGINE: engine }
  }

  async run() {
    const editions = await Editions.make(this.stage)
    const key = newKey(this.random)
    writeKeys(this.env.HSAPI_DATA_DIR, [{ id: 'reload', key }])
    const server = await ServerProcess.start({ ...this.env, HSAPI_SNAPSHOT: editions.served })
    const load = new Load({
      port: () => server.port,
      connections: CONNECTIONS,
      next: (lane, turn) => ({
        path: Editions.PATHS[(lane + turn) % Editions.PATHS.length],
        key,
        pauseMs: PAUSE_MS,
      }),
      check: Editions.check,
    }).start()
    await wait(WARM_MS)
    const baseMb = server.residentMb
    server.resetPeak()
    let settledMb = 0
    for (let round = 1; round <= this.rounds; round++) {
      editions.put(round)
      server.signal('SIGHUP')
      await server.waitForLog('was loaded', round)
      if (round === SETTLED_ROUND) settledMb = server.residentMb
    }
    const { peakMb } = server
    await wait(WARM_MS)
    const endMb = server.residentMb
    await load.stop()
    assert.deepEqual(load.wrong, [])
    assert.equal(await server.end(), 0)
    if (settledMb > 0)
      assert.ok(
        endMb <= GROWTH_MAX * settledMb,
        `${endMb.toFixed(0)} MB at the end, ${settledMb.toFixed(0)} after the tenth reload`,
      )
    const most = baseMb + 2 * editions.sizeMb + SLACK_MB
    assert.ok(peakMb <= most, `${peakMb.toFixed(0)} MB at most, ${most.toFixed(0)} allowed`)
    const figures = [baseMb, settledMb, endMb, peakMb].map(mb => mb.toFixed(0))
    return `${this.rounds} reloads, ${load.answered} answers, none lost or mixed, the slowest in ${load.latencyMsMax.toFixed(0)} ms; ${figures[0]} MB before, ${figures[1]} after ten, ${figures[2]} at the end, ${figures[3]} at most (columns ${editions.sizeMb.toFixed(0)}, slack ${SLACK_MB})`
  }
}
