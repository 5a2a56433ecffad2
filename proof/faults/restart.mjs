/** One server takes over the port from another, under load on keep-alive connections. */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { newKey, writeKeys } from '../shared/keys.mjs'
import { countedToday, Load } from '../shared/load.mjs'
import { ServerProcess } from '../shared/program.mjs'
import { Random } from '../shared/random.mjs'

const CONNECTIONS = 8
const TOGETHER_MS = 200

export class Restart {
  constructor({ stage, rounds, seed, engine }) {
    this.rounds = rounds
    this.engine = engine
    this.random = new Random(seed, 11)
    this.env = { ...stage.env('restart'), HSAPI_SHARE_PORT: '1' }
  }

  async run() {
    if (this.engine === 'node') return { skipped: 'node:http cannot share a port' }
    const key = newKey(this.random)
    writeKeys(this.env.HSAPI_DATA_DIR, [{ id: 'restart', key }])
    let current = await ServerProcess.start(this.env)
    const { port } = current
    const load = new Load({
      port: () => port,
      connections: CONNECTIONS,
      next: lane => ({ method: lane === 0 ? 'HEAD' : 'GET', path: '/api/v1/hs-codes/85', key }),
      check: ({ status }) => (status === 200 ? undefined : `status ${status}`),
    }).start()
    for (let round = 0; round < this.rounds; round++) {
      const next = await ServerProcess.start({ ...this.env, HSAPI_PORT: String(port) })
      await wait(TOGETHER_MS)
      assert.equal(await current.end('SIGTERM'), 0)
      current = next
    }
    await load.stop()
    assert.deepEqual(load.wrong, [])
    assert.equal(await current.end(), 0)
    const last = await ServerProcess.start({ ...this.env, HSAPI_SHARE_PORT: '0' })
    assert.equal(await countedToday(last.port, key), load.counted(key), 'every answered request was counted once')
    await last.end()
    return `${this.rounds} takeovers under load; ${load.answered} answers, none lost, each counted once, the slowest in ${load.latencyMsMax.toFixed(0)} ms`
  }
}
