/** Reads how much of its quota each key has used: from this server's counters, or from Redis if servers share quotas. */
import type { KeyUse } from '../admin/operator-api.js'
import type { Gate } from '../gate/gate.js'
import { NO_SLOT } from '../keys/slot-table.js'
import type { Counters } from '../quotas/counters.js'
import { type Used, usedNow } from '../quotas/used.js'
import { RedisLeases } from '../redis/leases.js'
import type { AdminRedis } from './admin-redis.js'

const NOTHING: Used = { minute: 0, day: 0, lastDay: null }
const UNKNOWN: KeyUse = { used_today: null, used_this_minute: null, last_used_on: null }

const later = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a)

export class KeyUses {
  constructor(
    private readonly gate: Gate,
    private readonly counters: Counters,
    private readonly redis: AdminRedis | undefined,
  ) {}

  /** Returns the use of each key, in the order of the ids. */
  async of(ids: readonly string[], nowMs: number): Promise<KeyUse[]> {
    const here = ids.map(id => this.#here(id, nowMs))
    const inRedis = this.redis === undefined ? undefined : await this.#inRedis(this.redis, ids, nowMs)
    return here.map((local, i) => {
      if (inRedis === undefined) return { used_today: local.day, used_this_minute: local.minute, last_used_on: local.lastDay }
      const used = inRedis[i]
      // Redis deletes the counts of a day an hour after its end
      const lastDay = later(local.lastDay, used?.lastDay ?? null)
      if (used === undefined) return { ...UNKNOWN, last_used_on: lastDay }
      return { used_today: used.day, used_this_minute: used.minute, last_used_on: lastDay }
    })
  }

  #here(id: string, nowMs: number): Used {
    const slot = this.gate.slotOf(id)
    return slot === NO_SLOT ? NOTHING : usedNow(this.counters.counts(slot), nowMs)
  }

  /** Undefined for keys whose counts cannot be read from Redis. */
  async #inRedis(redis: AdminRedis, ids: readonly string[], nowMs: number): Promise<(Used | undefined)[]> {
    const leases = new RedisLeases(await redis.connection())
    return Promise.all(
      ids.map(async id => {
        try {
          const counts = await leases.look(id)
          return counts === undefined ? NOTHING : usedNow(counts, nowMs)
        } catch {
          return undefined
        }
      }),
    )
  }
}
