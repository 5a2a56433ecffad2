/** Who may pass. One key lookup and one quota decision a request, on typed arrays, without waiting. */
import { DAY_MS, utcDay } from '../clock.js'
import { Counters } from './counters.js'
import { checksumOf, hashKey, KEY_CHARS_MAX } from './key.js'
import type { KeyRecord } from './key-file.js'
import { type Limits, TIERS } from './tiers.js'
import type { Usage } from './usage-store.js'

export const MINUTE_MS = 60_000
/** Threads read their clocks at slightly different moments: so far ahead of ours a minute may begin. */
const CLOCKS_APART_MS = 1_000

export enum Verdict {
  Admitted,
  MissingKey,
  InvalidKey,
  ExpiredKey,
  OverLimit,
}

const NO_SLOT = -1
const FIRST_SLOTS = 64

/** A day such as 2026-12-31 is good to its last millisecond, UTC. */
function expiryMs(day: string | null): number {
  return day === null ? Number.POSITIVE_INFINITY : Date.parse(`${day}T00:00:00Z`) + DAY_MS
}

export class Gate {
  /** Slots never move: a key keeps its counters through every reload of the key file. */
  readonly #slotOfId = new Map<string, number>()
  readonly #ids: string[] = []
  #slotOfHash = new Map<string, number>()
  /** Checksums of the keys in force: a look at these settles most bad keys. */
  #checksums = new Set<string>()
  /** Keys that were hashed and found before. Only good keys get in, so it cannot outgrow the key file. */
  #slotOfKey = new Map<string, number>()
  #limitMinute = new Uint32Array(FIRST_SLOTS)
  #limitDay = new Uint32Array(FIRST_SLOTS)
  #expiresMs = new Float64Array(FIRST_SLOTS)
  #counters: Counters

  /** The figures for the last request, as its headers show them. */
  readonly shown = { limitMinute: 0, remainingMinute: 0, limitDay: 0, remainingDay: 0 }
  /** After OverLimit: whole seconds until the exhausted window opens again. */
  retryAfterSeconds = 0

  /** Threads that share counters must be told of the same keys in the same order, so that their slots agree. */
  constructor(counters: Counters = Counters.alone(FIRST_SLOTS)) {
    this.#counters = counters
  }

  #grow(size: number): void {
    if (size > this.#counters.capacity) {
      if (this.#counters.isShared)
        throw new Error('more keys than there is shared memory for; restart the server')
      this.#counters = this.#counters.grown(size * 2)
    }
    if (size <= this.#limitMinute.length) return
    const wider = <T extends Uint32Array | Float64Array>(old: T): T => {
      const Type = old.constructor as new (length: number) => T
      const grown = new Type(size * 2)
      grown.set(old)
      return grown
    }
    this.#limitMinute = wider(this.#limitMinute)
    this.#limitDay = wider(this.#limitDay)
    this.#expiresMs = wider(this.#expiresMs)
  }

  #slot(id: string): number {
    let slot = this.#slotOfId.get(id)
    if (slot === undefined) {
      slot = this.#ids.length
      this.#grow(slot + 1)
      this.#ids.push(id)
      this.#slotOfId.set(id, slot)
    }
    return slot
  }

  /** Takes over the key file's content; counters of known keys go on. */
  setKeys(records: readonly KeyRecord[]): void {
    const slotOfHash = new Map<string, number>()
    const checksums = new Set<string>()
    for (const record of records) {
      if (record.revoked_at !== null) continue
      const slot = this.#slot(record.id)
      const tier: Limits = TIERS[record.tier]
      this.#limitMinute[slot] = record.per_minute ?? tier.perMinute
      this.#limitDay[slot] = record.per_day ?? tier.perDay
      this.#expiresMs[slot] = expiryMs(record.expires_at)
      slotOfHash.set(record.hash, slot)
      checksums.add(record.checksum)
    }
    this.#slotOfHash = slotOfHash
    this.#checksums = checksums
    this.#slotOfKey = new Map()
  }

  /** Gives slots to keys in this order, without touching their counts. */
  nameSlots(ids: readonly string[]): void {
    for (const id of ids) this.#slot(id)
  }

