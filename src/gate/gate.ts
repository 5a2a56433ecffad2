import { utcDay } from '../clock.js'
import { KeyIds } from '../keys/key-ids.js'
import { type KeyRecord, limitsOf } from '../keys/key-record.js'
import { type KeyBatch, KeyTable, NO_SLOT } from '../keys/key-table.js'
import { type OldSecretBatch, OldSecrets } from '../keys/old-secrets.js'
import type { LeaseManager } from '../leases/lease-manager.js'
import { Counters, LAST_DAY, LIMIT_DAY, LIMIT_MINUTE } from '../quotas/counters.js'
import type { Decision } from '../quotas/decision.js'
import { type Limits, TIERS, UNLIMITED } from '../quotas/tiers.js'
import { Verdict } from '../quotas/verdict.js'
import type { Waiter } from '../quotas/waiting-requests.js'
import { type Figures, Windows } from '../quotas/windows.js'
import type { Guests } from './guests.js'
import { UsageExchange } from './usage-exchange.js'

const SLOTS_DEFAULT = 4_096

/** All guests of the explorer share this slot. Their id cannot be a key's id, which has ten characters. */
const GUEST_SLOT = -2
const GUEST_ID = 'explorer'

const NO_EXPIRY_DAY = 2 ** 31 - 1

function lastDay(day: string | null): number {
  return day === null ? NO_EXPIRY_DAY : Math.max(0, utcDay(Date.parse(`${day}T00:00:00Z`)))
}

export interface GateBatch extends KeyBatch {
  old?: OldSecretBatch | undefined
}

export class Gate {
  /** Slots never move, so a key keeps its counters through every change to the key file. */
  readonly #ids: KeyIds
  readonly #keys: KeyTable
  /** Created when the first key with an old secret is set. */
  #oldSecrets: OldSecrets | undefined
  readonly #counters: Counters
  readonly usage: UsageExchange

  readonly #windows: Windows
  /** The last decision; the next one overwrites it. */
  readonly decision: Decision
  /** The limits and remaining requests of the last decision, for the response headers. */
  readonly shown: Figures
  /** False if no keys could be loaded yet: until then, no key can be refused as unknown. */
  hasKeys = true
  readonly #leaseManager: LeaseManager | undefined
  #waitingSlot = 0
  /** The ids that the first thread has sent to this worker thread, by slot. */
  readonly #receivedIds: string[] = []
  /** Whether batches for other threads include ids. */
  sendsIds: boolean
  #waitingCharge = 0

