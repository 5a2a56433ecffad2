/** Reports spent requests of keys to a store, and takes over the store's counts. */
import { isSameMinute, utcDay } from '../clock.js'
import type { KeyIds } from '../keys/key-ids.js'
import { NO_SLOT } from '../keys/key-table.js'
import { Counters, DAY, DAY_COUNT, type WindowCounts } from '../quotas/counters.js'
import type { Usage } from '../quotas/usage.js'
import { isCountedAhead } from '../quotas/windows.js'
import { nextTurn } from '../slices.js'

/** Searching this many slots takes one or two milliseconds. */
const SLOTS_PER_TURN = 65_536
const KEYS_PER_TURN = 4_096

/**
 * The store's counts plus the requests spent since `sent` was taken; `unreported` includes `sent`. A window that the store does
 * not know keeps its counts.
 */
function mergedCounts(counts: WindowCounts, unreported: WindowCounts, sent: WindowCounts, stored: WindowCounts): WindowCounts {
  const after = { ...counts }
  if (stored.day === counts.day || isCountedAhead(stored.day, counts.day)) {
    const later = stored.day > counts.day ? 0 : unreported.dayCount - (sent.day === counts.day ? sent.dayCount : 0)
    after.day = stored.day
    after.dayCount = stored.dayCount + later
  }
  const inMinute = isSameMinute(stored.minuteStartMs, counts.minuteStartMs)
  if (inMinute || stored.minuteStartMs > counts.minuteStartMs) {
    const reported = sent.minuteStartMs === counts.minuteStartMs ? sent.minuteCount : 0
    after.minuteStartMs = stored.minuteStartMs
    after.minuteCount = stored.minuteCount + (inMinute ? unreported.minuteCount - reported : 0)
  }
  return after
}

export class UsageExchange {
  /** The counts that were reported; the counters minus these are unreported. */
  readonly #reported: Counters

  constructor(
    private readonly ids: KeyIds,
    private readonly counters: Counters,
  ) {
    this.#reported = Counters.create(counters.capacity)
  }

  #unreported(slot: number, { day, dayCount, minuteStartMs, minuteCount }: WindowCounts): WindowCounts {
    const reported = this.#reported.counts(slot)
    const reportedDay = reported.day === day ? reported.dayCount : 0
    const reportedMinute = reported.minuteStartMs === minuteStartMs ? reported.minuteCount : 0
    return { day, dayCount: dayCount - reportedDay, minuteStartMs, minuteCount: minuteCount - reportedMinute }
  }

  /** Takes over a store's counts at the start, before any request. */
  restore(usage: readonly Usage[]): void {
    for (const counts of usage) {
      const slot = this.ids.slotFor(counts.keyId)
      if (slot === NO_SLOT) continue
      this.counters.setCounts(slot, counts)
      this.counters.used[slot] = 1
      this.#reported.setCounts(slot, counts)
    }
  }

  /** Returns the requests spent since the last report; undefined if nothing changed. Call `applyStoreCounts` afterwards. */
  async takeSpent(nowMs: number): Promise<Usage[] | undefined> {
    if (!this.counters.takeChanged()) return undefined
    const today = utcDay(nowMs)
    const spent: Usage[] = []
    for (let slot = 0; slot < this.ids.count; ) {
      if (slot > 0) await nextTurn()
      slot = this.#takeSpentOf(slot, Math.min(slot + SLOTS_PER_TURN, this.ids.count), today, spent)
    }
    return spent
  }

  /** Returns the slot to continue from: `to`, or an earlier one if many keys have spent requests. */
  #takeSpentOf(from: number, to: number, today: number, spent: Usage[]): number {
    const counters = this.counters
    const reported = this.#reported.words
    const used = counters.used.subarray(0, to)
    const enough = spent.length + KEYS_PER_TURN
    for (let slot = used.indexOf(1, from); slot >= 0; slot = used.indexOf(1, slot + 1)) {
      const at = counters.at(slot)
      const day = counters.words[at + DAY]
      const isReported = reported[at + DAY] === day && reported[at + DAY_COUNT] === counters.words[at + DAY_COUNT]
      if (day >= today && isReported) continue
      const counts = counters.locked(slot, () => {
        const found = counters.counts(slot)
        if (found.day < today) used[slot] = 0
        return found
      })
      if (counts.day < today) continue
      const unreported = this.#unreported(slot, counts)
      if (unreported.dayCount > 0) spent.push({ keyId: this.ids.id(slot), ...unreported })
      if (spent.length === enough) return slot + 1
    }
    return to
  }

  /** Takes over the store's counts of the keys in `spent`, which are in the same order. */
  async applyStoreCounts(spent: readonly Usage[], storeCounts: readonly Usage[]): Promise<void> {
    for (const [i, sent] of spent.entries()) {
      if (i > 0 && i % KEYS_PER_TURN === 0) await nextTurn()
      const stored = storeCounts[i]
      if (stored?.keyId !== sent.keyId) throw new Error(`the store answered for ${stored?.keyId}, not ${sent.keyId}`)
      const slot = this.ids.find(sent.keyId)
      this.counters.locked(slot, () => {
        const counts = this.counters.counts(slot)
        this.counters.setCounts(slot, mergedCounts(counts, this.#unreported(slot, counts), sent, stored))
      })
      this.#reported.setCounts(slot, stored)
    }
  }

  /** After a failed exchange: the next `takeSpent` includes the same requests again. */
  retrySpent(): void {
    this.counters.markChanged()
  }
}
