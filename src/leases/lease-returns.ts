/** Leases that are not used go back to the store, so that other replicas get them. */
import type { LeaseAccounts } from './lease-accounts.js'

const SWEEP_MS = 1_000
/** For what is returned at the end. */
const CLOSE_MS = 500

export interface LeaseReturnsOptions {
  accounts: LeaseAccounts
  /** The time by the store's clock; undefined while it is not up. */
  storeTime(): number | undefined
  /** Takes a slot's whole lease and sends it back. */
  giveBack(slot: number): Promise<void>
}

export class LeaseReturns {
  readonly #options: LeaseReturnsOptions
  readonly #timer: NodeJS.Timeout
  /** Slots with a lease, and what was left of it at the last sweep. */
  readonly #leased = new Map<number, number>()

  constructor(options: LeaseReturnsOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS)
    this.#timer.unref()
  }

  /** The slot has got a lease. */
  watch(slot: number): void {
    this.#leased.set(slot, -1)
  }

  /** What was not touched since the last sweep, or is of a minute that is over, goes back. */
  #sweep(): void {
    const { accounts, storeTime, giveBack } = this.#options
    const storeMs = storeTime()
    if (storeMs === undefined) return
    for (const [slot, seen] of this.#leased) {
      const left = accounts.leased(slot)
      if (left > 0 && left !== seen && accounts.isInWindow(slot, storeMs)) {
        this.#leased.set(slot, left)
        continue
      }
      this.#leased.delete(slot)
      if (left > 0) void giveBack(slot)
    }
  }

  /** All leases, and what else has to reach the store, as far as there is time for it. */
  async close(unreported: Iterable<number>): Promise<void> {
    clearInterval(this.#timer)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, CLOSE_MS)
    })
    const slots = new Set([...this.#leased.keys(), ...unreported])
    await Promise.race([Promise.all([...slots].map(this.#options.giveBack)), late])
    clearTimeout(timer)
  }
}
