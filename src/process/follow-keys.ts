import type { KeyFile, KeyRecord } from '../gate/key-file.js'
import type { Log } from './log.js'

/** A change of the key file is seen within this time. Polling a stat also works where file events do not. */
const POLL_MS = 300

/** Re-reads the key file when it changes. One that is damaged or gone is reported, and the keys in force stay. */
export class KeyFollower {
  readonly #file: KeyFile
  readonly #setKeys: (keys: KeyRecord[]) => void
  readonly #log: Log
  /** The stamp of what was last read, or tried to. */
  #seen: string | undefined
  #timer: NodeJS.Timeout | undefined
  #isBusy = false

  /** `readAt` is the stamp taken before the keys in force were read: a change since then is read again, not missed. */
  constructor(file: KeyFile, readAt: string | undefined, setKeys: (keys: KeyRecord[]) => void, log: Log) {
    this.#file = file
    this.#seen = readAt
    this.#setKeys = setKeys
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
      // before reading: what changes while it is read has another stamp and is read again
      this.#seen = stamp
      const keys = await this.#file.read()
      if (keys === undefined)
        this.#log(`hsapi: ${this.#file.path} is gone; the keys read before stay in force`)
      else this.#setKeys(keys)
    } catch (error) {
      this.#log(`hsapi: ${(error as Error).message}; the keys read before stay in force`)
    } finally {
      this.#isBusy = false
    }
  }
}
