/** Two and six concurrent writers of the key file, while the process that holds its lock is dead. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../shared/program.mjs'

const WRITERS = [2, 6]
const HOLDER = fileURLToPath(new URL('hold-lock.mjs', import.meta.url))

async function holdAndDie(path) {
  const child = spawn(process.execPath, [HOLDER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise(done => child.once('close', done))
  const output = await new Promise(done => child.stdout.once('data', data => done(String(data))))
  child.kill('SIGKILL')
  await ended
  assert.equal(output, 'held\n')
}

export class Writers {
  constructor({ stage, rounds }) {
    this.rounds = rounds
    this.env = stage.env('writers')
  }

  async run() {
    const directory = this.env.HSAPI_DATA_DIR
    mkdirSync(directory, { recursive: true })
    const reported = new Set()
    let slowestMs = 0
    for (let round = 0; round < this.rounds; round++)
      for (const writers of WRITERS) {
        await holdAndDie(join(directory, 'keys.json.lock'))
        const startMs = Date.now()
        const results = await Promise.all(
          Array.from({ length: writers }, () => run(['keys', 'create', '--tier', 'free', '--json'], this.env)),
        )
        slowestMs = Math.max(slowestMs, Date.now() - startMs)
        for (const { code, stdout, stderr } of results) {
          assert.equal(code, 0, stderr)
          reported.add(JSON.parse(stdout).id)
        }
        const { keys } = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'))
        assert.deepEqual(new Set(keys.map(({ id }) => id)), reported, `round ${round}: exactly the keys that were reported`)
      }
    return `${this.rounds} rounds of 2 and 6 writers after the holder of the lock died; ${reported.size} keys made, none lost; the slowest round took ${slowestMs} ms, starting Node included`
  }
}
