import type { Clock } from '../clock.js'
import type { Gate } from '../gate/gate.js'
import type { UsageStore } from '../quotas/usage-store.js'
import type { Log } from './log.js'

const SAVE_MS = 1_000

/** Hands counts to their store while requests go on. One exchange at a time; what a failed one held goes with the next. */
export class UsageSaver {
  readonly #store: UsageStore
  readonly #gate: Gate
  readonly #clock: Clock
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #saving: Promise<void> = Promise.resolve()
  #isBusy = false
  /** Saves that failed. */
  failures = 0
  /** What the last save could not write, and why. */
  #unsaved: { requests: number; keys: number; reason: string } | undefined

  constructor(store: UsageStore, gate: Gate, clock: Clock, log: Log) {
    this.#store = store
    this.#gate = gate
    this.#clock = clock
    this.#log = log
  }

  /** Why counts are not being saved; undefined where they are. */
  get problem(): string | undefined {
    return this.#unsaved?.reason
  }

  start(): void {
    this.#timer = setInterval(() => {
      if (!this.#isBusy) void this.save()
    }, SAVE_MS)
  }

  /** Ends with a last exchange; rejects with what was lost, in a sentence. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.save()
    if (this.#unsaved !== undefined) {
      const { requests, keys, reason } = this.#unsaved
      throw new Error(`counts not saved and lost (requests: ${requests}, keys: ${keys}): ${reason}`)
    }
    await this.#store.close()
  }

  /** Where the last one takes longer than the time between two, this one waits for it. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#exchange())
    return this.#saving
  }

  async #exchange(): Promise<void> {
    this.#isBusy = true
    try {
      await this.#handOver()
    } finally {
      this.#isBusy = false
    }
  }

  async #handOver(): Promise<void> {
    const spent = await this.#gate.usage.takeSpent(this.#clock.now())
    if (spent === undefined) return
    try {
      await this.#gate.usage.settle(spent, await this.#store.exchange(spent))
      if (this.#unsaved !== undefined) this.#log('hsapi: usage is being saved again')
      this.#unsaved = undefined
    } catch (error) {
      this.#gate.usage.keepSpent()
      this.failures++
      const reason = (error as Error).message
      if (this.#unsaved === undefined) this.#log(`hsapi: usage cannot be saved: ${reason}`)
      const requests = spent.reduce((total, { dayCount }) => total + dayCount, 0)
      this.#unsaved = { requests, keys: spent.length, reason }
    }
  }
}
