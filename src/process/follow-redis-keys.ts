/**
 * Keys that live in Redis: a message tells of a change, and a look every second makes up for one that was lost. What was
 * read stays in force while Redis is away, and a copy in the data directory serves a start without it.
 */
import { type Clock, isoSeconds } from '../clock.js'
import type { Gate } from '../gate/gate.js'
import { KeyFile } from '../gate/key-file.js'
import type { KeyRecord, MadeKey } from '../gate/key-record.js'
import { KeyRegister } from '../gate/key-register.js'
import { SLICE_KEYS, SLICE_PLACES, turn } from '../gate/slices.js'
import { NO_SLOT } from '../gate/slot-table.js'
import { RedisConnection, type RedisOptions } from '../redis/connection.js'
import { RedisKeys } from '../redis/keys.js'
import { FIRST_KEY } from './first-key.js'
import type { KeySource } from './key-source.js'
import type { Log } from './log.js'

const POLL_MS = 1_000
/** The copy is written so long after a change; with many keys, which take long, more seldom. */
const COPY_MS = 1_000
const COPY_MANY_MS = 30_000
const MANY = 10_000
const COPY_NAME = 'keys-of-redis.json'
/** How long a start waits for Redis. */
const FIRST_MS = 1_000

export class RedisKeyFollower implements KeySource {
  readonly #connection: RedisConnection
  readonly #subscriber: RedisConnection
  readonly #keys: RedisKeys
  readonly #copy: KeyFile
  readonly #clock: Clock
  readonly #log: Log
  #gate!: Gate
  #tell: (slots: number[]) => void = () => {}
  #version = 0
  #uncopied: KeyRecord[] = []
  #mustCopyAll = false
  #count = 0
  #copiedAt = 0
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #isFailing = false

  private constructor(
    connection: RedisConnection,
    subscriber: RedisConnection,
    directory: string,
    clock: Clock,
    log: Log,
  ) {
    this.#connection = connection
    this.#subscriber = subscriber
    this.#keys = new RedisKeys(connection)
    this.#copy = new KeyFile(directory, COPY_NAME)
    this.#clock = clock
    this.#log = log
  }

  static async open(
    options: RedisOptions,
    directory: string,
    clock: Clock,
    log: Log,
  ): Promise<RedisKeyFollower> {
    const connection = await RedisConnection.open(options, () => {})
    const subscriber = await RedisConnection.open(options, () => {})
    const deadline = Date.now() + FIRST_MS
    while (!connection.isReady && Date.now() < deadline) await new Promise(done => setTimeout(done, 10))
    return new RedisKeyFollower(connection, subscriber, directory, clock, log)
  }

  async keysAtMost(): Promise<number> {
    const copied = await this.#copy.keysAtMost()
    return Math.max(copied, this.#connection.isReady ? await this.#keys.count().catch(() => 0) : 0)
  }

  /** The first keys: from Redis or, where it is away, from the copy. False where there are none at all. */
  async load(gate: Gate): Promise<boolean> {
    this.#gate = gate
    try {
      const found = await this.#keys.since(0)
      if (found === undefined) return false
      await this.#take(found.records)
      this.#note(found.version, found.records, true)
    } catch (error) {
      this.#isFailing = true
      gate.hasKeys = await new KeyRegister(gate).load(this.#copy)
      const how = gate.hasKeys ? 'those of the last time are in force' : 'keyed requests get 503 until then'
      this.#log(`hsapi: the keys in Redis cannot be read; ${how}: ${(error as Error).message}`)
    }
    return true
  }

  start(tell: (slots: number[]) => void): void {
    this.#tell = tell
    this.#timer = setInterval(() => void this.look(), POLL_MS)
    const subscribe = () =>
      this.#subscriber.subscribe(this.#keys.channel, () => void this.look()).catch(() => {})
    this.#subscriber.onReady(subscribe)
    if (this.#subscriber.isReady) void subscribe()
  }

  async createFirst(): Promise<MadeKey | undefined> {
    return this.#keys.createFirst(FIRST_KEY, isoSeconds(this.#clock.now()))
  }

  /** One look at a time; a change during one is seen by the next. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look())
    return this.#looking
  }

  async #look(): Promise<void> {
    try {
      const found = await this.#keys.since(this.#version)
      if (this.#isFailing) this.#log('hsapi: the keys in Redis are read again')
      this.#isFailing = false
      if (found === undefined) return this.#missing()
      if (found.areAll) await this.#removeOthers(found.records)
      await this.#take(found.records)
      if (!this.#gate.hasKeys) {
        this.#gate.hasKeys = true
        this.#tell([])
      }
      this.#note(found.version, found.records, found.areAll)
      await this.#copySome()
    } catch (error) {
      if (!this.#isFailing)
        this.#log(`hsapi: the keys in Redis cannot be read; those in force stay: ${(error as Error).message}`)
      this.#isFailing = true
    }
  }

  /** None there: as with a key file that is gone, that is no reason to shut everyone out. */
  #missing(): void {
    if (this.#version > 0) this.#log('hsapi: the keys are gone from Redis; those read before stay in force')
    this.#version = 0
  }

  #note(version: number, records: readonly KeyRecord[], areAll: boolean): void {
    this.#version = version
    if (areAll) {
      this.#mustCopyAll = true
      this.#uncopied = []
      this.#count = records.length
    }
    for (const record of records) this.#uncopied.push(record)
  }

  async #take(records: readonly KeyRecord[]): Promise<void> {
    let withoutRoom = 0
    for (let i = 0; i < records.length; i += SLICE_KEYS) {
      const some = records.slice(i, i + SLICE_KEYS)
      while (!this.#gate.makeRoom(some.length, SLICE_PLACES)) await turn()
      const slots = some.map(record => this.#gate.setKey(record))
      withoutRoom += slots.filter(slot => slot === NO_SLOT).length
      this.#tell(slots.filter(slot => slot !== NO_SLOT))
      await turn()
    }
    if (withoutRoom > 0)
      this.#log(`hsapi: ${withoutRoom} new keys are not in force: restart the server to make room for them`)
  }

  async #removeOthers(records: readonly KeyRecord[]): Promise<void> {
    const kept = new Set(records.map(({ id }) => this.#gate.slotOf(id)))
    const gone: number[] = []
    for (let slot = 0; slot < this.#gate.slots; slot++)
      if (this.#gate.isInForce(slot) && !kept.has(slot)) gone.push(slot)
    for (let i = 0; i < gone.length; i += SLICE_KEYS) {
      const slots = gone.slice(i, i + SLICE_KEYS)
      for (const slot of slots) this.#gate.removeKey(slot)
      this.#tell(slots)
      await turn()
    }
  }

  async #copySome(): Promise<void> {
    const everyMs = this.#count > MANY ? COPY_MANY_MS : COPY_MS
    if (this.#uncopied.length === 0 && !this.#mustCopyAll) return
    if (Date.now() - this.#copiedAt < everyMs) return
    const records = this.#uncopied
    const areAll = this.#mustCopyAll
    this.#uncopied = []
    this.#mustCopyAll = false
    this.#copiedAt = Date.now()
    if (areAll) await this.#copy.replace(records)
    else await this.#copy.put(records)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
    this.#copiedAt = 0
    await this.#copySome().catch(() => {})
    this.#connection.close()
    this.#subscriber.close()
  }
}
