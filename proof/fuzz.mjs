/** Sends a million mutated requests to a real server and checks each answer. See README.md. */

import { makeCase } from './fuzz/cases.mjs'
import { play } from './fuzz/play.mjs'
import { TableReader } from './fuzz/read-tables.mjs'
import { slowTexts, TEXT_MS_MAX } from './fuzz/slow-texts.mjs'
import { HIGH_LIMIT, newKey, writeKeys } from './shared/keys.mjs'
import { readOptions } from './shared/options.mjs'
import { ServerProcess } from './shared/program.mjs'
import { Random } from './shared/random.mjs'
import { DATASET_HELP, phrases, Stage } from './shared/stage.mjs'

const HELP = `npm run fuzz -- [options]

  --requests N    approximate number of requests (1000000)
  --seed N        the same seed sends the same requests (1)
  --engine NAME   uws or node (uws)
  --only N        repeat connection N only, and print what is sent
  --table N       import or enrich table N only
  --seconds N     stop after N seconds at the latest (1800)
${DATASET_HELP}

The exit code is 1 if an answer is missing or breaks the contract; if the server logs anything, exits or uses more and more
memory; or if a connection or a table takes more than a second of CPU time, or a text more than ${TEXT_MS_MAX} ms. The output names the
seed and the connection or table: repeat it with --seed and --only, or with --seed and --table.`

const CONNECTIONS = 24
const CHECK_EVERY = 20_000
const HEALTH_MS_MAX = 5_000
/** Allowed growth of memory since the first answers: cached pages and records, and responses that clients did not read. */
const GROWTH_MB_MAX = 200
const FAULTS_MAX = 10
/** Maximum CPU time of the server for a connection, or of the reader for a table. */
const HANG_MS = 1_000
/** Connections with slow answers to replay alone. */
const SLOW_MAX = 50
const REQUESTS_PER_TABLE = 1_000
/** The slow-text search tries one text per this many requests for each kind of question, up to the time limit. */
const REQUESTS_PER_TEXT = 500
const TEXTS_MS_MAX = 60_000
const SHOWN_BYTES_MAX = 3_000

const options = readOptions(
  'fuzz',
  {
    requests: { max: 100_000_000, default: 1_000_000 },
    seed: { min: 0, max: 2 ** 31 - 1, default: 1 },
    engine: { choices: ['uws', 'node'], default: 'uws' },
    only: { min: 0, max: 100_000_000 },
    table: { min: 0, max: 100_000_000 },
    seconds: { max: 86_400, default: 1_800 },
    dataset: {},
  },
  HELP,
)
const print = line => process.stdout.write(`${line}\n`)

async function prepare() {
  const stage = await Stage.open(options.dataset)
  const random = new Random(options.seed)
  const keys = Object.fromEntries(['ample', 'spent', 'revoked', 'expired', 'unknown'].map(kind => [kind, newKey(random)]))
  const env = { ...stage.env(), HSAPI_ENGINE: options.engine, HSAPI_MCP: 'on' }
  writeKeys(env.HSAPI_DATA_DIR, [
    { id: 'ample', key: keys.ample },
    { id: 'spent', key: keys.spent, per_minute: 5, per_day: HIGH_LIMIT },
    { id: 'revoked', key: keys.revoked, revoked_at: '2026-01-02T00:00:00+00:00' },
    { id: 'expired', key: keys.expired, expires_at: '2026-01-02' },
  ])
  const stock = { codes: stage.codes, phrases: phrases(), keys, engine: options.engine }
  const tables = new TableReader({ seed: options.seed, stock, stage, hangMs: HANG_MS })
  return { stock, tables, snapshot: stage.snapshot, server: await ServerProcess.start(env) }
}

class Fuzz {
  #stock
  #tables
  #server
  #snapshot
  #startMs = Date.now()
  #next = 0
  #statuses = new Map()
  #cut = 0
  #nextCheckAt = CHECK_EVERY
  #healthMs = 0
  /** Time of the slowest answer, and of the slowest close of a connection that the client had ended. */
  #slowestMs = 0
  #closingMs = 0
  #baseMb = 0
  /** Connections with a slow answer, which a busy machine may have caused. */
  #slow = []
  requests = 0
  faults = 0

  constructor({ stock, tables, server, snapshot }) {
    this.#snapshot = snapshot
    this.#stock = stock
    this.#tables = tables
    this.#server = server
  }

