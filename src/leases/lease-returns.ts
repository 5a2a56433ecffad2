/** Returns unused leases to the store, for other replicas. */
import type { LeaseAccounts } from './lease-accounts.js'

const SWEEP_MS = 1_000
/** How long `close` waits for the store. */
const CLOSE_MS = 500

export interface LeaseReturnsOptions {
  accounts: LeaseAccounts
  /** Undefined while the store is not up. */
  storeTime(): number | undefined
  giveBack(slot: number): Promise<void>
}

export class LeaseReturns {
  readonly #timer: NodeJS.Timeout
  /** The rest of each slot's lease at the last sweep. */
  readonly #leased = new Map<number, number>()

  constructor(private readonly options: LeaseReturnsOptions) {
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS)
    this.#timer.unref()
  }

  watch(slot: number): void {
    this.#leased.set(slot, -1)
  }

  /** Returns leases that were not used since the last sweep, or whose window is over. */
  #sweep(): void {
    const { accounts, storeTime, giveBack } = this.options
    const storeMs = storeTime()
    if (storeMs === undefined) return
    for (const [slot, leftBefore] of this.#leased) {
      const left = accounts.leased(slot)
      if (left > 0 && left !== leftBefore && accounts.isInWindow(slot, storeMs)) {
        this.#leased.set(slot, left)
        continue
      }
      this.#leased.delete(slot)
      if (left > 0) void giveBack(slot)
    }
  }

  /** Returns all leases and reports `unreported`, within CLOSE_MS. */
  async close(unreported: Iterable<number>): Promise<void> {
    clearInterval(this.#timer)
    const slots = new Set([...this.#leased.keys(), ...unreported])
    const late = new Promise(resolve => setTimeout(resolve, CLOSE_MS))
    await Promise.race([Promise.all([...slots].map(this.options.giveBack)), late])
  }
}
