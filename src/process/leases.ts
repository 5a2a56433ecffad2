/** Opens a thread's leases in Redis, and logs whether Redis is reachable. */
import { LeaseManager, type StoreEvents } from '../leases/lease-manager.js'
import type { LeaseTable } from '../leases/lease-table.js'
import type { Counters } from '../quotas/counters.js'
import { RedisConnection } from '../redis/connection.js'
import { RedisLeases } from '../redis/leases.js'
import type { ThreadConfig } from '../settings/config.js'
import type { Log } from './log.js'
import type { Teardown } from './teardown.js'

/** How long a starting server waits for Redis before it continues without Redis. */
const CONNECT_MS = 1_000
const DAMAGED_LOG_MS = 1_000

/** Logs once when the first thread loses its connection to Redis, and once when all threads are connected again. */
export class StoreStatusLog implements StoreEvents {
  #threadsWithout = 0
  #reason = ''
  /** When a damaged key was last logged. The rate of these lines is limited, because all keys may be damaged. */
  #damagedMs = Number.NEGATIVE_INFINITY
  #damagedUnlogged = 0

  constructor(private readonly log: Log) {}

  get isLost(): boolean {
    return this.#threadsWithout > 0
  }

  /** Why Redis is unreachable; undefined if it is reachable. */
  get problem(): string | undefined {
    return this.isLost ? this.#reason : undefined
  }

  lost(reason: string): void {
    this.#reason = reason
    if (this.#threadsWithout++ === 0) this.log(`hsapi: Redis unreachable; using local quotas: ${reason}`, 'warning')
  }

  back(): void {
    if (--this.#threadsWithout === 0) this.log('hsapi: Redis reachable again; quotas are shared')
  }

  damaged(keyId: string, reason: string): void {
    const nowMs = performance.now()
    if (nowMs - this.#damagedMs < DAMAGED_LOG_MS) {
      this.#damagedUnlogged++
      return
    }
    const more = this.#damagedUnlogged === 0 ? '' : ` (${this.#damagedUnlogged} more since the last such line)`
    this.log(
      `hsapi: the quota record of key ${keyId} in Redis is unusable; until it is deleted the key has local quotas: ${reason}${more}`,
      'warning',
    )
    this.#damagedMs = nowMs
    this.#damagedUnlogged = 0
  }
}

/** Opens the leases of a thread; the teardown returns unused leases. */
export async function openLeases(
  options: NonNullable<ThreadConfig['redis']>,
  counters: Counters,
  table: LeaseTable,
  events: StoreEvents,
  teardown: Teardown,
): Promise<LeaseManager> {
  const connection = await RedisConnection.open(options, reason => leaseManager.lost(reason))
  const leaseManager = new LeaseManager(counters, table, new RedisLeases(connection), options.waitMs, events)
  teardown.push('counts', async () => {
    await leaseManager.close()
    connection.close()
  })
  if (await connection.ready(CONNECT_MS, () => !leaseManager.isUp)) await leaseManager.announce()
  else leaseManager.lost(connection.lastError)
  return leaseManager
}
