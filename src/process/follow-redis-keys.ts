/**
 * Follows keys in Redis by messages, and by polling in case a message is lost. With a copy in the data directory, a server can
 * start without Redis. Keys that Redis has lost are written back: otherwise the first key created there would replace all
 * others.
 */
import type { Gate } from '../gate/gate.js'
import { KeyRegister } from '../gate/key-register.js'
import { type PublishSlots, removeInSlices, setInSlices } from '../gate/key-slices.js'
import { KeyFile } from '../keys/key-file.js'
import { isNewer, type KeyOptions, type KeyRecord, type MadeKey } from '../keys/key-record.js'
import { NO_SLOT } from '../keys/slot-table.js'
import { RedisConnection, type RedisOptions } from '../redis/connection.js'
import { type KeyChanges, type KeysVersion, RedisKeys } from '../redis/keys.js'
import { nextTurn, SLICE_WORK } from '../slices.js'
import { noRoomMessage, readAgainMessage } from './follow-keys.js'
import type { Log } from './log.js'
import { oneAtATime } from './one-at-a-time.js'

const POLL_MS = 1_000
/** Time between two writes of the copy. It is longer with many keys, since writing them takes long. */
const COPY_MS = 1_000
const COPY_MANY_MS = 30_000
const MANY_KEYS = 10_000
const COPY_NAME = 'keys-of-redis.json'
/** How long a starting server waits for Redis. */
const CONNECT_MS = 1_000

export class RedisKeyFollower {
  readonly #keys: RedisKeys
  readonly #copy: KeyFile
  #gate!: Gate
  #publish: PublishSlots = () => {}
  #version: KeysVersion | undefined
  /** Changed records that are not in the copy yet, by id. */
  #uncopied = new Map<string, KeyRecord>()
  /** Set if `#uncopied` contains every key, so that the old copy is not needed. */
  #mustCopyAll = false
  #copiedAt = 0
  #timer: NodeJS.Timeout | undefined
  #isFailing = false
  #isCopyFailing = false
  #isStopped = false
  /** Set if this server created a key: such a change is not logged. */
  #isOwnChange = false

  private constructor(
    private readonly connection: RedisConnection,
    private readonly subscriber: RedisConnection,
    directory: string,
    private readonly log: Log,
  ) {
    this.#keys = new RedisKeys(connection)
    this.#copy = new KeyFile(directory, { name: COPY_NAME })
  }

  static async open(options: RedisOptions, directory: string, log: Log): Promise<RedisKeyFollower> {
    const connection = await RedisConnection.open(options, () => {})
    const subscriber = await RedisConnection.open(options, () => {}, 0)
    await connection.ready(CONNECT_MS)
    return new RedisKeyFollower(connection, subscriber, directory, log)
  }

