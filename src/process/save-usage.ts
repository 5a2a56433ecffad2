import type { Clock } from '../clock.js'
import type { Gate } from '../gate/gate.js'
import type { UsageFile } from '../quotas/usage-file.js'
import type { Log } from './log.js'
import { oneAtATime } from './one-at-a-time.js'

const SAVE_MS = 1_000

/** Saves counts every second, one write at a time. If a write fails, the next one includes its counts. */
export class UsageSaver {
  readonly #timer: NodeJS.Timeout
  failures = 0
  #unsaved: { requests: number; keys: number; reason: string } | undefined

  constructor(
    private readonly file: UsageFile,
    private readonly gate: Gate,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.#timer = setInterval(this.save, SAVE_MS)
  }

  get problem(): string | undefined {
    return this.#unsaved?.reason
  }

  /** Saves the counts once more; rejects if some were lost. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.save()
    if (this.#unsaved !== undefined) {
      const { requests, keys, reason } = this.#unsaved
      throw new Error(`counts not saved and lost (requests: ${requests}, keys: ${keys}): ${reason}`)
    }
    await this.file.close()
  }

  readonly save = oneAtATime(async () => {
    const spent = await this.gate.usage.takeSpent(this.clock.now())
    if (spent === undefined) return
    try {
      await this.gate.usage.applyStoreCounts(spent, await this.file.exchange(spent))
      if (this.#unsaved !== undefined) this.log('hsapi: usage is being saved again')
      this.#unsaved = undefined
    } catch (error) {
      this.gate.usage.retrySpent()
      this.failures++
      const reason = (error as Error).message
      if (this.#unsaved === undefined) this.log(`hsapi: usage cannot be saved: ${reason}`, 'warning')
      const requests = spent.reduce((total, { dayCount }) => total + dayCount, 0)
      this.#unsaved = { requests, keys: spent.length, reason }
    }
  })
}
