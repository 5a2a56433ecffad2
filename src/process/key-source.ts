/** Where a server's keys come from, and how it hears of changes. */
import { type Clock, isoSeconds } from '../clock.js'
import type { Gate } from '../gate/gate.js'
import { KeyRegister } from '../gate/key-register.js'
import { KeyFile } from '../keys/key-file.js'
import type { MadeKey } from '../keys/key-record.js'
import type { Config } from '../settings/config.js'
import { FIRST_KEY } from './first-key.js'
import { KeyFollower } from './follow-keys.js'
import { RedisKeyFollower } from './follow-redis-keys.js'
import type { Log } from './log.js'

export interface KeySource {
  /** How many keys there may be, for the room that they need. */
  keysAtMost(): Promise<number>
  /** Puts all keys in force, before any request; false where no key was ever made. */
  load(gate: Gate): Promise<boolean>
  /** Follows changes. `tell` is for other threads: it hears which slots were changed. */
  start(tell: (slots: number[]) => void): void
  /** A key for a first start; undefined where another server was faster. */
  createFirst(): Promise<MadeKey | undefined>
  stop(): Promise<void> | void
}

class FileKeys implements KeySource {
  readonly #file: KeyFile
  readonly #clock: Clock
  readonly #log: Log
  #register: KeyRegister | undefined
  #readAt: string | undefined
  #follower: KeyFollower | undefined

  constructor(directory: string, clock: Clock, log: Log) {
    this.#file = new KeyFile(directory)
    this.#clock = clock
    this.#log = log
  }

  keysAtMost(): Promise<number> {
    return this.#file.keysAtMost()
  }

  async load(gate: Gate): Promise<boolean> {
    this.#register = new KeyRegister(gate)
    // taken before reading: a change in between is then read again, not missed
    this.#readAt = await this.#file.stamp()
    return await this.#register.load(this.#file)
  }

  start(tell: (slots: number[]) => void): void {
    this.#follower = new KeyFollower(this.#file, this.#readAt, this.#register as KeyRegister, tell, this.#log)
    this.#follower.start()
  }

  createFirst(): Promise<MadeKey> {
    return this.#file.create(FIRST_KEY, isoSeconds(this.#clock.now()))
  }

  stop(): void {
    this.#follower?.stop()
  }
}

export async function openKeys({ keys, redis, dataDir }: Config, clock: Clock, log: Log): Promise<KeySource> {
  return keys === 'redis' && redis !== undefined
    ? await RedisKeyFollower.open(redis, dataDir, clock, log)
    : new FileKeys(dataDir, clock, log)
}
