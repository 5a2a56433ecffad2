/**
 * The disk of the data folder and the log is full: the server keeps serving, and saves counts and log lines again once there is
 * space.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { newKey, writeKeys } from '../shared/keys.mjs'
import { countedToday, Load } from '../shared/load.mjs'
import { freePort, run, ServerProcess } from '../shared/program.mjs'
import { Random } from '../shared/random.mjs'

const DISK = 'size=4m'
/** Number of keys: so many that each save needs more space than is left in the last page of the file. */
const KEYS = 200
const FULL_MS = 2_500
const SAVED_MS = 5_000
const LOST_MS_MAX = 1_500
const FILLING = Buffer.alloc(4_096)

/** Fills the disk completely. */
function fill(path) {
  const file = openSync(path, 'w')
  try {
    for (let length = FILLING.length; length > 0; length = length >> 1)
      try {
        for (;;) writeSync(file, FILLING, 0, length)
      } catch (error) {
        if (error.code !== 'ENOSPC') throw error
      }
  } finally {
    closeSync(file)
  }
}

export class Disk {
  constructor({ stage, rounds, seed, engine }) {
    this.rounds = rounds
    this.random = new Random(seed, 4)
    this.disk = stage.path('disk')
    this.env = { ...stage.env('disk/data'), HSAPI_ENGINE: engine }
  }

  async run() {
    mkdirSync(this.disk)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', this.disk], { stdio: 'pipe' })
    } catch (error) {
      return { skipped: `a small disk cannot be mounted here (${String(error.stderr).trim()})` }
    }
    process.once('exit', this.#unmount)
    try {
      return await this.#fillAndFree()
    } finally {
      process.off('exit', this.#unmount)
      this.#unmount()
    }
  }

  #unmount = () => execFileSync('umount', ['-l', this.disk])

  async #fillAndFree() {
    const { env } = this
    const keys = Array.from({ length: KEYS }, () => newKey(this.random))
    writeKeys(
      env.HSAPI_DATA_DIR,
      keys.map((key, i) => ({ id: `key${i}`, key })),
    )
    const keyFile = join(env.HSAPI_DATA_DIR, 'keys.json')
    const log = join(this.disk, 'log')
    const filling = join(this.disk, 'filling')
    const output = openSync(log, 'a')
    let server = await ServerProcess.start(
      { ...env, HSAPI_PORT: String(await freePort()) },
      { stdio: ['ignore', output, output] },
    )
    const load = new Load({
      port: () => server.port,
      connections: 3,
      mayBeCutOff: true,
      next: (lane, turn) => ({
        path: '/api/v1/hs-codes/85',
        key: keys[(3 * turn + lane) % KEYS],
        pauseMs: 2,
      }),
      check: ({ status }) => (status === 200 ? undefined : `status ${status}`),
    }).start()
    let whileFull = 0
    for (let round = 1; round <= this.rounds; round++) {
      fill(filling)
      const before = load.answered
      const keysBefore = readFileSync(keyFile, 'utf8')
      await wait(FULL_MS)
      const refused = await run(['keys', 'create', '--tier', 'free'], env)
      assert.equal(refused.code, 2, 'a key that cannot be written is refused')
      assert.match(refused.stderr, /^hsapi: HSAPI_DATA_DIR.*\n$/)
      assert.equal(readFileSync(keyFile, 'utf8'), keysBefore, 'the key file is unchanged')
      assert.ok(load.answered > before, 'requests are still answered')
      whileFull += load.answered - before
      assert.ok(server.isRunning)
      rmSync(filling)
      const deadline = Date.now() + SAVED_MS
      const isLogged = () => readFileSync(log, 'utf8').split('usage is being saved again').length > round
      while (!isLogged() && Date.now() < deadline) await wait(50)
      assert.ok(isLogged(), `round ${round}: the log continues once there is space: ${readFileSync(log, 'utf8')}`)
    }
    await wait(LOST_MS_MAX)
    const killedMs = Date.now()
    await server.end('SIGKILL')
    await load.stop()
    assert.deepEqual(load.wrong, [])
    server = await ServerProcess.start(env)
    for (const key of keys) {
      const counted = await countedToday(server.port, key)
      const sure = load.countedBefore(key, killedMs - LOST_MS_MAX)
      assert.ok(counted >= sure, `${counted} requests counted, although ${sure} were answered long before the kill`)
    }
    await server.end()
    closeSync(output)
    return `${this.rounds} times the disk was full and then free again; ${whileFull} answers while it was full; counts and log continued`
  }
}
