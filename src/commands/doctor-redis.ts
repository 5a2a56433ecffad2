/** Checks Redis or Valkey: reachable, new enough, and configured to keep keys and counts. */
import { readAddress } from '../redis/address.js'
import { RedisConnection } from '../redis/connection.js'
import { RedisKeys } from '../redis/keys.js'
import type { Config } from '../settings/config.js'
import { type Finding, fails, ok, warning } from './finding.js'

const MAJOR_MIN = 6
const SKEW_MS_MAX = 2_000

/** Returns the fields of INFO; empty if the Redis user may not send that command. */
async function infoOf(connection: RedisConnection): Promise<ReadonlyMap<string, string>> {
  const text = String(await connection.sendOrReconnect('INFO').catch(() => ''))
  return new Map(
    text.split('\r\n').flatMap(line => {
      const colon = line.indexOf(':')
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const]
    }),
  )
}

export async function checkRedis({ redis, keys }: Config): Promise<Finding[]> {
  if (redis === undefined) return []
  const connection = await RedisConnection.openNow(redis)
  try {
    const info = await infoOf(connection)
    const found = [
      versionOf(info),
      ...setupOf(info, keys, readAddress(redis.url, 'HSAPI_REDIS_URL').kind === 'cluster'),
      await skewOf(connection),
    ]
    if (keys !== 'redis') return found
    const count = await new RedisKeys(connection).count()
    return [...found, count === 0 ? warning('it has no keys yet: "hsapi keys create" creates one') : ok(`it has ${count} keys`)]
  } finally {
    connection.close()
  }
}

function versionOf(info: ReadonlyMap<string, string>): Finding {
  const valkey = info.get('valkey_version')
  const version = info.get('redis_version')
  if (valkey !== undefined) return ok(`reachable, Valkey ${valkey}`)
  if (version === undefined) return warning('reachable, but its version is not shown: the user may not send INFO')
  if (Number.parseInt(version, 10) < MAJOR_MIN) return fails(`Redis ${version} is too old: use ${MAJOR_MIN} or newer`)
  return ok(`reachable, Redis ${version}`)
}

function setupOf(info: ReadonlyMap<string, string>, keys: Config['keys'], isClusterAddress: boolean): Finding[] {
  const found: Finding[] = []
  const isCluster = info.get('redis_mode') === 'cluster' || info.get('cluster_enabled') === '1'
  if (isCluster && !isClusterAddress) found.push(fails('it is a cluster: write its address as redis+cluster://host1,host2,host3'))
  const policy = info.get('maxmemory_policy')
  const isBounded = (info.get('maxmemory') ?? '0') !== '0'
  if (policy !== undefined && policy !== 'noeviction') {
    const text = `maxmemory-policy is ${policy}: when its memory is full, it deletes ${keys === 'redis' ? 'keys and ' : ''}counts; set noeviction`
    found.push(isBounded && keys === 'redis' && policy.startsWith('allkeys') ? fails(text) : warning(text))
  } else if (policy !== undefined) found.push(ok(`maxmemory-policy ${policy}`))
  const isSaved = info.get('aof_enabled') === '1'
  if (keys === 'redis' && info.has('aof_enabled') && !isSaved)
    found.push(warning('appendonly is off: a crash of Redis may lose the latest keys'))
  return found
}

/** Quotas use the clock of Redis; the expiry of keys uses the clock of this machine. */
async function skewOf(connection: RedisConnection): Promise<Finding> {
  const beforeMs = Date.now()
  const [seconds = '0', microseconds = '0'] = (await connection.sendOrReconnect('TIME')) as string[]
  const afterMs = Date.now()
  const redisMs = Number(seconds) * 1000 + Number(microseconds) / 1000
  const skewMs = Math.round(Math.abs(redisMs - (beforeMs + afterMs) / 2))
  const text = `answered in ${afterMs - beforeMs} ms; its clock and the clock of this machine differ by ${skewMs} ms`
  return skewMs > SKEW_MS_MAX ? warning(text) : ok(text)
}
