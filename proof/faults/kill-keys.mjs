/** Key commands in parallel, killed at any moment, while the server is killed as well. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ask } from '../shared/load.mjs'
import { mustRun, run, ServerProcess } from '../shared/program.mjs'
import { Random } from '../shared/random.mjs'

const COMMANDS_AT_ONCE = 4
/** A command takes a little longer than Node takes to start. */
const KILL_MS_MAX = 600
const SEEN_MS = 5_000
/** Keys created at the start, so that there are some to revoke. */
const KEYS_AT_FIRST = 3

export class KillKeys {
  constructor({ stage, rounds, seed, engine }) {
    this.rounds = rounds
    this.random = new Random(seed, 2)
    this.env = { ...stage.env('kill-keys'), HSAPI_ENGINE: engine }
    /** By id: the key and its reported state; `undecided` if a killed command may have changed it. */
    this.known = new Map()
    this.killed = 0
  }

  async #create(isKilled) {
    const running = run(['keys', 'create', '--tier', 'pro', '--json'], this.env)
    if (isKilled) setTimeout(running.kill, this.random.between(0, KILL_MS_MAX))
    const { code, stdout, stderr } = await running
    // a complete line counts as reported, even if the process was killed afterwards
    if (stdout.endsWith('}\n')) {
      const { id, key } = JSON.parse(stdout)
      this.known.set(id, { key, state: 'made' })
    } else if (code === null) this.killed++
    else assert.fail(`keys create ended with ${code}: ${stderr}`)
  }

  async #revoke(isKilled) {
    const made = [...this.known].filter(([, { state }]) => state === 'made')
    if (made.length === 0) return
    const [id, one] = this.random.pick(made)
    one.state = 'undecided'
    const running = run(['keys', 'revoke', id], this.env)
    if (isKilled) setTimeout(running.kill, this.random.between(0, KILL_MS_MAX))
    const { code, stdout, stderr } = await running
    if (stdout.endsWith('revoked.\n')) one.state = 'revoked'
    else if (code === null) this.killed++
    else assert.fail(`keys revoke ended with ${code}: ${stderr}`)
  }

  #checkFile() {
    const { keys } = JSON.parse(readFileSync(join(this.env.HSAPI_DATA_DIR, 'keys.json'), 'utf8'))
    const inFile = new Map(keys.map(record => [record.id, record]))
    for (const [id, { state }] of this.known) {
      const record = inFile.get(id)
      assert.ok(record !== undefined, `key ${id} was reported as created, but is lost`)
      if (state === 'made') assert.equal(record.revoked_at, null, `key ${id} is not revoked, because no command revoked it`)
      if (state === 'revoked') assert.notEqual(record.revoked_at, null, `key ${id} is still revoked`)
    }
    return inFile.size
  }

  async #checkServer(server) {
    for (const { key, state } of this.known.values()) {
      if (state === 'undecided') continue
      const wanted = state === 'made' ? 200 : 401
      const deadline = Date.now() + SEEN_MS
      let status
      do {
        ;({ status } = await ask(server.port, '/api/v1/hs-codes/85', key))
        if (status !== wanted) await wait(50)
      } while (status !== wanted && Date.now() < deadline)
      assert.equal(status, wanted, `the status for a key that was ${state}`)
    }
  }

  async run() {
    let server = await ServerProcess.start(this.env)
    for (let i = 0; i < KEYS_AT_FIRST; i++) await this.#create(false)
    for (let round = 0; round < this.rounds; round++) {
      const commands = Array.from({ length: COMMANDS_AT_ONCE }, () => {
        const isKilled = this.random.chance(0.5)
        return this.random.chance(0.6) ? this.#create(isKilled) : this.#revoke(isKilled)
      })
      if (round % 2 === 1) {
        await wait(this.random.between(0, KILL_MS_MAX))
        await server.end('SIGKILL')
      }
      await Promise.all(commands)
      this.#checkFile()
      if (!server.isRunning) server = await ServerProcess.start(this.env)
      await this.#checkServer(server)
    }
    const inFile = this.#checkFile()
    await mustRun(['keys', 'list'], this.env)
    assert.equal(await server.end(), 0)
    return `${this.rounds * COMMANDS_AT_ONCE} commands, ${this.killed} killed before they reported anything, ${Math.floor(this.rounds / 2)} kills of the server; ${inFile} keys in the file, no reported key is lost, no revoked key works again`
  }
}
