/**
 * Counts in the data directory: usage.json, one row a key, and beside it a log of the rows that changed since. An exchange
 * appends to the log, so that it costs as much as changed and not as much as there is. Once the log is long, the whole is
 * written anew under the next number and a new log begun; whatever moment a crash takes, one number's pair is whole.
 *
 * Servers that share the directory take turns by a lock, and each reads what the others appended before it adds its own.
 */
import { type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAYS_BACK_MAX, utcDay } from '../clock.js'
import { OperatorError } from '../errors.js'
import { makeDirectory, syncDirectory, writeAtomic } from '../files/atomic-file.js'
import { FileLock } from '../files/file-lock.js'
import { turn } from '../slices.js'
import { CountRows } from './count-rows.js'
import { addSpent, type Spent, type Usage, type UsageStore } from './usage-store.js'

const FILE_VERSION = 2
/** Had one row a key as well, and no log. */
const FIRST_VERSION = 1
const COUNT_MAX = 2 ** 31 - 1
/** A log that is longer than this and than the whole is due: so much written anew has been earned by as much appended. */
const LOG_BYTES_LEAST = 1024 * 1024
const ROWS_A_WRITE = 2_000
const LOCK_WAIT_MS = 5_000
const LOG_NAME = /^usage\.(\d+)\.log$/

/** A row that a server wrote, or an error that says what is wrong with it. */
function readRow(row: unknown): Usage {
  if (!Array.isArray(row) || typeof row[0] !== 'string') throw new Error('a row without an id')
  const [keyId, day, dayCount, minuteStartMs, minuteCount] = row as [string, ...unknown[]]
  const whole = (value: unknown, max: number) => {
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > max)
      throw new Error(`a count that is no whole number from 0 to ${max}: ${JSON.stringify(value)}`)
    return value as number
  }
  return {
    keyId,
    day: whole(day, COUNT_MAX),
    dayCount: whole(dayCount, COUNT_MAX),
    minuteStartMs: whole(minuteStartMs, Number.MAX_SAFE_INTEGER),
    minuteCount: whole(minuteCount, COUNT_MAX),
  }
}

const writeRow = (u: Usage) => JSON.stringify([u.keyId, u.day, u.dayCount, u.minuteStartMs, u.minuteCount])

/** In pieces of some rows each: between two of them requests are answered. */
function* pieces(rows: Iterable<Usage>, ending: string): Generator<string> {
  let piece: string[] = []
  for (const row of rows) {
    piece.push(writeRow(row))
    if (piece.length < ROWS_A_WRITE) continue
    yield piece.join(ending) + ending
    piece = []
  }
  if (piece.length > 0) yield piece.join(ending) + ending
}

/** The whole file. Rows end with a comma, so a null stands behind the last. */
function* wholeFile(number: number, rows: Iterable<Usage>): Generator<string> {
  yield `{"version":${FILE_VERSION},"number":${number},"usage":[\n`
  yield* pieces(rows, ',\n')
  yield 'null]}\n'
}

export class UsageFile implements UsageStore {
  readonly #directory: string
  readonly #path: string
  readonly #isShared: boolean
  readonly #now: () => number
  /** What the files say. */
  readonly #known = new CountRows()
  /** Of the pair in use. */
  #number = 0
  #log: FileHandle | undefined
  /** Bytes of the log that are known here. */
  #logBytes = 0
  /** About: letters, which in ids are bytes. */
  #wholeBytes = 0

  /** `isShared`: other servers use the directory as well. */
  constructor(directory: string, isShared = false, now: () => number = Date.now) {
    this.#now = now
    this.#directory = directory
    this.#path = join(directory, 'usage.json')
    this.#isShared = isShared
  }

  #logPath(number: number): string {
    return join(this.#directory, `usage.${number}.log`)
  }

