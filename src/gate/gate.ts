import { utcDay } from '../clock.js'
import { KeyIds } from '../keys/key-ids.js'
import { type KeyRecord, limitsOf } from '../keys/key-record.js'
import { type KeyBatch, KeyTable, NO_SLOT } from '../keys/key-table.js'
import type { LeaseDesk } from '../leases/lease-desk.js'
import { Counters, LAST_DAY, LIMIT_DAY, LIMIT_MINUTE } from '../quotas/counters.js'
import { type Limits, TIERS, UNLIMITED } from '../quotas/tiers.js'
import { Verdict } from '../quotas/verdict.js'
import type { Waiter } from '../quotas/waiting-requests.js'
import { type Figures, Windows } from '../quotas/windows.js'
import type { Guests } from './guests.js'
import { UsageExchange } from './usage-exchange.js'

/** For a gate on its own; a server reserves as many as its keys may ever need. */
const SLOTS_DEFAULT = 4_096

/** Stands for all guests. */
const GUEST_SLOT = -2
/** What they are called in place of a key's id, which has ten characters. */
const GUEST_ID = 'explorer'

const NEVER_DAY = 2 ** 31 - 1

/** A day such as 2026-12-31 is good to its last millisecond, UTC. */
function lastDay(day: string | null): number {
  return day === null ? NEVER_DAY : Math.max(0, utcDay(Date.parse(`${day}T00:00:00Z`)))
}

/** Of whom something was decided, and the figures at that time. */
export interface Decided {
  slot: number
  figures: Figures
}

export class Gate {
  /** Slots never move: a key keeps its counters through every change of the key file. */
  readonly #ids: KeyIds
  readonly #keys: KeyTable
  readonly #counters: Counters
  /** What was counted here and what the store knows of it. */
  readonly usage: UsageExchange

  readonly #windows: Windows
  /** The figures for the last request, as its headers show them. */
  readonly shown: Figures
  /** Without keys nobody can be told that theirs is unknown. */
  hasKeys = true
  readonly #desk: LeaseDesk | undefined
  #waitingSlot = 0
  /** Of the last request that was decided on. */
  #decidedSlot = NO_SLOT
  /** Ids by slot, in threads that did not name them and have no desk that knows them. */
  readonly #told: string[] = []
  /** Whether other threads are to know ids. */
  tellsIds: boolean
  #waitingCharge = 0