  get problem(): string | undefined {
    if (this.#isFailing) return 'the keys in Redis cannot be read; the known keys stay in force'
    return this.#isCopyFailing ? 'the local copy of the keys in Redis cannot be written' : undefined
  }

  readonly isDamaged = false

  async keysAtMost(): Promise<number> {
    const copied = await this.#copy.keysAtMost()
    return Math.max(copied, this.connection.isReady ? await this.#keys.count().catch(() => 0) : 0)
  }

  /** Loads from Redis or, if it is unreachable, from the copy. */
  async load(gate: Gate): Promise<boolean> {
    this.#gate = gate
    try {
      const found = await this.#allKeys()
      if (found === undefined) return false
      await this.#take(found)
    } catch (error) {
      this.#isFailing = true
      gate.hasKeys = await new KeyRegister(gate).load(this.#copy).catch(damage => {
        this.log(`hsapi: ${(damage as Error).message}`, 'error')
        return false
      })
      const effect = gate.hasKeys ? 'using the local copy' : 'requests with a key get 503 until Redis can be read'
      this.log(`hsapi: the keys in Redis cannot be read; ${effect}: ${(error as Error).message}`, 'warning')
    }
    return true
  }

  start(publish: PublishSlots): void {
    this.#publish = publish
    this.#timer = setInterval(() => void this.checkForChanges(), POLL_MS)
    // the listener is always the same function: the client resubscribes by itself, and would otherwise call several listeners
    const listener = () => void this.checkForChanges()
    const subscribe = () => this.subscriber.subscribe(this.#keys.channel, listener).catch(() => {})
    this.subscriber.onReady(subscribe)
    if (this.subscriber.isReady) void subscribe()
  }

  createFirst(options: KeyOptions, now: string): Promise<MadeKey | undefined> {
    this.#isOwnChange = true
    return this.#keys.createFirst(options, now)
  }

  readonly checkForChanges = oneAtATime(async () => {
    if (this.#isStopped) return
    try {
      let found = this.#version === undefined ? await this.#allKeys() : await this.#keys.since(this.#version)
      if (this.#isFailing) this.log('hsapi: the keys in Redis can be read again')
      this.#isFailing = false
      if (found === undefined || found === 'lost') found = await this.#restoreKeys()
      if (found !== undefined) await this.#takeAndLog(found)
      if (!this.#gate.hasKeys) {
        this.#gate.hasKeys = true
        this.#publish([])
        if (found === undefined) this.log('hsapi: there are no keys in Redis yet; "hsapi keys create" creates one')
      }
    } catch (error) {
      const { message } = error as Error
      if (!this.#isFailing)
        this.log(`hsapi: the keys in Redis cannot be read; the known keys stay in force: ${message}`, 'warning')
      this.#isFailing = true
    }
    await this.#updateCopy()
  })

  /**
   * Reads all keys. If the copy has keys or changes that Redis does not have, Redis has lost them, so they are written back.
   */
  async #allKeys(): Promise<KeyChanges | undefined> {
    const found = (await this.#keys.since()) as KeyChanges | undefined
    if (found === undefined) return await this.#restoreKeys()
    const stored = new Map(found.records.map(record => [record.id, record]))
    const isLost = (record: KeyRecord) => {
      const inRedis = stored.get(record.id)
      return inRedis === undefined || isNewer(record, inRedis)
    }
    // a damaged copy restores nothing
    const copied = (await this.#copy.read().catch(() => undefined)) ?? []
    return copied.some(isLost) ? await this.#restoreKeys() : found
  }

  /** Writes known keys to Redis unless Redis has newer ones, then reads all keys. */
  async #restoreKeys(): Promise<KeyChanges | undefined> {
    const known = await this.#knownKeys()
    if (known.length > 0) {
      const put = await this.#keys.put(known)
      this.log(`hsapi: keys were missing or older in Redis; ${put} were written back; all stay in force`, 'warning')
    }
    return (await this.#keys.since()) as KeyChanges | undefined
  }

  async #takeAndLog(found: KeyChanges): Promise<void> {
    const { records, areAll } = found
    const added = areAll ? 0 : records.filter(({ id }) => this.#gate.slotOf(id) === NO_SLOT).length
    await this.#take(found)
    const line = areAll
      ? `hsapi: keys read again from Redis: all ${records.length}`
      : readAgainMessage('Redis', added, records.length - added, 0)
    if (line !== undefined && !this.#isOwnChange) this.log(line)
    if (records.length > 0) this.#isOwnChange = false
  }

  async #take({ version, records, areAll }: KeyChanges): Promise<void> {
    if (areAll) {
      await this.#removeOthers(records)
      this.#mustCopyAll = true
      this.#uncopied = new Map()
    }
    const rejected = await setInSlices(this.#gate, records, record => this.#gate.setKey(record), this.#publish)
    if (rejected.length > 0) this.log(noRoomMessage(rejected.length, 'Redis'), 'error')
    for (const record of records) this.#uncopied.set(record.id, record)
    this.#version = version
  }

  async #removeOthers(records: readonly KeyRecord[]): Promise<void> {
    const kept = new Set(records.map(({ id }) => this.#gate.slotOf(id)))
    const gone: number[] = []
    for (let slot = 0; slot < this.#gate.slots; slot++) if (this.#gate.isInForce(slot) && !kept.has(slot)) gone.push(slot)
    await removeInSlices(gone, slot => this.#gate.removeKey(slot), this.#publish)
  }

  async #knownKeys(): Promise<KeyRecord[]> {
    const uncopied = new Map(this.#uncopied)
    const known = this.#mustCopyAll ? [] : ((await this.#copy.read()) ?? [])
    for (const [i, { id }] of known.entries()) {
      if (i % SLICE_WORK === SLICE_WORK - 1) await nextTurn()
      const record = uncopied.get(id)
      if (record !== undefined) known[i] = record
      uncopied.delete(id)
    }
    for (const record of uncopied.values()) known.push(record)
    return known
  }

  async #updateCopy(): Promise<void> {
    if (this.#uncopied.size === 0 && !this.#mustCopyAll) return
    const everyMs = this.#gate.slots > MANY_KEYS ? COPY_MANY_MS : COPY_MS
    if (Date.now() - this.#copiedAt < everyMs) return
    this.#copiedAt = Date.now()
    try {
      const known = await this.#knownKeys()
      await this.#copy.replace(known)
      this.#uncopied = new Map()
      this.#mustCopyAll = false
      this.#isCopyFailing = false
    } catch (error) {
      if (!this.#isCopyFailing)
        this.log(`hsapi: the local copy of the keys in Redis cannot be written: ${(error as Error).message}`, 'warning')
      this.#isCopyFailing = true
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.checkForChanges()
    this.#copiedAt = 0
    if (!this.#isCopyFailing) await this.#updateCopy()
    this.connection.close()
    this.subscriber.close()
  }
}