  #fault(text, again = '') {
    this.faults++
    if (this.faults <= FAULTS_MAX || text.startsWith('the server')) print(`WRONG: ${text}${again}`)
  }

  #faultOf(number, text) {
    this.#fault(text, ` (--seed ${options.seed} --engine ${options.engine} --only ${number})`)
    if (this.faults <= FAULTS_MAX) this.show(makeCase(options.seed, number, this.#stock))
  }

  show({ bytes, cuts, reads, answerable, sent }) {
    print(`  ${sent} requests, ${answerable} to be answered${reads ? '' : ', never read'}; sent, cut at [${cuts}]:`)
    print(`  ${JSON.stringify(bytes.subarray(0, SHOWN_BYTES_MAX).toString('latin1'))}`)
  }

  async playOne(number) {
    const one = makeCase(options.seed, number, this.#stock)
    const { fault, statuses, isCut, slowestMs, closingMs } = await play(one, this.#server.port)
    this.requests += one.sent
    if (isCut) this.#cut++
    this.#slowestMs = Math.max(this.#slowestMs, slowestMs)
    this.#closingMs = Math.max(this.#closingMs, closingMs)
    for (const [status, count] of statuses) this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + count)
    if (slowestMs > HANG_MS && this.#slow.length < SLOW_MAX) this.#slow.push(number)
    if (fault !== undefined) this.#faultOf(number, fault)
    return statuses
  }

  /** Replays connections one by one, so that their CPU time can be measured. */
  async replaySlow() {
    for (const number of this.#slow) {
      const before = this.#server.processorMs
      await play(makeCase(options.seed, number, this.#stock), this.#server.port)
      const ms = this.#server.processorMs - before
      if (ms > HANG_MS) this.#faultOf(number, `a connection took ${ms} ms of the server's CPU time`)
    }
  }

  async readTable(number) {
    const fault = await this.#tables.read(number)
    if (fault !== undefined) this.#fault(fault, ` (--seed ${options.seed} --table ${number})`)
  }

  async #readTables() {
    const count = Math.ceil(this.requests / REQUESTS_PER_TABLE)
    for (let number = 0; number < count; number++) {
      if (this.faults >= FAULTS_MAX || this.#seconds >= options.seconds) break
      await this.readTable(number)
    }
    this.#tables.end()
  }

  /** Runs in this process, after the server has ended. */
  async #findSlowTexts() {
    const { phrases: words } = this.#stock
    const texts = Math.ceil(this.requests / REQUESTS_PER_TEXT)
    const found = []
    for await (const { name, text, ms, tried } of slowTexts({
      snapshot: this.#snapshot,
      seed: options.seed,
      words,
      texts,
      msMax: TEXTS_MS_MAX,
    })) {
      found.push(`${name} ${ms.toFixed(1)} ms of ${tried}`)
      if (ms > TEXT_MS_MAX) this.#fault(`${name} took ${ms.toFixed(1)} ms for ${JSON.stringify(text)}`)
    }
    print(`slowest texts: ${found.join(', ')}`)
  }

  get #seconds() {
    return (Date.now() - this.#startMs) / 1000
  }

  #isOver() {
    return (
      this.requests >= options.requests ||
      this.faults >= FAULTS_MAX ||
      this.#seconds >= options.seconds ||
      !this.#server.isRunning
    )
  }

  async #checkHealth() {
    const before = Date.now()
    const isWell = await fetch(`http://127.0.0.1:${this.#server.port}/api/v1/health`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(HEALTH_MS_MAX),
    }).then(
      async response => (await response.json()).data.status === 'ok',
      () => false,
    )
    this.#healthMs = Math.max(this.#healthMs, Date.now() - before)
    if (!isWell) this.#fault(`health was not answered after ${this.requests} requests`)
    else print(`${this.requests} requests, ${this.#server.residentMb.toFixed(0)} MB, health in ${Date.now() - before} ms`)
  }

  async #lane() {
    while (!this.#isOver()) {
      await this.playOne(this.#next++)
      if (this.requests < this.#nextCheckAt) continue
      this.#nextCheckAt += CHECK_EVERY
      await this.#checkHealth()
    }
  }

  async run() {
    await this.#checkHealth()
    this.#baseMb = this.#server.residentMb
    await Promise.all(Array.from({ length: CONNECTIONS }, () => this.#lane()))
    if (!this.#server.isRunning)
      this.#fault(`the server ended with ${await this.#server.ended}: ${this.#server.log.slice(-2_000)}`)
    else await this.#end()
  }

  async #end() {
    await this.replaySlow()
    await this.#checkHealth()
    const { residentMb, peakMb } = this.#server
    if (peakMb > this.#baseMb + GROWTH_MB_MAX)
      this.#fault(`memory grew from ${this.#baseMb.toFixed(0)} to ${peakMb.toFixed(0)} MB`)
    const code = await this.#server.end()
    if (code !== 0) this.#fault(`the server ended with ${code}`)
    const unexpected = this.#server.unexpected()
    if (unexpected.length > 0) this.#fault(`the server logged: ${unexpected.join(' | ').slice(0, 2_000)}`)
    await this.#readTables()
    await this.#findSlowTexts()
    print(
      `${this.requests} requests on ${this.#next} connections in ${this.#seconds.toFixed(0)} s, seed ${options.seed}, ${options.engine}`,
    )
    const statuses = [...this.#statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    print(
      `answers: ${statuses.join(', ')}; ${this.#cut} connections not read, aborted, or closed because the client was too slow`,
    )
    print(`memory: ${this.#baseMb.toFixed(0)} MB at the start, ${residentMb.toFixed(0)} at the end, ${peakMb.toFixed(0)} at most`)
    print(
      `slowest answer ${this.#slowestMs} ms, slowest close ${this.#closingMs} ms; ${this.#slow.length} connections with an answer above ${HANG_MS} ms, replayed alone; ${this.#tables.count} tables read, ${this.#tables.refused} of them refused, ${this.#tables.slowestMs.toFixed(0)} ms at most`,
    )
    print(
      `health: ${this.#healthMs} ms at most; the server's log: ${unexpected.length === 0 ? 'nothing unexpected' : 'see above'}`,
    )
  }
}

const prepared = await prepare()
const { stock, server } = prepared
const fuzz = new Fuzz(prepared)
if (options.only === undefined && options.table === undefined) await fuzz.run()
else if (options.table !== undefined) {
  await fuzz.readTable(options.table)
  await server.end()
} else {
  fuzz.show(makeCase(options.seed, options.only, stock))
  const statuses = await fuzz.playOne(options.only)
  await fuzz.replaySlow()
  print(`  answers: ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ') || 'none'}`)
  await server.end()
}
print(fuzz.faults === 0 ? 'nothing wrong' : `${fuzz.faults} wrong`)
process.exit(fuzz.faults === 0 ? 0 : 1)
