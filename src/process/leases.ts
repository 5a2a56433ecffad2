/** Opens a thread's leases in Redis, and logs whether Redis is reachable. */
import { LeaseDesk } from '../leases/lease-desk.js'
import type { LeaseTable } from '../leases/lease-table.js'
import type { Counters } from '../quotas/counters.js'
import { RedisConnection, type RedisOptions } from '../redis/connection.js'
import { RedisLeases } from '../redis/leases.js'
import type { Log } from './log.js'

/** How long a start waits for Redis; it does not need it. */
const CONNECT_MS = 1_000
const CONNECT_POLL_MS = 10
const DAMAGED_LOG_MS = 1_000

export interface Leasing {
  desk: LeaseDesk
  /** Returns unused leases. */
  close(): Promise<void>
}

export interface StoreEvents {
  lost(reason: string): void
  back(): void
  damaged(keyId: string, reason: string): void
}

/** Logs once when the first thread loses Redis, and once when all have it back. */
export class StoreStatusLog implements StoreEvents {
  readonly #log: Log
  #threadsWithout = 0
  /** Limits the rate of lines about damaged keys: all of them may be. */
  #damagedMs = Number.NEGATIVE_INFINITY
  #damagedUnlogged = 0

  constructor(log: Log) {
    this.#log = log
  }

  get isLost(): boolean {
    return this.#threadsWithout > 0
  }

  lost(reason: string): void {
    if (this.#threadsWithout++ === 0) this.#log(`hsapi: Redis unreachable; using local quotas: ${reason}`)
  }

  back(): void {
    if (--this.#threadsWithout === 0) this.#log('hsapi: Redis reachable again; quotas are shared')
  }

  damaged(keyId: string, reason: string): void {
    const nowMs = performance.now()
    if (nowMs - this.#damagedMs < DAMAGED_LOG_MS) {
      this.#damagedUnlogged++
      return
    }
    const more = this.#damagedUnlogged === 0 ? '' : ` (${this.#damagedUnlogged} more since the last such line)`
    this.#log(
      `hsapi: the quota record of key ${keyId} in Redis is unusable; until it is deleted the key has local quotas: ${reason}${more}`,
    )
    this.#damagedMs = nowMs
    this.#damagedUnlogged = 0
  }
}

export interface LeasingOptions extends RedisOptions {
  waitMs: number
}

export async function openLeasing(
  options: LeasingOptions,
  counters: Counters,
  table: LeaseTable,
  events: StoreEvents,
): Promise<Leasing> {
  const connection = await RedisConnection.open(options, reason => desk.lost(reason))
  const desk = new LeaseDesk({
    counters,
    table,
    store: new RedisLeases(connection),
    waitMs: options.waitMs,
    onLost: reason => events.lost(reason),
    onBack: () => events.back(),
    onDamaged: (keyId, reason) => events.damaged(keyId, reason),
  })
  const deadline = Date.now() + CONNECT_MS
  while (!connection.isReady && desk.isUp && Date.now() < deadline) await new Promise(done => setTimeout(done, CONNECT_POLL_MS))
  if (connection.isReady) await desk.announce()
  else desk.lost('no connection')
  return {
    desk,
    close: async () => {
      await desk.close()
      connection.close()
    },
  }
}