  restore(usage: readonly Usage[]): void {
    for (const { keyId, day, dayCount, minuteStartMs, minuteCount } of usage) {
      const slot = this.#slot(keyId)
      const counters = this.#counters
      counters.day[slot] = day
      counters.dayCount[slot] = dayCount
      counters.minuteStartMs[slot] = minuteStartMs
      counters.minuteCount[slot] = minuteCount
    }
  }

  /** Counts worth keeping, if any changed since the last call. */
  takeUsage(nowMs: number): Usage[] | undefined {
    const counters = this.#counters
    if (!counters.takeChanged()) return undefined
    const today = utcDay(nowMs)
    const usage: Usage[] = []
    this.#ids.forEach((keyId, slot) => {
      const day = counters.day[slot] as number
      if (day < today) return
      counters.take(slot)
      usage.push({
        keyId,
        day,
        dayCount: counters.dayCount[slot] as number,
        minuteStartMs: counters.minuteStartMs[slot] as number,
        minuteCount: counters.minuteCount[slot] as number,
      })
      counters.release(slot)
    })
    return usage
  }

  /** The save failed: try again with the next one. */
  keepUsage(): void {
    this.#counters.markChanged()
  }

  #find(key: string): number {
    const known = this.#slotOfKey.get(key)
    if (known !== undefined) return known
    if (key.length > KEY_CHARS_MAX || !this.#checksums.has(checksumOf(key))) return NO_SLOT
    const slot = this.#slotOfHash.get(hashKey(key))
    if (slot === undefined) return NO_SLOT
    this.#slotOfKey.set(key, slot)
    return slot
  }

  /** Without a valid key: the Free tier, untouched. */
  showFree(): void {
    this.shown.limitMinute = TIERS.free.perMinute
    this.shown.remainingMinute = TIERS.free.perMinute
    this.shown.limitDay = TIERS.free.perDay
    this.shown.remainingDay = TIERS.free.perDay
  }

  /** A request with a key: `shown` is set in every case, and the request is counted when admitted. */
  admit(key: string, nowMs: number): Verdict {
    return this.#decide(key, nowMs, 1)
  }

  /** As `admit`, but charges nothing: for what needs no key yet shows the figures of one. */
  peek(key: string, nowMs: number): void {
    this.#decide(key, nowMs, 0)
  }

  #decide(key: string, nowMs: number, charge: 0 | 1): Verdict {
    this.showFree()
    if (key === '') return Verdict.MissingKey
    const slot = this.#find(key)
    if (slot === NO_SLOT) return Verdict.InvalidKey
    if (nowMs >= (this.#expiresMs[slot] as number)) return Verdict.ExpiredKey

    const limitMinute = this.#limitMinute[slot] as number
    const limitDay = this.#limitDay[slot] as number
    const counters = this.#counters
    const today = utcDay(nowMs)
    counters.take(slot)
    const minuteStartMs = counters.minuteStartMs[slot] as number
    // a clock that was set back must not lock a key out: a window that starts in the future is over
    const inMinute = nowMs < minuteStartMs + MINUTE_MS && nowMs >= minuteStartMs - CLOCKS_APART_MS
    let minuteCount = inMinute ? (counters.minuteCount[slot] as number) : 0
    let dayCount = counters.day[slot] === today ? (counters.dayCount[slot] as number) : 0
    const room = minuteCount < limitMinute && dayCount < limitDay
    if (charge === 1 && room) {
      if (!inMinute) counters.minuteStartMs[slot] = nowMs
      counters.day[slot] = today
      counters.minuteCount[slot] = ++minuteCount
      counters.dayCount[slot] = ++dayCount
      counters.markChanged()
    }
    counters.release(slot)
    const shown = this.shown
    shown.limitMinute = limitMinute
    shown.limitDay = limitDay
    shown.remainingMinute = minuteCount < limitMinute ? limitMinute - minuteCount : 0
    shown.remainingDay = dayCount < limitDay ? limitDay - dayCount : 0
    if (room) return Verdict.Admitted
    let opensMs = 0
    if (minuteCount >= limitMinute) opensMs = inMinute ? minuteStartMs + MINUTE_MS : nowMs + MINUTE_MS
    if (dayCount >= limitDay) opensMs = Math.max(opensMs, (today + 1) * DAY_MS)
    this.retryAfterSeconds = Math.max(1, Math.ceil((opensMs - nowMs) / 1000))
    return Verdict.OverLimit
  }
}
