/** The lease state of each slot; in shared memory if threads share the counters. */
import { randomInt } from 'node:crypto'
import { allocate } from '../quotas/counters.js'
import type { Presence } from './lease-store.js'

/** The number of columns of each type. */
const DOUBLES = 2
const WORDS = 8
const SLOT_BYTES = 8 * DOUBLES + 4 * WORDS
/**
 * Positions in the head (the part before the columns), in 32-bit words. The first 8 words are for monitoring figures; the state
 * of the process follows.
 */
const REPLICA_ID = 8
const REPLICA_ID_WORDS = 2
const REPLICAS = 10
const RANK = 11
const IS_NEW = 12
/** Size of the head. It must be even, because doubles follow. */
const HEAD_WORDS = 14
const HEAD_BYTES = 4 * HEAD_WORDS
/**
 * The share of the quota for all new replicas together. It is small enough that all replicas exceed a limit by at most a tenth,
 * as documented, and large enough that new replicas can answer while Redis is unreachable.
 */
const NEW_SHARE = 1 / 20
const WORD_MAX = 2 ** 31 - 1

/** `tripTicks`: total latency of the store in hundredths of a millisecond, modulo 2^32. */
const FIGURE_NAMES = ['asked', 'waited', 'alone', 'lost', 'tripTicks'] as const
type FigureName = (typeof FIGURE_NAMES)[number]

export class LeaseTable {
  readonly #head: Int32Array
  /** Columns by slot. The first two are times of the local clock. */
  readonly refusedUntil: Float64Array
  readonly requestedAt: Float64Array
  /** Requests that were admitted locally and not reported. */
  readonly unreportedMinute: Int32Array
  readonly unreportedDay: Int32Array
  readonly prefetch: Int32Array
  /** If less than this is left of a lease, the next one is prefetched. */
  readonly prefetchBelow: Int32Array
  /** The quota left after the last lease that arrived while the store was up, and the requests admitted locally since then. */
  readonly leftMinute: Int32Array
  readonly leftDay: Int32Array
  readonly aloneMinute: Int32Array
  readonly aloneDay: Int32Array

  constructor(readonly buffer: ArrayBufferLike) {
    const capacity = (buffer.byteLength - HEAD_BYTES) / SLOT_BYTES
    const doubles = (column: number) => new Float64Array(buffer, HEAD_BYTES + 8 * column * capacity, capacity)
    const words = (column: number) => new Int32Array(buffer, HEAD_BYTES + (8 * DOUBLES + 4 * column) * capacity, capacity)
    this.#head = new Int32Array(buffer, 0, HEAD_WORDS)
    this.refusedUntil = doubles(0)
    this.requestedAt = doubles(1)
    this.unreportedMinute = words(0)
    this.unreportedDay = words(1)
    this.prefetch = words(2)
    this.prefetchBelow = words(3)
    this.leftMinute = words(4)
    this.leftDay = words(5)
    this.aloneMinute = words(6)
    this.aloneDay = words(7)
  }

  static create(capacity: number, isShared = false): LeaseTable {
    const table = new LeaseTable(allocate(HEAD_BYTES + capacity * SLOT_BYTES, isShared))
    for (let i = 0; i < REPLICA_ID_WORDS; i++) table.#head[REPLICA_ID + i] = randomInt(WORD_MAX)
    table.presence = { replicas: 1, rank: 0 }
    return table
  }

  count(name: FigureName, by = 1): void {
    Atomics.add(this.#head, FIGURE_NAMES.indexOf(name), by)
  }

  get figures(): Record<FigureName, number> {
    return Object.fromEntries(FIGURE_NAMES.map((name, i) => [name, this.#head[i] >>> 0])) as Record<FigureName, number>
  }

  /** The id of this process, the same in all its threads. */
  get replicaId(): string {
    const words = this.#head.subarray(REPLICA_ID, REPLICA_ID + REPLICA_ID_WORDS)
    return Array.from(words, word => word.toString(16).padStart(8, '0')).join('')
  }

  set presence({ replicas, rank }: Pick<Presence, 'replicas' | 'rank'>) {
    this.#head[REPLICAS] = replicas
    this.#head[RANK] = rank
  }

  /** True while other replicas may not know of this one yet: their shares alone may already add up to the whole quota. */
  set isNew(isNew: boolean) {
    this.#head[IS_NEW] = isNew ? 1 : 0
  }

  get others(): number {
    return this.#head[REPLICAS] - 1
  }

  /**
   * The shares of all replicas that know of each other add up to `requests`; those of new replicas add up to at most
   * `NEW_SHARE` of it.
   */
  #shareOf(requests: number): number {
    if (requests <= 0) return 0
    const replicas = this.#head[REPLICAS]
    if (this.#head[IS_NEW] === 1) return Math.floor((requests * NEW_SHARE) / replicas)
    const remainder = this.#head[RANK] < requests % replicas ? 1 : 0
    return Math.floor(requests / replicas) + remainder
  }

  share(slot: number): number {
    const minute = this.#shareOf(this.leftMinute[slot]) - this.aloneMinute[slot]
    return Math.min(minute, this.#shareOf(this.leftDay[slot]) - this.aloneDay[slot])
  }
}
