/**
 * Where a thread gets its leases. Requests are admitted from what a store shared by several processes has set aside for
 * this one; where nothing is left, the request waits for the store, for a moment. While the store is away each process
 * decides by its own counts, and tells what it admitted once the store is back.
 *
 * Nothing is ever admitted twice: what is leased is counted in the store before it is spent here. What is lost on the way
 * is lost to the key, not to its limit.
 */
import { DAY_MS, MINUTE_MS, utcDay } from '../clock.js'
import { type Counters, DAY, DAY_COUNT, LEASED, LIMIT_DAY, LIMIT_MINUTE, MINUTE_COUNT } from './counters.js'
import type { Lease, LeaseAsk, LeaseStore, Windows } from './lease-store.js'
import type { LeaseTable } from './lease-table.js'
import { SLICE_KEYS, turn } from './slices.js'
import { Verdict } from './verdict.js'

/** For an answer of the store. */
export const WAIT_MS = 50
/** So often the time that was waited is looked at, and so much of it counts at most: the rest is a stall of ours. */
const TICK_MS = 5
const TICK_MS_MAX = 10
/** Requests that wait at once; beyond, they are decided here. */
const WAITERS_MAX = 10_000
/** Who was refused asks again only after this: others may have given back what they did not use. */
const REFUSED_MS = 250
/** How old figures may be that are shown for nothing. */
const FRESH_MS = 1_000
const AHEAD_FIRST = 8
const AHEAD_MAX = 8_192
/** A key that asks again so soon gets more the next time; one that asks so late gets less. */
const BUSY_MS = 100
const IDLE_MS = 1_000
const SWEEP_MS = 1_000
const PROBE_MS = 250
/** A store that is silent for so long is one that went away without saying so. */
const CLOSE_MS = 500

/** The verdict, or undefined where it has to be found without the store; by the store's clock. */
type Decided = (verdict: Verdict | undefined, charge: number, nowMs: number) => void

export interface Waiter {
  /** For a client that went away. */
  cancel(): void
}

class Waiting implements Waiter {
  isOver = false
  /** The question that it is part of, once that is asked. */
  round: Round | undefined

  constructor(
    readonly slot: number,
    readonly charge: number,
    /** In time that we were awake. */
    readonly deadlineMs: number,
    readonly decided: Decided,
  ) {}

  cancel(): void {
    this.isOver = true
  }
}

/** Whether nothing is left for anyone: several may be refused where one would not be. */
function isFull({ limitMinute, limitDay }: LeaseAsk, { minuteCount, dayCount }: Lease): boolean {
  return minuteCount >= limitMinute || dayCount >= limitDay
}

/** A question to the store, and who waits for its answer. */
interface Round {
  slot: number
  waiters: Waiting[]
  ask: LeaseAsk
  sentMs: number
  /** Requests of it that were admitted without its answer. */
  admittedAlone: number
}

export interface DeskOptions {
  counters: Counters
  table: LeaseTable
  store: LeaseStore
  /** The time, as exact as the system has it. */
  now?: () => number
  /** Told once each time the store goes away or comes back, with the reason. */
  onLost?(reason: string): void
  onBack?(): void
}

export class LeaseDesk {
  readonly #counters: Counters
  readonly #table: LeaseTable
  readonly #store: LeaseStore
  readonly #now: () => number
  readonly #onLost: (reason: string) => void
  readonly #onBack: () => void
  readonly #ids: string[] = []
  /** Waiting for the next turn, when they are asked for together. */
  #unsent = new Map<number, Waiting[]>()
  /** All that wait, the longest waiting first. */
  #queue: Waiting[] = []
  #ticker: NodeJS.Timeout | undefined
  #tickedMs = 0
  /** Time that passed while something waited, without our own stalls. */
  #awakeMs = 0
  #isFlushing = false
  #isAway = false
  #isClosed = false
  #probeTimer: NodeJS.Timeout | undefined
  readonly #sweepTimer: NodeJS.Timeout
  /** Slots with a lease taken here, and what was left of it when last looked at. */
  readonly #leased = new Map<number, number>()
  /** Slots that admitted something the store does not know of. */
  readonly #untold = new Set<number>()
  #spentAlone = 0
  /** The store's clock is at most so far ahead of ours; the best of two spells. */
  #aheadMs = Number.POSITIVE_INFINITY
  #aheadBeforeMs = Number.POSITIVE_INFINITY
  #aheadOfStore = 0

