/** keys.json in the data directory: where keys are kept, as hashes, unless they live in Redis; also the copy of those. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../errors.js'
import { makeDirectory, writeAtomic } from '../files/atomic-file.js'
import { FileLock, type Holder } from '../files/file-lock.js'
import { PARSE_WORK } from '../slices.js'
import { HEAD_LINE, type OnLine, readKeyLines, type Slices, TAIL_LINE } from './key-lines.js'
import {
  isNews,
  isRecord,
  type KeyOptions,
  type KeyRecord,
  type KeyStore,
  type MadeKey,
  makeRecord,
  noSuchKey,
  parseRecord,
  revokeRecord,
  rotateRecord,
} from './key-record.js'

const FILE_VERSION = 1
const LOCK_WAIT_MS = 5_000
/** No record is shorter: `"hash":` and the other names alone take more. */
const RECORD_BYTES_MIN = 150
/** Lines that are written at once: a server answers in between, and a text of all may be longer than a string can be. */
const LINES_PER_PIECE = 1_000

/** It was read, and holds what cannot be used: it will not until it is changed. */
export class DamagedKeyFile extends OperatorError {}

function damaged(path: string): DamagedKeyFile {
  return new DamagedKeyFile(`${path}: this is not JSON; restore it from a backup or remove it`)
}

function notOurs(path: string): DamagedKeyFile {
  return new DamagedKeyFile(`${path}: this is not a key file of version ${FILE_VERSION}`)
}

/** A line's record; undefined where it is not JSON by itself, as may be in a file that was edited by hand. */
export function parseLine(text: string, path: string): KeyRecord | undefined {
  const record = parseRecord(text)
  if (record === 'foreign') throw notOurs(path)
  return record
}

/** One record a line: a server sees by the line which of a million keys has changed. */
function* layOut(keys: readonly KeyRecord[]): Generator<string> {
  yield `${HEAD_LINE}\n`
  for (let from = 0; from < keys.length; from += LINES_PER_PIECE) {
    const lines = keys.slice(from, from + LINES_PER_PIECE).map(record => JSON.stringify(record))
    yield `${lines.join(',\n')}${from + LINES_PER_PIECE < keys.length ? ',' : ''}\n`
  }
  yield `${TAIL_LINE}\n`
}

export class KeyFile implements KeyStore {
  readonly path: string
  readonly #directory: string

  constructor(directory: string, name = 'keys.json') {
    this.#directory = directory
    this.path = join(directory, name)
  }

  /** All keys, or undefined where no key file exists yet. A damaged file is an error, never "no keys". */
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

  /**
   * Tells of each record's line, in slices. A file that was edited by hand or written by an older version may be laid out
   * in another way, which may show late: `readWhole` reads it.
   */
  async readLines(onLine: OnLine): Promise<Slices | 'other layout' | undefined> {
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
      throw damaged(this.path)
    }
    if (content?.version !== FILE_VERSION || !Array.isArray(content.keys) || !content.keys.every(isRecord))
      throw notOurs(this.path)
    return content.keys
  }

  #missing(error: unknown): undefined {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    throw new OperatorError(`HSAPI_DATA_DIR: ${this.path}: ${(error as Error).message}`, { cause: error })
  }

  /** More keys than this are not in the file. */
  async keysAtMost(): Promise<number> {
    const size = await stat(this.path).then(
      found => found.size,
      () => 0,
    )
    return Math.floor(size / RECORD_BYTES_MIN)
  }

  /** Changes whenever the file was replaced; undefined where there is none. */
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

  async revoke(id: string, now: string): Promise<KeyRecord> {
    return this.#changeOne(id, record => revokeRecord(record, now))
  }

  async rotate(id: string, now: string): Promise<MadeKey> {
    let key = ''
    const record = await this.#changeOne(id, found => {
      key = rotateRecord(found, now)
    })
    return { key, record }
  }

  /** Adds these, each in the place of what is known of the same key, unless that is newer. Gives how many were news. */
  async put(records: readonly KeyRecord[]): Promise<number> {
    let changed = 0
    await this.#change(keys => {
      const places = new Map(keys.map(({ id }, place) => [id, place]))
      for (const record of records) {
        const place = places.get(record.id)
        const known = place === undefined ? undefined : keys[place]
        if (known !== undefined && !isNews(known, record)) continue
        changed++
        if (place === undefined) places.set(record.id, keys.push(record) - 1)
        else keys[place] = record
      }
    })
    return changed
  }

  /** Makes it hold these and nothing else. */
  async replace(records: readonly KeyRecord[]): Promise<void> {
    await this.#underLock(() => this.#write(records))
  }

  async #changeOne(id: string, edit: (record: KeyRecord) => void): Promise<KeyRecord> {
    let changed: KeyRecord | undefined
    await this.#change(keys => {
      changed = keys.find(record => record.id === id)
      if (changed === undefined) throw noSuchKey(id)
      edit(changed)
    })
    return changed as KeyRecord
  }

  /** Read, edit, replace under a lock: two commands at once must not lose one another's change. */
  async #change(edit: (keys: KeyRecord[]) => void): Promise<void> {
    await this.#underLock(async () => {
      const keys = (await this.read()) ?? []
      edit(keys)
      await this.#write(keys)
    })
  }

  async #underLock(work: () => Promise<void>): Promise<void> {
    await this.#prepareDirectory()
    const lock = await this.#lock()
    try {
      await work()
    } finally {
      await lock.release()
    }
  }

  async #write(keys: readonly KeyRecord[]): Promise<void> {
    try {
      await writeAtomic(this.path, layOut(keys), 0o600)
    } catch (error) {
      throw new OperatorError(`HSAPI_DATA_DIR: ${this.path} cannot be written: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }

  async #prepareDirectory(): Promise<void> {
    try {
      await makeDirectory(this.#directory, 0o700)
    } catch (error) {
      throw new OperatorError(`HSAPI_DATA_DIR ${this.#directory}: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }

  async #lock(): Promise<FileLock> {
    const path = `${this.path}.lock`
    let taken: FileLock | Holder
    try {
      taken = await FileLock.take(path, LOCK_WAIT_MS)
    } catch (error) {
      throw new OperatorError(`HSAPI_DATA_DIR ${this.#directory}: ${(error as Error).message}`, {
        cause: error,
      })
    }
    if (taken instanceof FileLock) return taken
    throw new OperatorError(`${path}: process ${taken.pid} on ${taken.host} holds the key file`)
  }
}
