/** Standard output that is closed or blocked: log lines are lost, answers are not. */
import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { newKey, writeKeys } from '../shared/keys.mjs'
import { Load } from '../shared/load.mjs'
import { freePort, ServerProcess } from '../shared/program.mjs'
import { Random } from '../shared/random.mjs'

/** The server checks the key file every 300 ms. */
const SEEN_MS = 450
/** Long, because a machine that freezes for some seconds is not the fault tested here. */
const DRAIN_SECONDS = '20'
/** Number of changes of the key file, each of which makes the server log a line. */
const LINES = 4

export class Output {
  constructor({ stage, rounds, seed, engine }) {
    this.rounds = rounds
    this.random = new Random(seed, 5)
    this.env = { ...stage.env('output'), HSAPI_ENGINE: engine, HSAPI_DRAIN_SECONDS: DRAIN_SECONDS }
  }

  async #closed() {
    const server = await ServerProcess.start(this.env)
    server.closeOutput()
    return server
  }

  async #full() {
    const full = openSync('/dev/full', 'w')
    const port = String(await freePort())
    const server = await ServerProcess.start({ ...this.env, HSAPI_PORT: port }, { stdio: ['ignore', full, full] })
    closeSync(full)
    return server
  }

  async #talk(server, key) {
    const keyFile = join(this.env.HSAPI_DATA_DIR, 'keys.json')
    const keys = readFileSync(keyFile)
    const load = new Load({
      port: () => server.port,
      connections: 3,
      next: () => ({ path: '/api/v1/hs-codes/85', key, pauseMs: 2 }),
      check: ({ status }) => (status === 200 ? undefined : `status ${status}`),
    }).start()
    for (let i = 0; i < LINES; i++) {
      writeFileSync(keyFile, `{${i}`)
      await wait(SEEN_MS)
      assert.ok(server.isRunning, 'the server is still running')
    }
    writeFileSync(keyFile, keys)
    await wait(SEEN_MS)
    await load.stop()
    assert.deepEqual(load.wrong, [])
    assert.equal(await server.end(), 0)
    return load.answered
  }

  async run() {
    const key = newKey(this.random)
    writeKeys(this.env.HSAPI_DATA_DIR, [{ id: 'output', key }])
    let answered = 0
    for (let round = 0; round < this.rounds; round++)
      for (const start of [() => this.#closed(), () => this.#full()]) answered += await this.#talk(await start(), key)
    return `${this.rounds} rounds, each with a closed pipe and a full device; ${2 * this.rounds * LINES} lines lost, ${answered} answers, none lost, exit code 0`
  }
}
