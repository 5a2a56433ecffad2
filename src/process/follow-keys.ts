import type { Gate } from '../gate/gate.js'
import { KeyRegister } from '../gate/key-register.js'
import type { PublishSlots } from '../gate/key-slices.js'
import { DamagedKeyFile, type KeyFile } from '../keys/key-file.js'
import type { KeyOptions, MadeKey } from '../keys/key-record.js'
import type { KeySource } from './key-source.js'
import type { Log } from './log.js'
import { oneAtATime } from './one-at-a-time.js'

/** Polling a stat also works where file events do not. */
const POLL_MS = 300

export function noRoom(keys: number, where: string): string {
  const which = keys === 1 ? `1 new key in ${where} is` : `${keys} new keys in ${where} are`
  return `hsapi: ${which} not in force: all slots for keys are taken; restart the server to make room`
}

/** Keys of which nothing changed are not logged. */
export function readAgain(where: string, added: number, changed: number, removed: number): string | undefined {
  const parts = [`${added} added`, `${changed} changed`, `${removed} removed`]
  return added + changed + removed === 0 ? undefined : `hsapi: keys read again from ${where}: ${parts.join(', ')}`
}

/** Reads the key file again when it changes. If it is damaged or gone, the keys in force stay. */
export class KeyFollower implements KeySource {
  #register!: KeyRegister
  #publish: PublishSlots = () => {}
  #seen: string | undefined
  #failure: string | undefined
  #timer: NodeJS.Timeout | undefined
  /** The file was changed by this server, which need not be logged. */
  #isOwnChange = false

  constructor(
    private readonly file: KeyFile,
    private readonly log: Log,
  ) {}

  keysAtMost(): Promise<number> {
    return this.file.keysAtMost()
  }

  async load(gate: Gate): Promise<boolean> {
    this.#register = new KeyRegister(gate)
    // before reading, so that a change meanwhile is read again
    this.#seen = await this.file.stamp()
    return this.#register.load(this.file)
  }

  createFirst(options: KeyOptions, now: string): Promise<MadeKey> {
    this.#isOwnChange = true
    return this.file.create(options, now)
  }

  start(publish: PublishSlots): void {
    this.#publish = publish
    this.#timer = setInterval(() => this.look(), POLL_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  readonly look = oneAtATime(async () => {
    try {
      const stamp = await this.file.stamp()
      if (stamp === this.#seen) return
      await this.#read()
      this.#seen = stamp
      if (this.#failure !== undefined) this.log(`hsapi: ${this.file.path} is read again`)
      this.#failure = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#failure) this.log(`hsapi: ${message}; the keys read before stay in force`, 'warning')
      this.#failure = message
    }
  })

  /** Rejects if the next attempt may succeed. */
  async #read(): Promise<void> {
    try {
      const difference = await this.#register.compare(this.file)
      if (difference === undefined) {
        this.log(`hsapi: ${this.file.path} is gone; the keys read before stay in force`, 'warning')
        return
      }
      const withoutRoom = await this.#register.apply(difference, this.#publish)
      const { added, changed, gone } = difference
      const line = readAgain(this.file.path, added.length - withoutRoom, changed.length, gone.length)
      if (line !== undefined && !this.#isOwnChange) this.log(line)
      this.#isOwnChange = false
      if (withoutRoom > 0) this.log(noRoom(withoutRoom, this.file.path), 'error')
    } catch (error) {
      if (!(error instanceof DamagedKeyFile)) throw error
      this.log(`hsapi: ${error.message}; the keys read before stay in force`, 'warning')
    }
  }
}