  constructor({ counters, table, store, now = Date.now, onLost = () => {}, onBack = () => {} }: DeskOptions) {
    this.#counters = counters
    this.#table = table
    this.#store = store
    this.#now = now
    this.#onLost = onLost
    this.#onBack = onBack
    this.#sweepTimer = setInterval(() => this.#sweep(), SWEEP_MS)
    this.#sweepTimer.unref()
  }

  get isAway(): boolean {
    return this.#isAway
  }

  name(slot: number, id: string): void {
    this.#ids[slot] = id
  }

  idOf(slot: number): string | undefined {
    return this.#ids[slot]
  }

  /** Never behind the store's own clock, as far as it is known: a lease is given up early rather than late. */
  storeTime(nowMs: number): number {
    return nowMs + this.#aheadOfStore
  }

  /** The verdict; Waiting where the store must be asked; undefined where it cannot be. */
  decide(slot: number, nowMs: number, charge: number): Verdict | undefined {
    const counters = this.#counters
    const { words } = counters
    const at = counters.at(slot)
    if (charge > 0 && (words[at + LEASED] as number) >= charge) {
      counters.take(slot)
      const left = (words[at + LEASED] as number) - charge
      const isGood = left >= 0 && this.#isInWindow(slot, nowMs + this.#aheadOfStore)
      if (isGood) words[at + LEASED] = left
      counters.release(slot)
      if (isGood) {
        if (left < this.#table.low(slot)) this.#askAhead(slot)
        return Verdict.Admitted
      }
    }
    if (this.#isAway || this.#queue.length >= WAITERS_MAX) return undefined
    if (charge > (words[at + LIMIT_MINUTE] as number) || charge > (words[at + LIMIT_DAY] as number))
      return Verdict.OverLimit
    const now = this.#now()
    if (charge === 0 && now - this.#table.askedAt(slot) < FRESH_MS) return Verdict.Admitted
    if (charge > 0 && now < this.#table.refusedUntil(slot)) return Verdict.OverLimit
    return Verdict.Waiting
  }

  #isInWindow(slot: number, storeMs: number): boolean {
    const startMs = this.#counters.minuteStartMs(slot)
    const day = this.#counters.words[this.#counters.at(slot) + DAY] as number
    return storeMs < startMs + MINUTE_MS && utcDay(storeMs) <= day
  }

  /** After Waiting. */
  wait(slot: number, charge: number, decided: Decided): Waiter {
    const waiting = new Waiting(slot, charge, this.#awakeMs + WAIT_MS, decided)
    this.#table.count('waited')
    this.#queue.push(waiting)
    this.#queueUp(waiting)
    this.#watchQueue()
    return waiting
  }

  #queueUp(waiting: Waiting): void {
    const others = this.#unsent.get(waiting.slot)
    if (others === undefined) this.#unsent.set(waiting.slot, [waiting])
    else others.push(waiting)
    this.#flushSoon()
  }

  #askAhead(slot: number): void {
    if (this.#isAway || this.#unsent.has(slot)) return
    // one at a time: the next one goes out once this is answered
    this.#table.setLow(slot, 0)
    this.#unsent.set(slot, [])
    this.#flushSoon()
  }

  /** Whoever asks in the same turn of the event loop asks together. */
  #flushSoon(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    setImmediate(() => {
      this.#isFlushing = false
      const unsent = this.#unsent
      this.#unsent = new Map()
      for (const [slot, waiters] of unsent) this.#send(slot, waiters)
    })
  }

