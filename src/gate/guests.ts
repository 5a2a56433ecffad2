/**
 * Visitors of the server's own pages where no key is asked of them: all use one key that is made at the start and lives in
 * memory only. Limits are counted by address, in a table that never grows: addresses that fall on one place share it.
 */
import { timingSafeEqual } from 'node:crypto'
import { fnv1a } from '../fnv1a.js'
import { Counters, LIMIT_DAY, LIMIT_MINUTE } from '../quotas/counters.js'
import type { Limits } from '../quotas/tiers.js'
import type { Verdict } from '../quotas/verdict.js'
import { type Figures, Windows } from '../quotas/windows.js'

export const GUEST_LIMITS: Limits = { perMinute: 600, perDay: 20_000 }

const PLACES = 1_024

export class Guests {
  readonly key: string
  readonly #keyBytes: Buffer
  readonly #windows: Windows

  /** Threads that are given the same key and counters decide together. */
  constructor(key: string, counters = Guests.counters()) {
    this.key = key
    this.#keyBytes = Buffer.from(key)
    this.#windows = new Windows(counters)
    for (let place = 0; place < counters.capacity; place++) {
      counters.words[counters.at(place) + LIMIT_MINUTE] = GUEST_LIMITS.perMinute
      counters.words[counters.at(place) + LIMIT_DAY] = GUEST_LIMITS.perDay
    }
  }

  static counters(isShared = false): Counters {
    return isShared ? Counters.shared(PLACES) : Counters.alone(PLACES)
  }

  /** The figures for the last request that was decided on. */
  get shown(): Figures {
    return this.#windows.shown
  }

  get retryAfterSeconds(): number {
    return this.#windows.retryAfterSeconds
  }

  /** In a time that tells nothing about the key. */
  hasKey(key: string): boolean {
    const bytes = Buffer.from(key)
    return bytes.length === this.#keyBytes.length && timingSafeEqual(bytes, this.#keyBytes)
  }

  /** As a gate decides of a key: so many requests from an address, all of them or none; 0 looks and counts nothing. */
  count(address: string, nowMs: number, requests: number): Verdict {
    return this.#windows.count(fnv1a(address) % PLACES, nowMs, requests)
  }
}