  async load(): Promise<Usage[]> {
    await this.#readWhole()
    await this.#readLog()
    return [...this.#known.values()]
  }

  async #readWhole(): Promise<void> {
    this.#known.clear()
    this.#number = 0
    this.#logBytes = 0
    this.#wholeBytes = 0
    let text: string
    try {
      text = await readFile(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw new OperatorError(`HSAPI_DATA_DIR: ${this.#path}: ${(error as Error).message}`, { cause: error })
    }
    try {
      const {
        version,
        number = 0,
        usage,
      } = JSON.parse(text) as {
        version: number
        number?: number
        usage: unknown[]
      }
      if (version !== FILE_VERSION && version !== FIRST_VERSION) throw new Error('another version')
      if (version === FILE_VERSION) usage.pop()
      for (const row of usage.map(readRow)) this.#known.set(row)
      this.#number = number
      this.#wholeBytes = text.length
    } catch (error) {
      throw new OperatorError(
        `${this.#path}: this is not a usage file of version ${FILE_VERSION} (${(error as Error).message}); remove it to start counting anew`,
      )
    }
  }

  /** What was appended since it was last read. A last line without its end was being written when a process was killed. */
  async #readLog(): Promise<void> {
    const path = this.#logPath(this.#number)
    let bytes: Buffer
    try {
      bytes = (await readFile(path)).subarray(this.#logBytes)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw new OperatorError(`HSAPI_DATA_DIR: ${path}: ${(error as Error).message}`, { cause: error })
    }
    const end = bytes.lastIndexOf(10) + 1
    const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
    try {
      for (const line of lines) {
        const row = readRow(JSON.parse(line))
        this.#known.set(row)
      }
    } catch (error) {
      throw new OperatorError(
        `${path}: this is not a log of counts (${(error as Error).message}); remove it to go on from ${this.#path}`,
      )
    }
    this.#logBytes += end
  }

  async exchange(spent: readonly Spent[]): Promise<Usage[]> {
    if (!this.#isShared) return this.#add(spent)
    const lock = await FileLock.take(`${this.#path}.lock`, LOCK_WAIT_MS)
    if (!(lock instanceof FileLock)) throw new Error(`process ${lock.pid} on ${lock.host} holds ${this.#path}`)
    try {
      await this.#catchUp()
      return await this.#add(spent)
    } finally {
      await lock.release()
    }
  }

  /** What other servers wrote since the last time. */
  async #catchUp(): Promise<void> {
    const number = await this.#numberOfFile()
    if (number !== this.#number) {
      await this.#closeLog()
      await this.#readWhole()
    }
    await this.#readLog()
  }

  async #numberOfFile(): Promise<number> {
    const handle = await open(this.#path, 'r').catch(() => undefined)
    if (handle === undefined) return 0
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0)
      return Number(/"number":(\d+)/.exec(buffer.toString('latin1', 0, bytesRead))?.[1] ?? 0)
    } finally {
      await handle.close()
    }
  }

  async #add(spent: readonly Spent[]): Promise<Usage[]> {
    const truth: Usage[] = []
    for (const one of spent) {
      truth.push(addSpent(this.#known.get(one.keyId), one))
      if (truth.length % ROWS_A_WRITE === 0) await turn()
    }
    if (this.#logBytes > Math.max(LOG_BYTES_LEAST, this.#wholeBytes)) await this.#renew()
    await this.#append(truth)
    for (const [i, usage] of truth.entries()) {
      this.#known.set(usage)
      if (i % ROWS_A_WRITE === ROWS_A_WRITE - 1) await turn()
    }
    return truth
  }

  async #append(truth: readonly Usage[]): Promise<void> {
    await makeDirectory(this.#directory, 0o700)
    if (this.#log === undefined) {
      this.#log = await open(this.#logPath(this.#number), 'a', 0o600)
      await syncDirectory(this.#directory)
    }
    // what a killed process left of a line would spoil the next one
    await this.#log.truncate(this.#logBytes)
    try {
      let written = 0
      for (const piece of pieces(truth, '\n')) {
        // not `write`: on a disk that fills it takes a part and says nothing
        await this.#log.writeFile(piece)
        written += Buffer.byteLength(piece)
      }
      await this.#log.datasync()
      this.#logBytes += written
    } catch (error) {
      // rows that were taken would be read as spent by another server, and spent here once more
      await this.#log.truncate(this.#logBytes).catch(() => {})
      throw error
    }
  }

  /** Everything under the next number, and an empty log. Days that are over are of no use to anyone. */
  async #renew(): Promise<void> {
    const oldest = utcDay(this.#now()) - DAYS_BACK_MAX
    await makeDirectory(this.#directory, 0o700)
    let bytes = 0
    const counted = function* (pieces: Iterable<string>) {
      for (const piece of pieces) {
        bytes += piece.length
        yield piece
      }
    }
    await writeAtomic(this.#path, counted(wholeFile(this.#number + 1, this.#known.since(oldest))), 0o600)
    this.#wholeBytes = bytes
    await this.#closeLog()
    this.#number++
    this.#logBytes = 0
    for (const name of await readdir(this.#directory)) {
      const number = Number(LOG_NAME.exec(name)?.[1] ?? Number.POSITIVE_INFINITY)
      if (number < this.#number) await rm(join(this.#directory, name), { force: true })
    }
  }

  async #closeLog(): Promise<void> {
    await this.#log?.close()
    this.#log = undefined
  }

  /** Leaves one tidy file, where it is ours alone and holds anything. */
  async close(): Promise<void> {
    try {
      if (!this.#isShared && this.#logBytes > 0) await this.#renew()
    } catch (error) {
      const reason = (error as Error).message
      throw new Error(`${this.#path} was not rewritten, its log still has all counts: ${reason}`)
    } finally {
      await this.#closeLog()
    }
  }
}