  /**
   * Of threads that share counters the first gives slots to keys and tells the others, see `batchOf`. With a desk, requests
   * are admitted from what a store shared by several processes has set aside.
   */
  constructor(counters: Counters = Counters.alone(SLOTS_DEFAULT), desk?: LeaseDesk) {
    this.#counters = counters
    this.#desk = desk
    this.#windows = new Windows(counters, desk)
    this.shown = this.#windows.shown
    this.tellsIds = desk !== undefined
    this.#ids = new KeyIds(counters.capacity)
    this.#keys = new KeyTable(counters.capacity)
    this.usage = new UsageExchange(this.#ids, counters)
  }

  /** How many slots there are. */
  get capacity(): number {
    return this.#counters.capacity
  }

  /** Slots that keys have, or had: all below this number. */
  get slots(): number {
    return this.#ids.count
  }

  /** The slot of a key that was ever known here, or NO_SLOT. */
  slotOf(id: string): number {
    return this.#ids.find(id)
  }

  /** Keys in force. */
  get keyCount(): number {
    return this.#keys.inCount
  }

  isInForce(slot: number): boolean {
    return this.#keys.has(slot)
  }

  /** Before so many new keys: widens tables by at most `atOnce` places, true once that is done. Requests go on. */
  makeRoom(more: number, atOnce: number): boolean {
    return this.#ids.makeRoom(more, atOnce) && this.#keys.makeRoom(more, atOnce)
  }

  /** What the key file says of a key; its counts go on. NO_SLOT where there is no room for another key. */
  setKey(record: KeyRecord): number {
    const slot = this.#ids.name(record.id)
    if (slot === NO_SLOT) return NO_SLOT
    this.#desk?.name(slot, record.id)
    if (record.revoked_at !== null) {
      this.#keys.remove(slot)
      return slot
    }
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    const { perMinute, perDay } = limitsOf(record)
    words[at + LIMIT_MINUTE] = perMinute
    words[at + LIMIT_DAY] = perDay
    const last = lastDay(record.expires_at)
    words[at + LAST_DAY] = record.unlimited ? ~last : last
    this.#keys.put(slot, record.checksum, record.hash)
    return slot
  }

  removeKey(slot: number): void {
    this.#keys.remove(slot)
  }

  /** Takes over all keys at once; a server that follows its key file goes by differences, see `KeyRegister`. */
  setKeys(records: readonly KeyRecord[]): void {
    const named = new Set(records.map(record => this.setKey(record)))
    if (named.has(NO_SLOT)) throw new Error(`there is room for ${this.capacity} keys only`)
    for (let slot = 0; slot < this.slots; slot++) if (!named.has(slot)) this.removeKey(slot)
  }

  /** What threads that share the counters need to be told of these slots. */
  batchOf(slots: readonly number[]): KeyBatch {
    const batch = this.#keys.batchOf(slots)
    if (this.tellsIds) batch.ids = Array.from(batch.slots, slot => this.#ids.id(slot))
    return batch
  }

  /** The same of all keys in force, for a thread that begins. */
  inForce(): KeyBatch {
    const slots: number[] = []
    for (let slot = 0; slot < this.slots; slot++) if (this.isInForce(slot)) slots.push(slot)
    return this.batchOf(slots)
  }

  takeBatch(batch: KeyBatch): void {
    this.hasKeys = true
    this.#keys.take(batch)
    batch.ids?.forEach((id, i) => {
      const slot = batch.slots[i]
      if (this.#desk === undefined) this.#told[slot] = id
      else this.#desk.name(slot, id)
    })
  }

  /** After OverLimit: whole seconds until the exhausted window opens again. */
  get retryAfterSeconds(): number {
    return this.#windows.retryAfterSeconds
  }

  /** What was decided of a guest, who has no key here. */
  showGuest({ shown, retryAfterSeconds }: Guests): void {
    Object.assign(this.shown, shown)
    this.#windows.retryAfterSeconds = retryAfterSeconds
    this.#decidedSlot = GUEST_SLOT
  }

  /** The last decision, for a request that is answered after others: see `show`. */
  get decided(): Decided {
    return { slot: this.#decidedSlot, figures: { ...this.shown } }
  }

  show({ slot, figures }: Decided): void {
    this.#decidedSlot = slot
    Object.assign(this.shown, figures)
  }

  /** Without a valid key: the Free tier, untouched. */
  showFree(): void {
    this.#decidedSlot = NO_SLOT
    this.#showUntouched(TIERS.free)
  }

  #showUntouched({ perMinute, perDay }: Limits): void {
    this.shown.limitMinute = perMinute
    this.shown.remainingMinute = perMinute
    this.shown.limitDay = perDay
    this.shown.remainingDay = perDay
    this.shown.minuteEndMs = 0
    this.shown.dayEndMs = 0
  }

  /**
   * A request with a key: `shown` is set in every case but Waiting, and the request is counted when admitted,
   * as so many where it stands for several: all of them or none.
   */
  admit(key: string, nowMs: number, requests = 1): Verdict {
    return this.#decide(key, nowMs, requests)
  }

  /** As `admit`, but charges nothing: for what needs no key yet shows the figures of one. */
  peek(key: string, nowMs: number): Verdict {
    return this.#decide(key, nowMs, 0)
  }

  /**
   * After Waiting: `decided` hears the verdict later, with `shown` set for it. Not where the waiter is cancelled first.
   */
  wait(decided: (verdict: Verdict) => void): Waiter {
    const slot = this.#waitingSlot
    return (this.#desk as LeaseDesk).wait(slot, this.#waitingCharge, (settled, charge, nowMs) => {
      this.#decidedSlot = slot
      decided(this.isInForce(slot) ? this.#afterWaiting(slot, settled, charge, nowMs) : this.#refuse(Verdict.InvalidKey))
    })
  }

  #afterWaiting(slot: number, settled: Verdict | undefined, charge: number, nowMs: number): Verdict {
    return settled === undefined ? this.#windows.count(slot, nowMs, charge) : this.#show(slot, nowMs, settled)
  }

  #refuse(verdict: Verdict): Verdict {
    this.showFree()
    return verdict
  }

  /** Whose request was decided on last; '' where its key is not known. */
  get keyId(): string {
    const slot = this.#decidedSlot
    if (slot < 0) return slot === GUEST_SLOT ? GUEST_ID : ''
    if (slot < this.#ids.count) return this.#ids.id(slot)
    return this.#desk?.idOf(slot) ?? this.#told[slot] ?? ''
  }

  #decide(key: string, nowMs: number, charge: number): Verdict {
    this.#decidedSlot = NO_SLOT
    if (key === '') return this.#refuse(this.hasKeys ? Verdict.MissingKey : Verdict.NoKeys)
    const slot = this.#keys.find(key)
    if (slot === NO_SLOT) return this.#refuse(this.hasKeys ? Verdict.InvalidKey : Verdict.NoKeys)
    this.#decidedSlot = slot
    if (utcDay(nowMs) > this.#counters.words[this.#counters.at(slot) + LAST_DAY]) return this.#beyondLastDay(slot, nowMs)
    const desk = this.#desk
    if (desk === undefined) return this.#windows.count(slot, nowMs, charge)
    const settled = desk.tryLease(slot, nowMs, charge)
    if (settled === undefined) return this.#windows.count(slot, desk.storeTime(nowMs), charge)
    if (settled !== Verdict.Waiting) return this.#show(slot, desk.storeTime(nowMs), settled)
    this.#waitingSlot = slot
    this.#waitingCharge = charge
    return settled
  }

  /**
   * A key without limits comes by here as well, since its last day is kept as a number below zero: other keys are not asked
   * whether they are one. Nothing is counted for it, here or in a store.
   */
  #beyondLastDay(slot: number, nowMs: number): Verdict {
    const last = this.#counters.words[this.#counters.at(slot) + LAST_DAY]
    if (last >= 0 || utcDay(nowMs) > ~last) return this.#refuse(Verdict.ExpiredKey)
    this.#showUntouched(UNLIMITED)
    return Verdict.Admitted
  }

  /** What was decided elsewhere, with the figures as they are now. */
  #show(slot: number, nowMs: number, settled: Verdict): Verdict {
    const seen = this.#windows.count(slot, nowMs, 0)
    if (settled === Verdict.OverLimit && seen === Verdict.Admitted) this.#windows.retryAfterSeconds = 1
    return settled
  }
}
