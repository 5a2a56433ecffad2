/**
 * usage.json has one row per key, and usage.N.log has the rows that changed since, so that each exchange writes only changes. A
 * long log is merged into a new usage.json with the next number N. After a crash at any moment, the file and the log of one
 * number are complete. Servers that share the directory take turns with a lock.
 */
import { type FileHandle, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAYS_BACK_MAX, utcDay } from '../clock.js'
import { OperatorError } from '../errors.js'
import { makeDirectory, syncDirectory, writeAtomic } from '../files/atomic-file.js'
import { FileLock } from '../files/file-lock.js'
import { nextTurn } from '../slices.js'
import { CountRows } from './count-rows.js'
import { addSpent, type Usage } from './usage.js'

const FILE_VERSION = 2
/** Files of this version have no log. */
const FIRST_VERSION = 1
const COUNT_MAX = 2 ** 31 - 1
/** A log is merged once it is longer than this number of bytes and longer than usage.json. */
const LOG_BYTES_MIN = 1024 * 1024
const ROWS_PER_WRITE = 2_000
const LOCK_WAIT_MS = 5_000
const LOG_NAME = /^usage\.(\d+)\.log$/

function readRow(row: unknown): Usage {
  if (!Array.isArray(row) || typeof row[0] !== 'string') throw new Error('a row without an id')
  const [keyId, day, dayCount, minuteStartMs, minuteCount] = row as [string, ...unknown[]]
  const whole = (value: unknown, max: number) => {
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > max)
      throw new Error(`a count that is not a whole number from 0 to ${max}: ${JSON.stringify(value)}`)
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

async function readIfAny(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new OperatorError(`HSAPI_DATA_DIR: ${path}: ${(error as Error).message}`, { cause: error })
  }
}

const writeRow = (u: Usage) => JSON.stringify([u.keyId, u.day, u.dayCount, u.minuteStartMs, u.minuteCount])

/** The server answers requests while the writer waits between two pieces. */
function* pieces(rows: Iterable<Usage>, ending: string): Generator<string> {
  let piece: string[] = []
  for (const row of rows) {
    piece.push(writeRow(row))
    if (piece.length < ROWS_PER_WRITE) continue
    yield piece.join(ending) + ending
    piece = []
  }
  if (piece.length > 0) yield piece.join(ending) + ending
}

/** Every row ends with a comma, so the list ends with null. */
function* wholeFile(number: number, rows: Iterable<Usage>): Generator<string> {
  yield `{"version":${FILE_VERSION},"number":${number},"usage":[\n`
  yield* pieces(rows, ',\n')
  yield 'null]}\n'
}

/** Keeps counts across restarts. The file may lag behind, and never blocks a request. */
export class UsageFile {
  readonly #path: string
  #rows = new CountRows()
  #number = 0
  #log: FileHandle | undefined
  /** Length of the part of the log that was read or written so far. */
  #logBytes = 0
  #wholeBytes = 0

  /** `isShared`: other servers use the directory too. */
  constructor(
    private readonly directory: string,
    private readonly isShared: boolean = false,
    private readonly now: () => number = Date.now,
  ) {
    this.#path = join(directory, 'usage.json')
  }

