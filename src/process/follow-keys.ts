import type { KeyRegister } from '../gate/key-register.js'
import { DamagedKeyFile, type KeyFile } from '../keys/key-file.js'
import type { Log } from './log.js'

/** A change of the key file is seen within this time. Polling a stat also works where file events do not. */
const POLL_MS = 300

function noRoom(keys: number, path: string): string {
  const which = keys === 1 ? `1 new key in ${path} is` : `${keys} new keys in ${path} are`
  return `hsapi: ${which} not in force: all slots for keys are taken; restart the server to make room`
}

/** Re-reads the key file when it changes. One that is damaged or gone is reported, and the keys in force stay. */
export class KeyFollower {
  readonly #file: KeyFile
  readonly #register: KeyRegister
  readonly #tell: (slots: number[]) => void
  readonly #log: Log
  /** The stamp of what was last read. */
  #seen: string | undefined
  /** Why it cannot be read, as the log was told. */
  #failure: string | undefined
  #timer: NodeJS.Timeout | undefined
  #isBusy = false

  /**
   * `readAt` is the stamp taken before the keys in force were read: a change since then is read again, not missed. `tell` is
   * for other threads: it hears which slots were changed.
   */
  constructor(file: KeyFile, readAt: string | undefined, register: KeyRegister, tell: (slots: number[]) => void, log: Log) {
    this.#file = file
    this.#seen = readAt
    this.#register = register
    this.#tell = tell
    this.#log = log
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), POLL_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async look(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      const stamp = await this.#file.stamp()
      if (stamp === this.#seen) return
      await this.#read()
      // taken before reading: what changed meanwhile has another one and is read again
      this.#seen = stamp
      this.#succeed()
    } catch (error) {
      this.#fail(error as Error)
    } finally {
      this.#isBusy = false
    }
  }

  /** Rejects where the file could not be read, and may be at the next look. */
  async #read(): Promise<void> {
    try {
      const difference = await this.#register.compare(this.#file)
      if (difference === undefined) {
        this.#log(`hsapi: ${this.#file.path} is gone; the keys read before stay in force`)
        return
      }
      const withoutRoom = await this.#register.apply(difference, this.#tell)
      if (withoutRoom > 0) this.#log(noRoom(withoutRoom, this.#file.path))
    } catch (error) {
      if (!(error instanceof DamagedKeyFile)) throw error
      this.#log(`hsapi: ${error.message}; the keys read before stay in force`)
    }
  }

  #fail({ message }: Error): void {
    if (message !== this.#failure) this.#log(`hsapi: ${message}; the keys read before stay in force`)
    this.#failure = message
  }

  #succeed(): void {
    if (this.#failure !== undefined) this.#log(`hsapi: ${this.#file.path} is read again`)
    this.#failure = undefined
  }
}
