/**
 * Keys in Redis: records by id, a version that every change raises, and changed ids by version, so that a follower reads only
 * changes. A record is written only if it has not changed since it was read. The version is the time of the last change, and
 * the time of the first change is stored as well: the two times show whether the store was emptied or has lost changes.
 */
import { OperatorError } from '../errors.js'
import {
  isNewer,
  type KeyOptions,
  type KeyRecord,
  KeyStore,
  type MadeKey,
  makeRecord,
  noSuchKey,
  parseRecord,
} from '../keys/key-record.js'
import type { RedisConnection } from './connection.js'

const PAGE = 1_000
/** Maximum number of attempts at a write that conflicts with other writes. */
const TRIES_MAX = 20

/**
 * Writes the records that have not changed since they were read; returns how many were written. KEYS: records, changed,
 * version. ARGV: channel, then for each record its id, its text as read ('' if there was none, '*' if the store must be empty)
 * and its new text.
 */
const WRITE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local version = tonumber(redis.call('HGET', KEYS[3], 'at') or '0')
local written = 0
for i = 2, #ARGV, 3 do
  local id, before, after = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local isAsRead
  if before == '*' then isAsRead = redis.call('EXISTS', KEYS[3]) == 0
  else isAsRead = (redis.call('HGET', KEYS[1], id) or '') == before end
  if isAsRead then
    redis.call('HSET', KEYS[1], id, after)
    version = math.max(version + 1, now)
    local at = string.format('%.0f', version)
    redis.call('ZADD', KEYS[2], at, id)
    redis.call('HSET', KEYS[3], 'at', at)
    redis.call('HSETNX', KEYS[3], 'first', at)
    written = written + 1
  end
end
if written > 0 then redis.call('PUBLISH', ARGV[1], '') end
return written
`

/** The time of the last change, and of the first, which identifies the store. */
export interface KeysVersion {
  at: number
  first: number
}

export interface KeyChanges {
  version: KeysVersion
  records: KeyRecord[]
  /** Whether `records` contains all keys, not only changes. */
  areAll: boolean
}

export class RedisKeys extends KeyStore {
  readonly #records: string
  readonly #changed: string
  readonly #version: string
  readonly channel: string

  constructor(private readonly connection: RedisConnection) {
    super()
    const { prefix } = connection
    this.#records = `${prefix}{keys}:records`
    this.#changed = `${prefix}{keys}:changed`
    this.#version = `${prefix}{keys}:version`
    this.channel = `${prefix}{keys}`
  }

  #parse(text: string): KeyRecord {
    const record = parseRecord(text)
    if (record === undefined || record === 'foreign')
      throw new OperatorError(`${this.#records} in Redis holds a value that is not an hsapi key`)
    return record
  }

  async #send(...args: readonly string[]): Promise<unknown> {
    try {
      return await this.connection.sendOrReconnect(...args)
    } catch (error) {
      throw new OperatorError(`HSAPI_REDIS_URL: ${(error as Error).message}`)
    }
  }

  /** Returns undefined if no key was ever stored. */
  async version(): Promise<KeysVersion | undefined> {
    const [at, first] = (await this.#send('HMGET', this.#version, 'at', 'first')) as (string | null)[]
    return at == null ? undefined : { at: Number(at), first: Number(first) }
  }

  async count(): Promise<number> {
    return Number(await this.#send('HLEN', this.#records))
  }

  async read(): Promise<KeyRecord[] | undefined> {
    if ((await this.version()) === undefined) return undefined
    const isBefore = (a: KeyRecord, b: KeyRecord) => (a.created_at === b.created_at ? a.id < b.id : a.created_at < b.created_at)
    return (await this.#all()).sort((a, b) => (isBefore(a, b) ? -1 : 1))
  }

  async #all(): Promise<KeyRecord[]> {
    const records = new Map<string, KeyRecord>()
    let cursor = '0'
    do {
      const [next, fields] = (await this.#send('HSCAN', this.#records, cursor, 'COUNT', String(PAGE))) as [string, string[]]
      for (let i = 1; i < fields.length; i += 2) {
        const record = this.#parse(fields[i])
        records.set(record.id, record)
      }
      cursor = next
    } while (cursor !== '0')
    return [...records.values()]
  }

  /** Changes after a version, or all keys without one. Undefined if no key was ever stored, 'lost' if the version was lost. */
  async since(from?: KeysVersion): Promise<KeyChanges | 'lost' | undefined> {
    const version = await this.version()
    if (version === undefined) return undefined
    if (from === undefined) return { version, records: await this.#all(), areAll: true }
    if (version.first !== from.first || version.at < from.at) return 'lost'
    const records: KeyRecord[] = []
    if (version.at > from.at) {
      const range = [this.#changed, `(${from.at}`, String(version.at)]
      const ids = (await this.#send('ZRANGEBYSCORE', ...range)) as string[]
      for (let i = 0; i < ids.length; i += PAGE) {
        const texts = (await this.#send('HMGET', this.#records, ...ids.slice(i, i + PAGE))) as (string | null)[]
        for (const text of texts) if (text !== null) records.push(this.#parse(text))
      }
    }
    return { version, records, areAll: false }
  }

  async create(options: KeyOptions, now: string): Promise<MadeKey> {
    const made = makeRecord(options, now)
    if ((await this.#write([[made.record.id, '', JSON.stringify(made.record)]])) !== 1)
      throw new OperatorError(`key ${made.record.id} already exists; try again`)
    return made
  }

  /** Creates the first key; undefined if another replica was faster. */
  async createFirst(options: KeyOptions, now: string): Promise<MadeKey | undefined> {
    const made = makeRecord(options, now)
    const written = await this.#write([[made.record.id, '*', JSON.stringify(made.record)]])
    return written === 1 ? made : undefined
  }

  async put(records: readonly KeyRecord[]): Promise<number> {
    let written = 0
    for (let i = 0; i < records.length; i += PAGE) written += await this.#putSome(records.slice(i, i + PAGE))
    return written
  }

  async #putSome(records: readonly KeyRecord[]): Promise<number> {
    let written = 0
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const ids = records.map(({ id }) => id)
      const stored = (await this.#send('HMGET', this.#records, ...ids)) as (string | null)[]
      const news = records.flatMap((record, i): [string, string, string][] => {
        const text = stored[i] ?? ''
        return text === '' || isNewer(record, this.#parse(text)) ? [[record.id, text, JSON.stringify(record)]] : []
      })
      if (news.length === 0) return written
      written += await this.#write(news)
    }
    throw new OperatorError('other programs are changing the keys in Redis; try again')
  }

  protected async change<Result>(id: string, edit: (record: KeyRecord) => Result): Promise<Result> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const before = (await this.#send('HGET', this.#records, id)) as string | null
      if (before === null) throw noSuchKey(id)
      const record = this.#parse(before)
      const result = edit(record)
      if ((await this.#write([[id, before, JSON.stringify(record)]])) === 1) return result
    }
    throw new OperatorError(`other programs are changing key ${id}; try again`)
  }

  async #write(changes: readonly (readonly [string, string, string])[]): Promise<number> {
    const keys = [this.#records, this.#changed, this.#version]
    return Number(await this.#send('EVAL', WRITE_SCRIPT, '3', ...keys, this.channel, ...changes.flat()))
  }
}
