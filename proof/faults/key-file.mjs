/**
 * A key file that is damaged, cut, emptied or moved away while the server runs: loaded keys stay valid, and the server logs it.
 */
import assert from 'node:assert/strict'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { newKey, writeKeys } from '../shared/keys.mjs'
import { ask, Load } from '../shared/load.mjs'
import { mustRun, run, ServerProcess } from '../shared/program.mjs'
import { Random } from '../shared/random.mjs'

const SEEN_MS = 3_000
const KEYS = 20

export class KeyFileFault {
  constructor({ stage, rounds, seed, engine }) {
    this.rounds = rounds
    this.random = new Random(seed, 6)
    this.env = { ...stage.env('key-file'), HSAPI_ENGINE: engine }
  }

  #damages(path) {
    const { random } = this
    return {
      cut: bytes => writeFileSync(path, bytes.subarray(0, random.between(1, bytes.length - 4))),
      // valid JSON, but not a valid key file
      damaged: bytes => {
        const text = bytes.toString('latin1').replaceAll('"hash"', '"hush"')
        writeFileSync(path, text)
      },
      emptied: () => writeFileSync(path, ''),
      null: () => writeFileSync(path, 'null'),
      'moved away': () => renameSync(path, `${path}.away`),
      removed: () => rmSync(path),
    }
  }

  async run() {
    const { env } = this
    const path = join(env.HSAPI_DATA_DIR, 'keys.json')
    const keys = Array.from({ length: KEYS }, () => newKey(this.random))
    writeKeys(
      env.HSAPI_DATA_DIR,
      keys.map((key, i) => ({ id: `key${i}`, key })),
    )
    const server = await ServerProcess.start(env)
    const load = new Load({
      port: () => server.port,
      connections: 3,
      next: (lane, turn) => ({
        path: '/api/v1/hs-codes/85',
        key: keys[(7 * turn + lane) % KEYS],
        pauseMs: 1,
      }),
      check: ({ status }) => (status === 200 ? undefined : `the status ${status}`),
    }).start()
    let logged = 0
    for (let round = 0; round < this.rounds; round++)
      for (const [what, damage] of Object.entries(this.#damages(path))) {
        const whole = readFileSync(path)
        damage(whole)
        await server.waitForLog('stay in force', ++logged, SEEN_MS)
        if (what !== 'moved away' && what !== 'removed') {
          const second = await run(['keys', 'list'], env)
          assert.equal(second.code, 0, `keys list reads the copy of a file that was ${what}`)
          assert.match(second.stderr, /^hsapi: .*keys\.json.*; the keys are read from its copy, .*\n$/)
          for (let i = 0; i < KEYS; i++) assert.match(second.stdout, new RegExp(`\\bkey${i}\\b`))
        }
        writeFileSync(path, whole)
        const made = JSON.parse(await mustRun(['keys', 'create', '--tier', 'pro', '--json'], env)).key
        const deadline = Date.now() + SEEN_MS
        let status
        do {
          ;({ status } = await ask(server.port, '/api/v1/hs-codes/85', made))
          if (status !== 200) await wait(25)
        } while (status !== 200 && Date.now() < deadline)
        assert.equal(status, 200, `after the file was ${what} and restored, the server accepts a new key`)
      }
    await load.stop()
    assert.deepEqual(load.wrong, [], 'the server still accepts the loaded keys')
    assert.equal(await server.end(), 0)
    return `the key file was cut, damaged, emptied, set to null, moved away or removed ${logged} times; each time was logged, ${load.answered} answers with loaded keys, none refused`
  }
}
