/** The lease state of each slot; in shared memory if threads share the counters. */
import { randomInt } from 'node:crypto'
import type { Presence } from './lease-store.js'

const SLOT_DOUBLES = 6
const SLOT_WORDS = 2 * SLOT_DOUBLES
/** Doubles, in local time. */
const REFUSED_UNTIL = 0
const REQUESTED_AT = 1
/** Words. Admitted locally and not reported. */
const UNREPORTED_MINUTE = 4
const UNREPORTED_DAY = 5
const PREFETCH = 6
/** Below this the next lease is prefetched. */
const LOW = 7
/** What was left at the last lease while the store was up, and what was admitted locally since. */
const LEFT_MINUTE = 8
const LEFT_DAY = 9
const ALONE_MINUTE = 10
const ALONE_DAY = 11
/** Before the slots, in words: up to 8 figures for monitoring, then the state of the process. */
const REPLICA_ID = 8
const REPLICA_ID_WORDS = 2
const REPLICAS = 10
const RANK = 11
const HEAD_WORDS = 12
const HEAD_BYTES = 4 * HEAD_WORDS
const WORD_MAX = 2 ** 31 - 1

/** `tripTicks`: total latency of the store in hundredths of a millisecond, modulo 2^32. */
const FIGURE_NAMES = ['asked', 'waited', 'alone', 'lost', 'tripTicks'] as const
export type FigureName = (typeof FIGURE_NAMES)[number]
export type LeaseFigures = Record<FigureName, number>

export class LeaseTable {
  readonly buffer: ArrayBufferLike
  readonly #head: Int32Array
  readonly #words: Int32Array
  readonly #doubles: Float64Array

  constructor(buffer: ArrayBufferLike) {
    this.buffer = buffer
    this.#head = new Int32Array(buffer, 0, HEAD_WORDS)
    this.#words = new Int32Array(buffer, HEAD_BYTES)
    this.#doubles = new Float64Array(buffer, HEAD_BYTES)
  }

  static alone(capacity: number): LeaseTable {
    return LeaseTable.#create(new ArrayBuffer(HEAD_BYTES + capacity * SLOT_DOUBLES * 8))
  }

  static shared(capacity: number): LeaseTable {
    return LeaseTable.#create(new SharedArrayBuffer(HEAD_BYTES + capacity * SLOT_DOUBLES * 8))
  }

  static #create(buffer: ArrayBufferLike): LeaseTable {
    const table = new LeaseTable(buffer)
    for (let i = 0; i < REPLICA_ID_WORDS; i++) table.#head[REPLICA_ID + i] = randomInt(WORD_MAX)
    table.presence = { replicas: 1, rank: 0 }
    return table
  }

  count(name: FigureName, by = 1): void {
    Atomics.add(this.#head, FIGURE_NAMES.indexOf(name), by)
  }

  get figures(): LeaseFigures {
    return Object.fromEntries(FIGURE_NAMES.map((name, i) => [name, this.#head[i] >>> 0])) as LeaseFigures
  }

  /** The same in all threads of a process. */
  get replicaId(): string {
    const words = this.#head.subarray(REPLICA_ID, REPLICA_ID + REPLICA_ID_WORDS)
    return Array.from(words, word => word.toString(16).padStart(8, '0')).join('')
  }

  set presence({ replicas, rank }: Presence) {
    this.#head[REPLICAS] = replicas
    this.#head[RANK] = rank
  }

  /** The number of other replicas. */
  get others(): number {
    return this.#head[REPLICAS] - 1
  }

  /** The shares of all replicas add up to `requests`. */
  shareOf(requests: number): number {
    if (requests <= 0) return 0
    const replicas = this.#head[REPLICAS]
    const remainder = this.#head[RANK] < requests % replicas ? 1 : 0
    return Math.floor(requests / replicas) + remainder
  }

  refusedUntil(slot: number): number {
    return this.#doubles[slot * SLOT_DOUBLES + REFUSED_UNTIL]
  }

  refuseUntil(slot: number, ms: number): void {
    this.#doubles[slot * SLOT_DOUBLES + REFUSED_UNTIL] = ms
  }

  requestedAt(slot: number): number {
    return this.#doubles[slot * SLOT_DOUBLES + REQUESTED_AT]
  }

  setRequestedAt(slot: number, ms: number): void {
    this.#doubles[slot * SLOT_DOUBLES + REQUESTED_AT] = ms
  }

  unreportedMinute(slot: number): number {
    return this.#words[slot * SLOT_WORDS + UNREPORTED_MINUTE]
  }

  unreportedDay(slot: number): number {
    return this.#words[slot * SLOT_WORDS + UNREPORTED_DAY]
  }

  setUnreported(slot: number, minute: number, day: number): void {
    this.#words[slot * SLOT_WORDS + UNREPORTED_MINUTE] = minute
    this.#words[slot * SLOT_WORDS + UNREPORTED_DAY] = day
  }

  prefetch(slot: number): number {
    return this.#words[slot * SLOT_WORDS + PREFETCH]
  }

  setPrefetch(slot: number, requests: number): void {
    this.#words[slot * SLOT_WORDS + PREFETCH] = requests
  }

  low(slot: number): number {
    return this.#words[slot * SLOT_WORDS + LOW]
  }

  setLow(slot: number, low: number): void {
    this.#words[slot * SLOT_WORDS + LOW] = low
  }

  /** What this replica may still admit locally in the minute. */
  shareMinute(slot: number): number {
    const at = slot * SLOT_WORDS
    return this.shareOf(this.#words[at + LEFT_MINUTE]) - this.#words[at + ALONE_MINUTE]
  }

  shareDay(slot: number): number {
    const at = slot * SLOT_WORDS
    return this.shareOf(this.#words[at + LEFT_DAY]) - this.#words[at + ALONE_DAY]
  }

  /** `alone` of `left` were admitted locally. */
  setLeftMinute(slot: number, left: number, alone: number): void {
    this.#words[slot * SLOT_WORDS + LEFT_MINUTE] = left
    this.#words[slot * SLOT_WORDS + ALONE_MINUTE] = alone
  }

  setLeftDay(slot: number, left: number, alone: number): void {
    this.#words[slot * SLOT_WORDS + LEFT_DAY] = left
    this.#words[slot * SLOT_WORDS + ALONE_DAY] = alone
  }

  addAlone(slot: number, charge: number): void {
    const at = slot * SLOT_WORDS
    this.#words[at + ALONE_MINUTE] += charge
    this.#words[at + ALONE_DAY] += charge
  }
}
