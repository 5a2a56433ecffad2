import type { Gate } from '../gate/gate.js'
import { KeyRegister } from '../gate/key-register.js'
import type { PublishSlots } from '../gate/key-slices.js'
import { DamagedKeyFile, type KeyFile } from '../keys/key-file.js'
import type { KeyOptions, MadeKey } from '../keys/key-record.js'
import type { Log } from './log.js'
import { oneAtATime } from './one-at-a-time.js'

/** The file is polled with stat, which also works where file events do not. */
const POLL_MS = 300

export function noRoomMessage(keys: number, where: string): string {
  const which = keys === 1 ? `1 new key in ${where} is` : `${keys} new keys in ${where} are`
  return `hsapi: ${which} not in force: all slots for keys are taken; restart the server to make room`
}

/** Returns the line to log; undefined if nothing changed. */
export function readAgainMessage(where: string, added: number, changed: number, removed: number): string | undefined {
  const parts = [`${added} added`, `${changed} changed`, `${removed} removed`]
  return added + changed + removed === 0 ? undefined : `hsapi: keys read again from ${where}: ${parts.join(', ')}`
}

/** Polls between attempts to write the copy after a failure: half a minute. */
const COPY_RETRY_CHECKS = 100

/**
 * Reads the key file again when it changes. If the file is damaged or gone, the keys loaded earlier stay in force; only a
 * starting server reads the copy.
 */
export class KeyFollower {
  #register!: KeyRegister
  #damage: string | undefined
  #copyProblem: string | undefined
  #checksBeforeCopy = 0
  #publish: PublishSlots = () => {}
  #lastStamp: string | undefined
  #failure: string | undefined
  #timer: NodeJS.Timeout | undefined
  /** Set if this server changed the file: such a change is not logged. */
  #isOwnChange = false

  constructor(
    private readonly file: KeyFile,
    private readonly log: Log,
  ) {}

  keysAtMost(): Promise<number> {
    return this.file.keysAtMost()
  }

  get problem(): string | undefined {
    return this.#damage ?? this.#copyProblem
  }

  get isDamaged(): boolean {
    return this.#damage !== undefined
  }

  async load(gate: Gate): Promise<boolean> {
    this.#register = new KeyRegister(gate)
    // take the stamp before reading the file, so that a change during the reading is noticed
    this.#lastStamp = await this.file.stamp()
    try {
      const isLoaded = await this.#register.load(this.file)
      if (isLoaded) await this.#renewCopy()
      return isLoaded || (await this.#loadCopy())
    } catch (error) {
      if (!(error instanceof DamagedKeyFile) || error.path !== this.file.path) throw error
      return this.#loadCopy(error)
    }
  }

  /** Loads the keys of the copy; returns false if both file and copy are missing. */
  async #loadCopy(damage?: DamagedKeyFile): Promise<boolean> {
    const { path, copy } = this.file
    if (copy === undefined) throw damage
    const isLoaded = await this.#register.load(copy).catch(error => {
      throw error instanceof DamagedKeyFile && damage !== undefined ? damage.withoutCopy('damaged') : error
    })
    if (!isLoaded && damage !== undefined) throw damage.withoutCopy('missing')
    if (!isLoaded) return false
    this.#damage = `${damage?.message ?? `${path} is missing`}; started with the keys of its copy, ${copy.path}`
    this.log(`hsapi: ${this.#damage}`, 'error')
    return true
  }

  /** If the copy cannot be written, the server logs a warning and continues without it. */
  async #renewCopy(): Promise<void> {
    try {
      await this.file.renewCopy()
      this.#copyProblem = undefined
    } catch (error) {
      const problem = `the copy of ${this.file.path} cannot be written: ${(error as Error).message}`
      // not compared with the last problem, because the message may contain the random name of a temporary file
      if (this.#copyProblem === undefined) this.log(`hsapi: ${problem}`, 'warning')
      this.#copyProblem = problem
      this.#checksBeforeCopy = COPY_RETRY_CHECKS
    }
  }

  createFirst(options: KeyOptions, now: string): Promise<MadeKey> {
    this.#isOwnChange = true
    return this.file.create(options, now)
  }

  start(publish: PublishSlots): void {
    this.#publish = publish
    this.#timer = setInterval(() => this.checkForChanges(), POLL_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  readonly checkForChanges = oneAtATime(async () => {
    try {
      const stamp = await this.file.stamp()
      if (stamp === this.#lastStamp) {
        if (this.#copyProblem !== undefined && this.#damage === undefined && this.#checksBeforeCopy-- <= 0)
          await this.#renewCopy()
        return
      }
      await this.#read()
      this.#lastStamp = stamp
      if (this.#failure !== undefined) this.log(`hsapi: ${this.file.path} can be read again`)
      this.#failure = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#failure) this.log(`hsapi: ${message}; the keys loaded earlier stay in force`, 'warning')
      this.#failure = message
    }
  })

  /**
   * Applies the changes of the file. Rejects on a temporary error, so that the next poll tries again; a damaged file is only
   * logged.
   */
  async #read(): Promise<void> {
    try {
      const difference = await this.#register.compare(this.file)
      if (difference === undefined) {
        this.#damage = `${this.file.path} is gone; the keys loaded earlier stay in force`
        this.log(`hsapi: ${this.#damage}`, 'warning')
        return
      }
      this.#damage = undefined
      // update the copy before the change takes effect: otherwise a server that starts from the copy could accept a revoked key
      // again
      await this.#renewCopy()
      const withoutRoom = await this.#register.apply(difference, this.#publish)
      const { added, changed, removed } = difference
      const line = readAgainMessage(this.file.path, added.length - withoutRoom, changed.length, removed.length)
      if (line !== undefined && !this.#isOwnChange) this.log(line)
      this.#isOwnChange = false
      if (withoutRoom > 0) this.log(noRoomMessage(withoutRoom, this.file.path), 'error')
    } catch (error) {
      if (!(error instanceof DamagedKeyFile)) throw error
      this.#damage = `${error.message}; the keys loaded earlier stay in force`
      this.log(`hsapi: ${this.#damage}`, 'warning')
    }
  }
}
