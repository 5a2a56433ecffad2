/** The replicas that have announced themselves in Redis. */
import type { RedisConnection } from './connection.js'
import { PRESENT_MS, replicasName } from './scripts.js'

export const REPLICAS_SHOWN_MAX = 100

export interface SeenReplica {
  id: string
  /** Time since the replica's last heartbeat. */
  agoMs: number
}

const SEEN_SCRIPT = `
local time = redis.call('TIME')
return {time[1] * 1000 + math.floor(time[2] / 1000),
  redis.call('ZRANGE', KEYS[1], 0, ${REPLICAS_SHOWN_MAX - 1}, 'WITHSCORES')}
`

/** Reads the list; rejects without a connection. */
export async function seenReplicas(connection: Pick<RedisConnection, 'prefix' | 'send'>): Promise<SeenReplica[]> {
  const [nowMs, pairs] = (await connection.send('EVAL', SEEN_SCRIPT, '1', replicasName(connection.prefix))) as [number, string[]]
  const seen: SeenReplica[] = []
  for (let i = 0; i + 1 < pairs.length; i += 2)
    seen.push({ id: String(pairs[i]), agoMs: Math.max(0, nowMs - Number(pairs[i + 1])) })
  // a killed replica stays in the set until another one announces itself
  return seen.filter(({ agoMs }) => agoMs <= PRESENT_MS)
}
