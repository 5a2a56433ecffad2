/** Root changes keys in the data folder of the server's user. */
import assert from 'node:assert/strict'
import { chmodSync, chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { newKey, writeKeys } from '../shared/keys.mjs'
import { ask } from '../shared/load.mjs'
import { mustRun, run, ServerProcess } from '../shared/program.mjs'
import { Random } from '../shared/random.mjs'

const USER = { uid: 65_534, gid: 65_534 }
const REFUSED_MS_MAX = 1_000

export class OtherUser {
  constructor({ stage, rounds, seed, engine }) {
    this.stage = stage
    this.rounds = rounds
    this.random = new Random(seed, 7)
    this.env = { ...stage.env('other-user'), HSAPI_ENGINE: engine }
  }

  async run() {
    if (process.getuid() !== 0) return { skipped: 'only root can be another user' }
    const directory = this.env.HSAPI_DATA_DIR
    const path = join(directory, 'keys.json')
    const keys = Array.from({ length: this.rounds + 1 }, () => newKey(this.random))
    writeKeys(
      directory,
      keys.map((key, i) => ({ id: `key${i}`, key })),
    )
    chmodSync(this.stage.directory, 0o755)
    for (const name of [directory, path]) chownSync(name, USER.uid, USER.gid)
    if ((await run(['--version'], this.env, USER)).code !== 0)
      return { skipped: `user ${USER.uid} cannot run the program in this folder` }
    let slowestMs = 0
    for (let round = 0; round < this.rounds; round++) {
      const server = await ServerProcess.start(this.env, USER)
      const isRefused = async () => (await ask(server.port, '/api/v1/hs-codes/85', keys[round])).status === 401
      assert.equal(await isRefused(), false)
      await mustRun(['keys', 'revoke', `key${round}`], this.env)
      const revokedMs = Date.now()
      while (!(await isRefused()) && Date.now() < revokedMs + REFUSED_MS_MAX) await wait(10)
      assert.equal(await isRefused(), true, `the revoked key is refused within ${REFUSED_MS_MAX} ms`)
      slowestMs = Math.max(slowestMs, Date.now() - revokedMs)
      const { uid, gid, mode } = statSync(path)
      assert.deepEqual([uid, gid, mode & 0o777], [USER.uid, USER.gid, 0o600])
      assert.equal((await ask(server.port, '/api/v1/hs-codes/85', keys.at(-1))).status, 200)
      assert.equal(await server.end(), 0)
    }
    const server = await ServerProcess.start(this.env, USER)
    assert.equal((await ask(server.port, '/api/v1/hs-codes/85', keys[0])).status, 401)
    assert.equal((await ask(server.port, '/api/v1/hs-codes/85', keys.at(-1))).status, 200)
    assert.equal(await server.end(), 0)
    return `${this.rounds} revocations by root in another user's folder; the slowest was in force after ${slowestMs} ms, owner and mode kept, every restart works`
  }
}
