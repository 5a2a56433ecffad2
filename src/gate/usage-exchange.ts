/** What keys spent, handed to a store and settled with what the store says. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isSameMinute, utcDay } from '../clock.js'
import type { KeyIds } from '../keys/key-ids.js'
import { NO_SLOT } from '../keys/key-table.js'
import { type Counters, DAY, DAY_COUNT, MINUTE_COUNT } from '../quotas/counters.js'
import { type Counts, Ledger } from '../quotas/ledger.js'
import type { Spent, Usage } from '../quotas/usage-store.js'
import { isCountedAhead } from '../quotas/windows.js'

const COUNT_MAX = 2 ** 31 - 1

/** How much is done before requests get their turn: a millisecond or two. */
const SLOTS_A_TURN = 65_536
const KEYS_A_TURN = 4_096

/**
 * A key's counts once the store has spoken: what it knows, and on top what was spent here since the last report. `unreported` is
 * all that it did not know before, `sent` the part of that which was reported. A window that it does not know of stays.
 */
function settled(counts: Counts, unreported: Counts, sent: Counts, known: Counts): Counts {
  const after = { ...counts }
  if (known.day === counts.day || isCountedAhead(known.day, counts.day)) {
    const later = known.day > counts.day ? 0 : unreported.dayCount - (sent.day === counts.day ? sent.dayCount : 0)
    after.day = known.day
    after.dayCount = known.dayCount + later
  }
  const inMinute = isSameMinute(known.minuteStartMs, counts.minuteStartMs)
  if (inMinute || known.minuteStartMs > counts.minuteStartMs) {
    const reported = sent.minuteStartMs === counts.minuteStartMs ? sent.minuteCount : 0
    after.minuteStartMs = known.minuteStartMs
    after.minuteCount = known.minuteCount + (inMinute ? unreported.minuteCount - reported : 0)
  }
  return after
}

export class UsageExchange {
  readonly #ids: KeyIds
  readonly #counters: Counters
  readonly #ledger: Ledger

  constructor(ids: KeyIds, counters: Counters) {
    this.#ids = ids
    this.#counters = counters
    this.#ledger = new Ledger(counters.capacity)
  }

  /** Takes over what a store knows, before any request. */
  restore(usage: readonly Usage[]): void {
    for (const counts of usage) {
      const slot = this.#ids.name(counts.keyId)
      if (slot === NO_SLOT) continue
      this.#setCounts(slot, counts)
      this.#counters.used[slot] = 1
      this.#ledger.markReported(slot, counts)
    }
  }

  /**
   * What was spent since the store was last told, if anything: for `UsageStore.exchange`, and `settle` after it. With many
   * keys in use looking at them all takes long, so that requests are let through in between.
   */
  async takeSpent(nowMs: number): Promise<Spent[] | undefined> {
    if (!this.#counters.takeChanged()) return undefined
    const today = utcDay(nowMs)
    const spent: Spent[] = []
    for (let slot = 0; slot < this.#ids.count; ) {
      if (slot > 0) await nextTurn()
      slot = this.#takeSpentOf(slot, Math.min(slot + SLOTS_A_TURN, this.#ids.count), today, spent)
    }
    return spent
  }

  /** Gives where to go on: at `to`, or earlier where much was spent. */
  #takeSpentOf(from: number, to: number, today: number, spent: Spent[]): number {
    const counters = this.#counters
    const used = counters.used.subarray(0, to)
    const enough = spent.length + KEYS_A_TURN
    for (let slot = used.indexOf(1, from); slot >= 0; slot = used.indexOf(1, slot + 1)) {
      const at = counters.at(slot)
      const day = counters.words[at + DAY]
      if (day >= today && this.#ledger.knows(slot, day, counters.words[at + DAY_COUNT])) continue
      const counts = counters.locked(slot, () => {
        const found = this.#countsOf(slot)
        if (found.day < today) used[slot] = 0
        return found
      })
      if (counts.day < today) continue
      const unreported = this.#ledger.unreported(slot, counts)
      if (unreported.dayCount > 0) spent.push({ keyId: this.#ids.id(slot), ...unreported })
      if (spent.length === enough) return slot + 1
    }
    return to
  }

  /** The store took what `takeSpent` gave and says what is true of these keys, in their order. */
  async settle(spent: readonly Spent[], truth: readonly Usage[]): Promise<void> {
    for (const [i, sent] of spent.entries()) {
      if (i > 0 && i % KEYS_A_TURN === 0) await nextTurn()
      const known = truth[i]
      if (known?.keyId !== sent.keyId) throw new Error(`the store answered for ${known?.keyId}, not ${sent.keyId}`)
      const slot = this.#ids.find(sent.keyId)
      this.#counters.locked(slot, () => {
        const counts = this.#countsOf(slot)
        this.#setCounts(slot, settled(counts, this.#ledger.unreported(slot, counts), sent, known))
      })
      this.#ledger.markReported(slot, known)
    }
  }

  /** The exchange failed: the next `takeSpent` gives the same again, and what came since. */
  keepSpent(): void {
    this.#counters.markChanged()
  }

  #countsOf(slot: number): Counts {
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    return {
      day: words[at + DAY],
      dayCount: words[at + DAY_COUNT],
      minuteStartMs: this.#counters.minuteStartMs(slot),
      minuteCount: words[at + MINUTE_COUNT],
    }
  }

  #setCounts(slot: number, { day, dayCount, minuteStartMs, minuteCount }: Counts): void {
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    words[at + DAY] = day
    words[at + DAY_COUNT] = Math.min(dayCount, COUNT_MAX)
    words[at + MINUTE_COUNT] = Math.min(minuteCount, COUNT_MAX)
    this.#counters.startMinute(slot, minuteStartMs)
  }
}
