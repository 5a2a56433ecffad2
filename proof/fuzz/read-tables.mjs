/** Imports and enriches hostile tables and reports faults. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeTable } from './tables.mjs'

const READER = fileURLToPath(new URL('table-reader.mjs', import.meta.url))
/** Wall time after which a table counts as hanging. */
const ANSWER_MS = 60_000
const SHOWN_CHARS_MAX = 1_000

export class TableReader {
  #seed
  #stock
  #stage
  #hangMs
  #child
  /** Called with the child's answer, or with a text if the child has ended. */
  #hear = () => {}
  count = 0
  refused = 0
  slowestMs = 0

  /** @param {{seed: number, stock: object, stage: import('../shared/stage.mjs').Stage, hangMs: number}} how */
  constructor({ seed, stock, stage, hangMs }) {
    this.#seed = seed
    this.#stock = stock
    this.#stage = stage
    this.#hangMs = hangMs
    process.once('exit', () => this.end())
  }

  async #start() {
    const child = fork(READER, [this.#stage.snapshot], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    let output = ''
    child.stderr.on('data', data => {
      output = (output + data).slice(-SHOWN_CHARS_MAX)
    })
    const ended = once(child, 'close').then(() => {
      throw new Error(`the process that reads tables did not start: ${output}`)
    })
    await Promise.race([once(child, 'message'), ended])
    // from now on, an exit is reported to the caller that waits for an answer
    ended.catch(() => {})
    child.on('message', answer => this.#hear(answer))
    child.on('exit', () => this.#hear(`the process ended: ${output}`))
    this.#child = child
  }

  /** Returns the fault, or undefined. */
  async read(number) {
    if (this.#child === undefined) await this.#start()
    const { bytes, extension, ...how } = makeTable(this.#seed, number, this.#stock)
    const file = this.#stage.path(`table.${extension}`)
    writeFileSync(file, bytes)
    const answer = await new Promise(done => {
      const timer = setTimeout(() => this.#hear(`not finished after ${ANSWER_MS} ms`), ANSWER_MS)
      this.#hear = heard => {
        clearTimeout(timer)
        done(heard)
      }
      this.#child.send({ ...how, file, out: this.#stage.path('table-out') })
    })
    this.count++
    const what = `${how.command} of a table (${extension}, ${how.layout})`
    if (typeof answer === 'string') {
      this.end()
      return `${what}: ${answer}`
    }
    if (answer.refusal !== undefined) this.refused++
    this.slowestMs = Math.max(this.slowestMs, answer.ms)
    return answer.ms > this.#hangMs ? `${what} took ${answer.ms.toFixed(0)} ms of CPU time` : undefined
  }

  end() {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}
