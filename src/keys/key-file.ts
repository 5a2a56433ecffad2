/** keys.json in the data directory, and the local copy of keys that are stored in Redis. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../errors.js'
import { makeDirectory, writeAtomic } from '../files/atomic-file.js'
import { FileLock, STALE_MS } from '../files/file-lock.js'
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

const FILE_VERSION = 1
/** Longer than the lock of a process that died is respected. */
const LOCK_WAIT_MS = STALE_MS + 5_000
/** The field names alone take more. */
const RECORD_BYTES_MIN = 150
/** A million keys may not fit into one string. */
const LINES_PER_PIECE = 1_000

/** The content is unusable; reading it again does not help. */
export class DamagedKeyFile extends OperatorError {}

function notOurs(path: string): DamagedKeyFile {
  return new DamagedKeyFile(`${path}: this is not a key file of version ${FILE_VERSION}`)
}

/** Undefined if the line alone is not JSON, as in a file edited by hand. */
export function parseLine(text: string, path: string): KeyRecord | undefined {
  const record = parseRecord(text)
  if (record === 'foreign') throw notOurs(path)
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

export class KeyFile extends KeyStore {
  readonly path: string
  readonly #directory: string

  constructor(directory: string, name = 'keys.json') {
    super()
    this.#directory = directory
    this.path = join(directory, name)
  }

  async read(): Promise<KeyRecord[] | undefined> {
    const keys: KeyRecord[] = []
    const found = await this.readLines(({ bytes }, start, end) => {
      const record = parseLine(bytes.toString('utf8', start, end), this.path)
      if (record === undefined) return undefined
      keys.push(record)
      return PARSE_WORK
    })
    return found === 'other layout' ? this.readWhole() : found && keys
  }

  /** A file edited by hand may have another layout, which may show late; then use `readWhole`. */
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
      throw new DamagedKeyFile(`${this.path}: this is not JSON; restore it from a backup or remove it`)
    }
    if (content?.version !== FILE_VERSION || !Array.isArray(content.keys) || !content.keys.every(isRecord))
      throw notOurs(this.path)
    return content.keys
  }

  #missing(error: unknown): undefined {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    throw directoryError(`: ${this.path}: `, error)
  }

  /** An upper bound from the size of the file. */
  async keysAtMost(): Promise<number> {
    const found = await stat(this.path).catch(() => undefined)
    return Math.floor((found?.size ?? 0) / RECORD_BYTES_MIN)
  }

  /** Changes whenever the file is replaced; undefined if there is none. */
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
      const record = keys.find(one => one.id === id)
      if (record === undefined) throw noSuchKey(id)
      return edit(record)
    })
  }

  /** Under a lock, so that two commands at once do not lose each other's change. */
  #change<Result>(edit: (keys: KeyRecord[]) => Result): Promise<Result> {
    return this.#underLock(async () => {
      const keys = (await this.read()) ?? []
      const result = edit(keys)
      await this.#write(keys)
      return result
    })
  }

  async #underLock<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      await makeDirectory(this.#directory, 0o700)
      return await FileLock.during(`${this.path}.lock`, LOCK_WAIT_MS, 'holds the key file', work)
    } catch (error) {
      throw error instanceof OperatorError ? error : directoryError(` ${this.#directory}: `, error)
    }
  }

  async #write(keys: readonly KeyRecord[]): Promise<void> {
    try {
      await writeAtomic(this.path, formatFile(keys), 0o600)
    } catch (error) {
      throw directoryError(`: ${this.path} cannot be written: `, error)
    }
  }
}
