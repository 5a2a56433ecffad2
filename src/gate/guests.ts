/**
 * Explorer visitors without a key. They share one key that exists only in memory. Limits are per address, in a table of fixed
 * size; addresses with the same hash share a slot.
 */
import { timingSafeEqual } from 'node:crypto'
import { fnv1a } from '../fnv1a.js'
import { Counters, LIMIT_DAY, LIMIT_MINUTE } from '../quotas/counters.js'
import type { Limits } from '../quotas/tiers.js'
import type { Verdict } from '../quotas/verdict.js'
import { type Figures, Windows } from '../quotas/windows.js'

export const GUEST_LIMITS: Limits = { perMinute: 600, perDay: 20_000 }

/** Slots for visitors from one machine, and for those of a public site. */
const SLOTS = 1_024
const PUBLIC_SLOTS = 65_536

export class Guests {
  readonly key: string
  readonly #keyBytes: Buffer
  readonly #windows: Windows
  readonly #slots: number
  readonly #salt: string

  /**
   * Threads with the same key and counters share the limits. `salt` keeps outsiders from finding out which addresses share a
   * slot.
   */
  constructor(key: string, counters = Guests.counters(), salt = '') {
    this.key = key
    this.#slots = counters.capacity
    this.#salt = salt
    this.#keyBytes = Buffer.from(key)
    this.#windows = new Windows(counters)
    for (let slot = 0; slot < counters.capacity; slot++) {
      counters.words[counters.at(slot) + LIMIT_MINUTE] = GUEST_LIMITS.perMinute
      counters.words[counters.at(slot) + LIMIT_DAY] = GUEST_LIMITS.perDay
    }
  }

  static counters(isShared = false, isPublic = false): Counters {
    return Counters.create(isPublic ? PUBLIC_SLOTS : SLOTS, isShared)
  }

  get shown(): Figures {
    return this.#windows.shown
  }

  get retryAfterSeconds(): number {
    return this.#windows.retryAfterSeconds
  }

  hasKey(key: string): boolean {
    const bytes = Buffer.from(key)
    return bytes.length === this.#keyBytes.length && timingSafeEqual(bytes, this.#keyBytes)
  }

  /** Counts `requests`, all or none; 0 only sets the figures for the headers. */
  count(address: string, nowMs: number, requests: number): Verdict {
    return this.#windows.count(fnv1a(this.#salt + address) % this.#slots, nowMs, requests)
  }
}