  #logPath(number: number): string {
    return join(this.directory, `usage.${number}.log`)
  }

  async load(): Promise<Usage[]> {
    await this.#readWhole()
    await this.#readLog()
    return [...this.#rows.since(0)]
  }

  async #readWhole(): Promise<void> {
    this.#rows = new CountRows()
    this.#number = 0
    this.#logBytes = 0
    this.#wholeBytes = 0
    const bytes = await readIfAny(this.#path)
    if (bytes === undefined) return
    try {
      const {
        version,
        number = 0,
        usage,
      } = JSON.parse(bytes.toString()) as { version: number; number?: number; usage: unknown[] }
      if (version !== FILE_VERSION && version !== FIRST_VERSION) throw new Error('another version')
      if (version === FILE_VERSION) usage.pop()
      for (const row of usage.map(readRow)) this.#rows.set(row)
      this.#number = number
      this.#wholeBytes = bytes.length
    } catch (error) {
      throw new OperatorError(
        `${this.#path}: this is not a usage file of version ${FILE_VERSION} (${(error as Error).message}); remove it to start counting again`,
      )
    }
  }

  /** Reads the lines appended since the last reading. An incomplete last line is from a process that was killed. */
  async #readLog(): Promise<void> {
    const path = this.#logPath(this.#number)
    const bytes = (await readIfAny(path))?.subarray(this.#logBytes)
    if (bytes === undefined) return
    const end = bytes.lastIndexOf(10) + 1
    const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
    try {
      for (const line of lines) this.#rows.set(readRow(JSON.parse(line)))
    } catch (error) {
      throw new OperatorError(
        `${path}: this is not a log of counts (${(error as Error).message}); remove it to continue from ${this.#path}`,
      )
    }
    this.#logBytes += end
  }

  /**
   * Adds spent requests and returns the total counts of the same keys, in the same order. If the promise rejects, nothing was
   * added. Only one exchange may run at a time.
   */
  async exchange(spent: readonly Usage[]): Promise<Usage[]> {
    if (!this.isShared) return this.#add(spent)
    return FileLock.during(`${this.#path}.lock`, LOCK_WAIT_MS, `is writing ${this.#path}`, async () => {
      await this.#catchUp()
      return this.#add(spent)
    })
  }

  async #catchUp(): Promise<void> {
    if ((await this.#numberOfFile()) !== this.#number) {
      await this.#closeLog()
      await this.#readWhole()
    }
    await this.#readLog()
  }

  async #numberOfFile(): Promise<number> {
    const handle = await open(this.#path, 'r').catch(() => undefined)
    if (handle === undefined) return 0
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0).finally(() => handle.close())
    return Number(/"number":(\d+)/.exec(buffer.toString('latin1', 0, bytesRead))?.[1] ?? 0)
  }

  async #add(spent: readonly Usage[]): Promise<Usage[]> {
    const totals: Usage[] = []
    for (const one of spent) {
      totals.push(addSpent(this.#rows.get(one.keyId), one))
      if (totals.length % ROWS_PER_WRITE === 0) await nextTurn()
    }
    if (this.#logBytes > Math.max(LOG_BYTES_MIN, this.#wholeBytes)) await this.#merge()
    await this.#append(totals)
    for (const [i, usage] of totals.entries()) {
      this.#rows.set(usage)
      if (i % ROWS_PER_WRITE === ROWS_PER_WRITE - 1) await nextTurn()
    }
    return totals
  }

  async #append(totals: readonly Usage[]): Promise<void> {
    await makeDirectory(this.directory, 0o700)
    if (this.#log === undefined) {
      this.#log = await open(this.#logPath(this.#number), 'a', 0o600)
      await syncDirectory(this.directory)
    }
    // an incomplete line that a killed process has left is removed
    await this.#log.truncate(this.#logBytes)
    try {
      let written = 0
      for (const piece of pieces(totals, '\n')) {
        // when the disk is full, `write` would write a part and report no error
        await this.#log.writeFile(piece)
        written += Buffer.byteLength(piece)
      }
      await this.#log.datasync()
      this.#logBytes += written
    } catch (error) {
      // these rows will be sent again; if they stayed in the log, another server would count them twice
      await this.#log.truncate(this.#logBytes).catch(() => {})
      throw error
    }
  }

  /** Writes all rows except those of past days under the next number, and starts an empty log. */
  async #merge(): Promise<void> {
    const oldest = utcDay(this.now()) - DAYS_BACK_MAX
    await makeDirectory(this.directory, 0o700)
    await writeAtomic(this.#path, wholeFile(this.#number + 1, this.#rows.since(oldest)), 0o600)
    await this.#closeLog()
    this.#number++
    this.#logBytes = 0
    for (const name of await readdir(this.directory)) {
      const number = Number(LOG_NAME.exec(name)?.[1] ?? Number.POSITIVE_INFINITY)
      if (number < this.#number) await rm(join(this.directory, name), { force: true })
    }
    this.#wholeBytes = (await stat(this.#path)).size
  }

  async #closeLog(): Promise<void> {
    await this.#log?.close()
    this.#log = undefined
  }

  async close(): Promise<void> {
    try {
      if (!this.isShared && this.#logBytes > 0) await this.#merge()
    } catch (error) {
      const reason = (error as Error).message
      throw new Error(`${this.#path} was not rewritten; its log still has all counts: ${reason}`)
    } finally {
      await this.#closeLog()
    }
  }
}
