/** Reloads with invalid snapshots under load: the server keeps serving the old one and logs it. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { newKey, writeKeys } from '../shared/keys.mjs'
import { Load } from '../shared/load.mjs'
import { run, ServerProcess } from '../shared/program.mjs'
import { Random } from '../shared/random.mjs'

export class BadSnapshot {
  constructor({ stage, rounds, seed, engine }) {
    this.stage = stage
    this.rounds = rounds
    this.random = new Random(seed, 10)
    this.env = { ...stage.env('bad-snapshot'), HSAPI_ENGINE: engine }
  }

  /** Flips one bit at a random position. */
  #changed(bytes) {
    const changed = Buffer.from(bytes)
    changed[this.random.between(0, bytes.length - 1)] ^= 1 << this.random.between(0, 7)
    return changed
  }

  async run() {
    const whole = readFileSync(this.stage.snapshot)
    const served = this.stage.path('bad.snapshot')
    writeFileSync(served, whole)
    const key = newKey(this.random)
    writeKeys(this.env.HSAPI_DATA_DIR, [{ id: 'bad', key }])
    const env = { ...this.env, HSAPI_SNAPSHOT: served }
    const server = await ServerProcess.start(env)
    const load = new Load({
      port: () => server.port,
      connections: 3,
      next: () => ({ path: '/api/v1/hs-codes/852321', key, pauseMs: 2 }),
      check: ({ status }) => (status === 200 ? undefined : `the status ${status}`),
    }).start()
    const damages = {
      cut: () => writeFileSync(served, whole.subarray(0, this.random.between(0, whole.length - 1))),
      'longer than its header says': () => writeFileSync(served, Buffer.concat([whole, Buffer.from('x')])),
      'changed in one bit': () => writeFileSync(served, this.#changed(whole)),
      foreign: () => writeFileSync(served, 'PK\u0003\u0004 something else'),
      gone: () => rmSync(served),
    }
    let refused = 0
    for (let round = 0; round < this.rounds; round++)
      for (const [what, damage] of Object.entries(damages)) {
        damage()
        const { code, stdout, stderr } = await run(['reload'], env)
        assert.equal(code, 2, `a snapshot that is ${what} was accepted: ${stdout}${stderr}`)
        assert.match(stdout, /still serving the previous dataset/)
        await server.waitForLog('still serving the previous dataset', ++refused)
        writeFileSync(served, whole)
        assert.equal((await run(['reload'], env)).code, 0, `after a snapshot that is ${what}, a good one is accepted`)
      }
    await load.stop()
    assert.deepEqual(load.wrong, [])
    assert.equal(await server.end(), 0)
    return `${refused} bad snapshots refused with the reason (${Object.keys(damages).join(', ')}), ${load.answered} answers, none lost`
  }
}