  /**
   * The first thread assigns slots and sends them to the others with `batchOf`. With a lease manager, requests are leased from
   * Redis.
   */
  constructor(counters: Counters = Counters.create(SLOTS_DEFAULT), leaseManager?: LeaseManager) {
    this.#counters = counters
    this.#leaseManager = leaseManager
    if (leaseManager !== undefined) leaseManager.idOf = slot => this.idOf(slot)
    this.#windows = new Windows(counters, leaseManager)
    this.shown = this.#windows.shown
    this.decision = { slot: NO_SLOT, figures: this.shown }
    this.sendsIds = leaseManager !== undefined
    this.#ids = new KeyIds(counters.capacity)
    this.#keys = new KeyTable(counters.capacity)
    this.usage = new UsageExchange(this.#ids, counters)
  }

  get capacity(): number {
    return this.#counters.capacity
  }

  /** The number of slots that have or had a key; they are the slots below this number. */
  get slots(): number {
    return this.#ids.count
  }

  slotOf(id: string): number {
    return this.#ids.find(id)
  }

  get keyCount(): number {
    return this.#keys.size
  }

  isInForce(slot: number): boolean {
    return this.#keys.has(slot)
  }

  /** Grows the tables for `more` keys. Touches at most `atOnce` buckets per call; returns true when done. */
  makeRoom(more: number, atOnce: number): boolean {
    const hasRoomForOld = this.#oldSecrets?.makeRoom(more, atOnce) ?? true
    return hasRoomForOld && this.#ids.makeRoom(more, atOnce) && this.#keys.makeRoom(more, atOnce)
  }

  /** Adds or updates a key and keeps its counts. Returns NO_SLOT if all slots are taken. */
  setKey(record: KeyRecord): number {
    const slot = this.#ids.slotFor(record.id)
    if (slot === NO_SLOT) return NO_SLOT
    if (record.revoked_at !== null) {
      this.removeKey(slot)
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
    if (record.previous === undefined) this.#oldSecrets?.remove(slot)
    else this.#ensureOldSecrets().put(slot, record.previous)
    return slot
  }

  #ensureOldSecrets(): OldSecrets {
    this.#oldSecrets ??= new OldSecrets(this.capacity)
    return this.#oldSecrets
  }

  removeKey(slot: number): void {
    this.#keys.remove(slot)
    this.#oldSecrets?.remove(slot)
  }

  /** Returns the state of these slots, for threads that share the counters. */
  batchOf(slots: readonly number[]): GateBatch {
    const batch: GateBatch = this.#keys.batchOf(slots)
    if (this.#oldSecrets !== undefined) batch.old = this.#oldSecrets.batchOf(slots)
    if (this.sendsIds) batch.ids = Array.from(batch.slots, slot => this.#ids.id(slot))
    return batch
  }

  keysInForce(): GateBatch {
    const slots: number[] = []
    for (let slot = 0; slot < this.slots; slot++) if (this.isInForce(slot)) slots.push(slot)
    return this.batchOf(slots)
  }

  takeBatch(batch: GateBatch): void {
    this.hasKeys = true
    this.#keys.take(batch)
    if (batch.old !== undefined) this.#ensureOldSecrets().take(batch.old)
    batch.ids?.forEach((id, i) => {
      this.#receivedIds[batch.slots[i]] = id
    })
  }

  /** After OverLimit: whole seconds until the exhausted window opens again. */
  get retryAfterSeconds(): number {
    return this.#windows.retryAfterSeconds
  }

  showGuest({ shown, retryAfterSeconds }: Guests): void {
    Object.assign(this.shown, shown)
    this.#windows.retryAfterSeconds = retryAfterSeconds
    this.decision.slot = GUEST_SLOT
  }

  /** Without a valid key the headers show an unused Free tier. */
  showFreeTier(): void {
    this.decision.slot = NO_SLOT
    this.#showUnused(TIERS.free)
  }

  #showUnused({ perMinute, perDay }: Limits): void {
    this.shown.limitMinute = perMinute
    this.shown.remainingMinute = perMinute
    this.shown.limitDay = perDay
    this.shown.remainingDay = perDay
    this.shown.minuteEndMs = 0
    this.shown.dayEndMs = 0
  }

  /** Like `admit`, but does not charge. */
  peek(key: string, nowMs: number): Verdict {
    return this.admit(key, nowMs, 0)
  }

  /** After Waiting: sets `shown` and calls `decided` when Redis has replied, unless the waiter was cancelled before. */
  wait(decided: (verdict: Verdict) => void): Waiter {
    const slot = this.#waitingSlot
    return (this.#leaseManager as LeaseManager).wait(slot, this.#waitingCharge, (settled, charge, nowMs) => {
      this.decision.slot = slot
      if (!this.isInForce(slot)) decided(this.#refuse(Verdict.InvalidKey))
      else decided(settled === undefined ? this.#windows.count(slot, nowMs, charge) : this.#show(slot, nowMs, settled))
    })
  }

  #refuse(verdict: Verdict): Verdict {
    this.showFreeTier()
    return verdict
  }

  /** Returns '' if the request had no known key. */
  keyIdOf({ slot }: Decision): string {
    if (slot < 0) return slot === GUEST_SLOT ? GUEST_ID : ''
    return this.idOf(slot)
  }

  idOf(slot: number): string {
    return slot < this.#ids.count ? this.#ids.id(slot) : (this.#receivedIds[slot] ?? '')
  }

  /** Counts `charge` requests, all or none. Sets `shown` unless the verdict is Waiting. */
  admit(key: string, nowMs: number, charge = 1): Verdict {
    this.decision.slot = NO_SLOT
    if (key === '') return this.#refuse(this.hasKeys ? Verdict.MissingKey : Verdict.NoKeys)
    const found = this.#keys.find(key)
    const slot = found === NO_SLOT && this.#oldSecrets !== undefined ? this.#oldSecrets.find(key, nowMs) : found
    if (slot === NO_SLOT) return this.#refuse(this.hasKeys ? Verdict.InvalidKey : Verdict.NoKeys)
    this.decision.slot = slot
    if (utcDay(nowMs) > this.#counters.words[this.#counters.at(slot) + LAST_DAY]) return this.#beyondLastDay(slot, nowMs)
    const leaseManager = this.#leaseManager
    if (leaseManager === undefined) return this.#windows.count(slot, nowMs, charge)
    const settled = leaseManager.tryLease(slot, nowMs, charge)
    if (settled === undefined) return this.#windows.count(slot, leaseManager.storeTime(nowMs), charge)
    if (settled !== Verdict.Waiting) return this.#show(slot, leaseManager.storeTime(nowMs), settled)
    this.#waitingSlot = slot
    this.#waitingCharge = charge
    return settled
  }

  /** Unlimited keys also get here: their last day is stored as its complement, so that other keys need no extra check. */
  #beyondLastDay(slot: number, nowMs: number): Verdict {
    const last = this.#counters.words[this.#counters.at(slot) + LAST_DAY]
    if (last >= 0 || utcDay(nowMs) > ~last) return this.#refuse(Verdict.ExpiredKey)
    this.#showUnused(UNLIMITED)
    return Verdict.Admitted
  }

  #show(slot: number, nowMs: number, settled: Verdict): Verdict {
    const verdict = this.#windows.count(slot, nowMs, 0)
    if (settled === Verdict.OverLimit && verdict === Verdict.Admitted) this.#windows.retryAfterSeconds = 1
    return settled
  }
}
