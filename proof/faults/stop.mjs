/** SIGTERM under load, with GET and HEAD: no request on a keep-alive connection is lost, and every count is saved. */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { newKey, writeKeys } from '../shared/keys.mjs'
import { countedToday, Load } from '../shared/load.mjs'
import { ServerProcess } from '../shared/program.mjs'
import { Random } from '../shared/random.mjs'

const CONNECTIONS = 12
const LOAD_MS = [200, 900]
const CLOSED_MS = 300

export class Stop {
  constructor({ stage, rounds, seed, engine }) {
    this.rounds = rounds
    this.random = new Random(seed, 12)
    this.env = { ...stage.env('stop'), HSAPI_ENGINE: engine }
  }

  async run() {
    const { random, env } = this
    const key = newKey(random)
    writeKeys(env.HSAPI_DATA_DIR, [{ id: 'stop', key }])
    let counted = 0
    let server = await ServerProcess.start(env)
    for (let round = 0; round < this.rounds; round++)
      for (const method of ['GET', 'HEAD']) {
        const load = new Load({
          port: () => server.port,
          connections: CONNECTIONS,
          next: () => ({ method, path: '/api/v1/hs-codes/85', key }),
          check: ({ status }) => (status === 200 ? undefined : `status ${status}`),
        }).start()
        await wait(random.between(...LOAD_MS))
        assert.equal(await server.end('SIGTERM'), 0)
        await wait(CLOSED_MS)
        await load.stop()
        assert.deepEqual(load.wrong, [], `round ${round}, ${method}`)
        counted += load.counted(key)
        server = await ServerProcess.start(env)
        assert.equal(await countedToday(server.port, key), counted, 'every answered request was counted once')
      }
    await server.end()
    return `${this.rounds * 2} stops under load on GET and HEAD; ${counted} answers, none lost, each counted once`
  }
}