  #send(slot: number, all: Waiting[]): void {
    const waiters = all.filter(waiting => !waiting.isOver)
    if (this.#isAway) {
      for (const waiting of waiters) this.#decideAlone(waiting)
      return
    }
    const now = this.#now()
    const size = this.#nextSize(slot, now)
    this.#table.askAt(slot, now)
    // what counts as several is asked for by itself, so that a part of it is never leased in vain
    const several = waiters.filter(({ charge }) => charge > 1)
    const single = waiters.filter(({ charge }) => charge <= 1)
    if (single.length > 0 || several.length === 0) this.#sendRound(slot, single, size, now)
    for (const one of several) this.#sendRound(slot, [one], size, now)
  }

  #sendRound(slot: number, waiters: Waiting[], ahead: number, now: number): void {
    const waiting = waiters.reduce((sum, { charge }) => sum + charge, 0)
    const ask = this.#takeAsk(slot, waiting, ahead, 0, waiters.length === 1 && waiting > 1)
    const round: Round = { slot, waiters, ask, sentMs: now, admittedAlone: 0 }
    for (const one of waiters) one.round = round
    void this.#ask(round)
  }

  #nextSize(slot: number, now: number): number {
    const sinceMs = now - this.#table.askedAt(slot)
    const size = this.#table.size(slot)
    const next =
      sinceMs < BUSY_MS
        ? Math.min(AHEAD_MAX, Math.max(AHEAD_FIRST, 2 * size))
        : sinceMs > IDLE_MS
          ? Math.floor(size / 4)
          : size
    this.#table.setSize(slot, next)
    return next
  }

  /** Takes along what the store has not been told yet. */
  #takeAsk(slot: number, waiting: number, ahead: number, back: number, isWhole = false): LeaseAsk {
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    this.#counters.take(slot)
    const spentMinute = this.#table.untoldMinute(slot)
    const spentDay = this.#table.untoldDay(slot)
    this.#table.setUntold(slot, 0, 0)
    const known = this.#windowsOf(slot)
    this.#counters.release(slot)
    this.#untold.delete(slot)
    const limitMinute = words[at + LIMIT_MINUTE] as number
    const limitDay = words[at + LIMIT_DAY] as number
    const keyId = this.#ids[slot] as string
    return { keyId, limitMinute, limitDay, waiting, isWhole, ahead, back, spentMinute, spentDay, known }
  }

  #windowsOf(slot: number): Windows {
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    return {
      minuteStartMs: this.#counters.minuteStartMs(slot),
      minuteCount: words[at + MINUTE_COUNT] as number,
      day: words[at + DAY] as number,
      dayCount: words[at + DAY_COUNT] as number,
    }
  }

  async #ask(round: Round): Promise<void> {
    this.#table.count('asked')
    const askedMs = performance.now()
    let lease: Lease
    try {
      lease = await this.#store.ask(round.ask)
    } catch (error) {
      this.#keepSpent(round)
      this.lost((error as Error).message)
      for (const waiting of round.waiters) if (!waiting.isOver) this.#decideAlone(waiting)
      return
    }
    this.#noteTime(lease.nowMs, round.sentMs)
    this.#table.count('tripTicks', Math.round(100 * (performance.now() - askedMs)))
    const spare = this.#takeLease(round, lease)
    const isExhausted = lease.granted < round.ask.waiting
    if (isExhausted && isFull(round.ask, lease))
      this.#table.refuseUntil(round.slot, this.#refusedUntil(lease))
    for (const waiting of round.waiters) if (!waiting.isOver) this.#serve(waiting, isExhausted, lease.nowMs)
    if (spare !== undefined) void this.#giveBack(spare)
  }

  /** For a while, but not beyond the end of a window. */
  #refusedUntil({ minuteStartMs, day, nowMs }: Lease): number {
    const minuteMs = minuteStartMs + MINUTE_MS - nowMs
    const dayMs = (day + 1) * DAY_MS - nowMs
    return this.#now() + Math.min(REFUSED_MS, minuteMs > 0 ? minuteMs : REFUSED_MS, dayMs)
  }

  /** The store was not told after all. */
  #keepSpent({ slot, ask }: Round): void {
    if (ask.spentDay === 0 && ask.spentMinute === 0) return
    this.#counters.take(slot)
    const isSameMinute = this.#counters.minuteStartMs(slot) === ask.known.minuteStartMs
    const isSameDay = this.#counters.words[this.#counters.at(slot) + DAY] === ask.known.day
    this.#table.setUntold(
      slot,
      this.#table.untoldMinute(slot) + (isSameMinute ? ask.spentMinute : 0),
      this.#table.untoldDay(slot) + (isSameDay ? ask.spentDay : 0),
    )
    this.#counters.release(slot)
    this.#untold.add(slot)
  }

  /** Puts an answer in force. Gives what is of no use here any more. */
  #takeLease(round: Round, lease: Lease): LeaseAsk | undefined {
    const { slot } = round
    const counters = this.#counters
    const { words } = counters
    const at = counters.at(slot)
    counters.take(slot)
    const before = this.#windowsOf(slot)
    const isOlder = lease.minuteStartMs < before.minuteStartMs || lease.day < before.day
    if (isOlder && lease.granted > 0) {
      counters.release(slot)
      return {
        ...round.ask,
        ...NOTHING_SPENT,
        waiting: 0,
        ahead: 0,
        back: lease.granted,
        known: { ...lease },
      }
    }
    const left = words[at + LEASED] as number
    const isNewMinute = lease.minuteStartMs !== before.minuteStartMs
    const isNewDay = lease.day !== before.day
    const untoldMinute = isNewMinute ? 0 : this.#table.untoldMinute(slot)
    const untoldDay = isNewDay ? 0 : this.#table.untoldDay(slot)
    // of what was admitted without this answer, it counts so many: they are told by it
    const covered = Math.min(lease.granted, round.admittedAlone, untoldDay)
    this.#table.setUntold(slot, Math.max(0, untoldMinute - covered), untoldDay - covered)
    counters.startMinute(slot, lease.minuteStartMs)
    words[at + MINUTE_COUNT] = lease.minuteCount + Math.max(0, untoldMinute - covered)
    words[at + DAY] = lease.day
    words[at + DAY_COUNT] = lease.dayCount + untoldDay - covered
    const isOver = isNewMinute || isNewDay
    words[at + LEASED] = (isOver ? 0 : left) + lease.granted - covered
    counters.release(slot)
    const spare = (words[at + LEASED] as number) - round.ask.waiting
    this.#table.setLow(slot, spare > 1 && lease.granted > round.ask.waiting ? spare >> 1 : 0)
    if (spare > 0) this.#leased.set(slot, -1)
    if (!isOver || left === 0) return undefined
    return { ...round.ask, ...NOTHING_SPENT, waiting: 0, ahead: 0, back: left, known: before }
  }

  #serve(waiting: Waiting, isExhausted: boolean, storeMs: number): void {
    const { slot, charge } = waiting
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    this.#counters.take(slot)
    const hasRoom = (words[at + LEASED] as number) >= charge
    if (hasRoom) words[at + LEASED] = (words[at + LEASED] as number) - charge
    this.#counters.release(slot)
    if (hasRoom) this.#finish(waiting, Verdict.Admitted, storeMs)
    else if (isExhausted) this.#finish(waiting, Verdict.OverLimit, storeMs)
    // another thread was faster
    else this.#queueUp(waiting)
  }

  #finish(waiting: Waiting, verdict: Verdict | undefined, storeMs: number): void {
    waiting.isOver = true
    waiting.decided(verdict, waiting.charge, storeMs)
  }

  #decideAlone(waiting: Waiting): void {
    const before = this.#spentAlone
    this.#finish(waiting, undefined, this.storeTime(this.#now()))
    if (waiting.round !== undefined) waiting.round.admittedAlone += this.#spentAlone - before
  }

  /** The gate admitted something by its own counts; the slot is taken. */
  spentAlone(slot: number, charge: number, isSameMinute: boolean, isSameDay: boolean): void {
    this.#table.count('alone', charge)
    this.#spentAlone += charge
    this.#table.setUntold(
      slot,
      (isSameMinute ? this.#table.untoldMinute(slot) : 0) + charge,
      (isSameDay ? this.#table.untoldDay(slot) : 0) + charge,
    )
    this.#untold.add(slot)
  }

  #watchQueue(): void {
    if (this.#ticker !== undefined) return
    this.#tickedMs = this.#now()
    // after a turn of the loop, so that an answer that lies ready is taken first
    this.#ticker = setInterval(() => setImmediate(() => this.#tick()), TICK_MS)
  }

  #tick(): void {
    const now = this.#now()
    this.#awakeMs += Math.min(TICK_MS_MAX, Math.max(0, now - this.#tickedMs))
    this.#tickedMs = now
    let over = 0
    let isLate = false
    for (; over < this.#queue.length; over++) {
      const waiting = this.#queue[over] as Waiting
      if (waiting.isOver) continue
      if (waiting.deadlineMs > this.#awakeMs) break
      isLate = true
      this.#decideAlone(waiting)
    }
    if (over > 0) this.#queue = this.#queue.slice(over)
    if (isLate) this.lost(`no answer within ${WAIT_MS} ms`)
    if (this.#queue.length > 0) return
    clearInterval(this.#ticker)
    this.#ticker = undefined
  }

  /** The store is away: from now on requests are decided here, until it takes writes again. */
  lost(reason: string): void {
    if (this.#isAway || this.#isClosed) return
    this.#isAway = true
    this.#table.count('lost')
    this.#onLost(reason)
    this.#probeLater()
  }

  #probeLater(): void {
    this.#probeTimer = setTimeout(async () => {
      try {
        const sentMs = this.#now()
        await this.#store.probe()
        // as slow as that it would be given up again at once
        if (this.#now() - sentMs > WAIT_MS) return this.#probeLater()
      } catch {
        if (!this.#isClosed) this.#probeLater()
        return
      }
      if (!this.#isClosed) this.#back()
    }, PROBE_MS)
    this.#probeTimer.unref()
  }

  #back(): void {
    this.#isAway = false
    this.#onBack()
    void this.#tellSpent()
  }

  async #tellSpent(): Promise<void> {
    let told = 0
    for (const slot of [...this.#untold]) {
      if (this.#isAway) return
      this.#send(slot, [])
      if (++told % SLICE_KEYS === 0) await turn()
    }
  }

  /** What was not touched since the last time, or is of a minute that is over, goes back. */
  #sweep(): void {
    if (this.#isAway) return
    const storeMs = this.storeTime(this.#now())
    for (const [slot, seen] of this.#leased) {
      const left = this.#counters.words[this.#counters.at(slot) + LEASED] as number
      if (left > 0 && left !== seen && this.#isInWindow(slot, storeMs)) {
        this.#leased.set(slot, left)
        continue
      }
      this.#leased.delete(slot)
      if (left > 0) void this.#giveBack(this.#takeLeased(slot))
    }
  }

  #takeLeased(slot: number): LeaseAsk {
    const { words } = this.#counters
    const at = this.#counters.at(slot)
    this.#counters.take(slot)
    const left = words[at + LEASED] as number
    words[at + LEASED] = 0
    this.#counters.release(slot)
    this.#table.setLow(slot, 0)
    const ask = this.#takeAsk(slot, 0, 0, left)
    this.#counters.take(slot)
    words[at + MINUTE_COUNT] = Math.max(0, (words[at + MINUTE_COUNT] as number) - left)
    words[at + DAY_COUNT] = Math.max(0, (words[at + DAY_COUNT] as number) - left)
    this.#counters.release(slot)
    return ask
  }

  /** Where that fails the key has so much less, until its windows end. */
  async #giveBack(ask: LeaseAsk): Promise<void> {
    try {
      await this.#store.ask(ask)
    } catch (error) {
      this.lost((error as Error).message)
    }
  }

  /** An answer shows how far ahead the store's clock may be: no further than if it was written as we asked. */
  #noteTime(storeMs: number, sentMs: number): void {
    const aheadMs = storeMs - sentMs
    const spell = Math.floor(sentMs / SPELL_MS)
    if (spell !== this.#spell) {
      this.#spell = spell
      this.#aheadBeforeMs = this.#aheadMs
      this.#aheadMs = aheadMs
    }
    this.#aheadMs = Math.min(this.#aheadMs, aheadMs)
    this.#aheadOfStore = Math.min(this.#aheadMs, this.#aheadBeforeMs)
  }

  #spell = 0

  /** Gives back all that is left, as far as there is time for it. */
  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    clearInterval(this.#ticker)
    clearTimeout(this.#probeTimer)
    const slots = this.#leased.keys()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, CLOSE_MS)
    })
    // a store that was late once may be there: it is asked all the same
    const ends = [...new Set([...slots, ...this.#untold])].map(slot => this.#giveBack(this.#takeLeased(slot)))
    await Promise.race([Promise.all(ends), late])
    clearTimeout(timer)
    this.#isClosed = true
  }
}

const NOTHING_SPENT = { spentMinute: 0, spentDay: 0 }
/** Clocks drift: what is known of the store's is forgotten after two of these. */
const SPELL_MS = 10_000
