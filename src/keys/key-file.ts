/**
 * keys.json in the data directory, and the local copy of keys that are stored in Redis.
 *
 * A copy beside keys.json is used if the file is damaged. A command reports a change only after both files have it. keys.json
 * is replaced first: if the process is killed in between, the copy lacks a change that was not reported, and the next server
 * that reads keys.json writes the copy again before it acts on the change. In the other order, the copy could have a new secret
 * that was never shown; if keys.json were damaged then, nobody would have a secret that works.
 */
import { constants, copyFile, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { OperatorError } from '../errors.js'
import { fillAtomic, makeDirectory, writeAtomic, writeWithCopy } from '../files/atomic-file.js'
import { FileLock, STALE_MS } from '../files/file-lock.js'
import { hasSameContent } from '../files/same-content.js'
import { PARSE_WORK } from '../slices.js'
import { HEAD_LINE, type OnLine, readKeyLines, TAIL_LINE } from './key-lines.js'
import {
  isNewer,
  isRecord,
  type KeyOptions,
  type KeyRecord,
  KeyStore,
  type MadeKey,
  makeRecord,
  noSuchKey,
  parseRecord,
} from './key-record.js'

const FILE_NAME = 'keys.json'
const COPY_NAME = 'keys-copy.json'
const FILE_VERSION = 1
/** Longer than STALE_MS, after which the lock of a dead process is ignored. */
const LOCK_WAIT_MS = STALE_MS + 5_000
/** How long a server that renews the copy waits for a command. */
const COPY_WAIT_MS = 1_000
/** A lower bound for the size of a record: its field names alone take more. */
const RECORD_BYTES_MIN = 150
/** The file is written in pieces, because a million keys may not fit into one string. */
const LINES_PER_PIECE = 1_000

/** Thrown if the content of a key file is unusable, so that reading the file again does not help. */
export class DamagedKeyFile extends OperatorError {
  constructor(
    readonly path: string,
    readonly why: string,
  ) {
    super(`${path}: ${why}`)
  }

  /** The error if neither the file nor its copy can be used. */
  withoutCopy(copy: 'missing' | 'damaged'): DamagedKeyFile {
    return new DamagedKeyFile(this.path, `${this.why}, and its copy ${COPY_NAME} is ${copy}; restore it from a backup`)
  }
}

const noKeyFile = (path: string) => new DamagedKeyFile(path, `this is not a key file of version ${FILE_VERSION}`)

/** Returns undefined if the line alone is not JSON, as in a file edited by hand. */
export function parseLine(text: string, path: string): KeyRecord | undefined {
  const record = parseRecord(text)
  if (record === 'foreign') throw noKeyFile(path)
  return record
}

/** One record per line, so that a server finds changed keys by line. */
function* formatFile(keys: readonly KeyRecord[]): Generator<string> {
  yield `${HEAD_LINE}\n`
  for (let from = 0; from < keys.length; from += LINES_PER_PIECE) {
    const lines = keys.slice(from, from + LINES_PER_PIECE).map(record => JSON.stringify(record))
    yield `${lines.join(',\n')}${from + LINES_PER_PIECE < keys.length ? ',' : ''}\n`
  }
  yield `${TAIL_LINE}\n`
}

function directoryError(where: string, error: unknown): OperatorError {
  return new OperatorError(`HSAPI_DATA_DIR${where}${(error as Error).message}`, { cause: error })
}

export interface KeyFileOptions {
  name?: string
  /** Called with a sentence if the file is damaged and its copy is used. */
  notify?(sentence: string): void
}

export class KeyFile extends KeyStore {
  readonly path: string
  /** Only keys.json has a copy. */
  readonly copy: KeyFile | undefined
  readonly #directory: string
  readonly #notify: (sentence: string) => void

  constructor(directory: string, { name = FILE_NAME, notify = () => {} }: KeyFileOptions = {}) {
    super()
    this.#directory = directory
    this.#notify = notify
    this.path = join(directory, name)
    this.copy = name === FILE_NAME ? new KeyFile(directory, { name: COPY_NAME }) : undefined
  }

  /** Reads the file, or its copy if the file is damaged or missing. */
  async read(): Promise<KeyRecord[] | undefined> {
    const { keys, damage } = await this.#readEither()
    if (damage !== undefined) this.#notify(`${damage}; the keys are read from its copy, ${this.copy?.path}`)
    return keys
  }

  /** `damage`: why the keys come from the copy; undefined if they come from the file. */
  async #readEither(): Promise<{ keys: KeyRecord[] | undefined; damage?: string }> {
    try {
      const keys = await this.readStrictly()
      if (keys !== undefined || this.copy === undefined) return { keys }
      const copied = await this.copy.readStrictly()
      return copied === undefined ? { keys } : { keys: copied, damage: `${this.path} is missing` }
    } catch (error) {
      const { copy } = this
      if (!(error instanceof DamagedKeyFile) || copy === undefined || error.path !== this.path) throw error
      const keys = await copy.readStrictly().catch(copyError => {
        throw copyError instanceof DamagedKeyFile ? error.withoutCopy('damaged') : copyError
      })
      if (keys === undefined) throw error.withoutCopy('missing')
      return { keys, damage: error.message }
    }
  }

  /** Like `read`, but never reads the copy. */
  async readStrictly(): Promise<KeyRecord[] | undefined> {
    const keys: KeyRecord[] = []
    const found = await this.readLines(({ bytes }, start, end) => {
      const record = parseLine(bytes.toString('utf8', start, end), this.path)
      if (record === undefined) return undefined
      keys.push(record)
      return PARSE_WORK
    })
    return found === 'other layout' ? this.readWhole() : found && keys
  }

  /**
   * Calls `onLine` for each record. A file edited by hand may have another layout, which may be detected only after some calls;
   * then use `readWhole`.
   */
  async readLines(onLine: OnLine): Promise<{ linesInSliceMax: number } | 'other layout' | undefined> {
    try {
      return (await readKeyLines(this.path, onLine)) ?? 'other layout'
    } catch (error) {
      return this.#missing(error)
    }
  }

  async readWhole(): Promise<KeyRecord[] | undefined> {
    let text: string
    try {
      text = await readFile(this.path, 'utf8')
    } catch (error) {
      return this.#missing(error)
    }
    let content: { version?: unknown; keys?: unknown } | null
    try {
      content = JSON.parse(text) as typeof content
    } catch {
      throw new DamagedKeyFile(this.path, 'this is not JSON')
    }
    if (content?.version !== FILE_VERSION || !Array.isArray(content.keys) || !content.keys.every(isRecord))
      throw noKeyFile(this.path)
    return content.keys
  }

  /** Writes the copy again if it differs from the file. If the file is damaged, rejects and keeps the old copy. */
  async renewCopy(): Promise<void> {
    const { copy } = this
    if (copy === undefined || (await hasSameContent(this.path, copy.path))) return
    const fill = async (_handle: unknown, temporary: string) => {
      await copyFile(this.path, temporary)
      await new KeyFile(this.#directory, { name: basename(temporary) }).check()
    }
    await this.#underLock(() => fillAtomic(copy.path, fill, 0o600), COPY_WAIT_MS)
  }

  /** Reads the file without keeping its content; rejects if it is damaged. */
  async check(): Promise<void> {
    const found = await this.readLines(({ bytes }, start, end) =>
      parseLine(bytes.toString('utf8', start, end), this.path) === undefined ? undefined : PARSE_WORK,
    )
    if (found === 'other layout') await this.readWhole()
  }

  #missing(error: unknown): undefined {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    throw directoryError(`: ${this.path}: `, error)
  }

  /** An upper bound for the number of keys, from the size of the file and its copy. */
  async keysAtMost(): Promise<number> {
    const found = await stat(this.path).catch(() => undefined)
    return Math.max(Math.floor((found?.size ?? 0) / RECORD_BYTES_MIN), (await this.copy?.keysAtMost()) ?? 0)
  }

  /** Changes whenever the file is replaced; undefined if there is no file. */
  async stamp(): Promise<string | undefined> {
    try {
      const { ino, mtimeNs, ctimeNs, size } = await stat(this.path, { bigint: true })
      return `${ino}-${mtimeNs}-${ctimeNs}-${size}`
    } catch {
      return undefined
    }
  }

  async create(options: KeyOptions, now: string): Promise<MadeKey> {
    const made = makeRecord(options, now)
    await this.#change(keys => keys.push(made.record))
    return made
  }

  async put(records: readonly KeyRecord[]): Promise<number> {
    return this.#change(keys => {
      let changed = 0
      const positions = new Map(keys.map(({ id }, position) => [id, position]))
      for (const record of records) {
        const position = positions.get(record.id)
        if (position !== undefined && !isNewer(record, keys[position])) continue
        changed++
        if (position === undefined) positions.set(record.id, keys.push(record) - 1)
        else keys[position] = record
      }
      return changed
    })
  }

  async replace(records: readonly KeyRecord[]): Promise<void> {
    await this.#underLock(() => this.#write(records))
  }

  protected change<Result>(id: string, edit: (record: KeyRecord) => Result): Promise<Result> {
    return this.#change(keys => {
      const record = keys.find(key => key.id === id)
      if (record === undefined) throw noSuchKey(id)
      return edit(record)
    })
  }

  /** Holds a lock, so that two commands that run at the same time do not lose each other's change. */
  #change<Result>(edit: (keys: KeyRecord[]) => Result): Promise<Result> {
    return this.#underLock(async () => {
      const { keys = [], damage } = await this.#readEither()
      const result = edit(keys)
      const kept = damage === undefined ? undefined : await this.#keepDamaged()
      await this.#write(keys)
      if (damage !== undefined)
        this.#notify(
          `${damage}; it was restored from its copy, ${this.copy?.path}${kept === undefined ? '' : `; the damaged file is kept as ${kept}`}`,
        )
      return result
    })
  }

  /** Copies the damaged file aside; returns the path of that copy, or undefined if the file is missing. */
  async #keepDamaged(): Promise<string | undefined> {
    const kept = `${this.path}.damaged-${Date.now()}`
    try {
      await copyFile(this.path, kept, constants.COPYFILE_EXCL)
      return kept
    } catch (error) {
      return this.#missing(error)
    }
  }

  async #underLock<Result>(work: () => Promise<Result>, waitMs = LOCK_WAIT_MS): Promise<Result> {
    try {
      await makeDirectory(this.#directory, 0o700)
      return await FileLock.during(`${this.path}.lock`, waitMs, 'is changing the key file', work)
    } catch (error) {
      throw error instanceof OperatorError ? error : directoryError(` ${this.#directory}: `, error)
    }
  }

  async #write(keys: readonly KeyRecord[]): Promise<void> {
    try {
      const { copy } = this
      if (copy === undefined) await writeAtomic(this.path, formatFile(keys), 0o600)
      else await writeWithCopy(this.path, copy.path, () => formatFile(keys), 0o600)
    } catch (error) {
      throw directoryError(`: ${this.path} cannot be written: `, error)
    }
  }
}
