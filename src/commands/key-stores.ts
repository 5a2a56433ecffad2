/** Where the environment says that keys and their use are kept. */
import { utcDay } from '../clock.js'
import { OperatorError } from '../errors.js'
import { KeyFile } from '../keys/key-file.js'
import type { KeyStore } from '../keys/key-record.js'
import { UsageFile } from '../quotas/usage-file.js'
import { RedisConnection } from '../redis/connection.js'
import { RedisKeys } from '../redis/keys.js'
import { RedisLeases } from '../redis/leases.js'
import type { Config } from '../settings/config.js'

export interface Stores {
  keys(): Promise<KeyStore>
  file: KeyStore
  redis(): Promise<KeyStore>
  /** Requests of a key that were counted today; null where nobody can tell. */
  usedToday(id: string): Promise<number | null>
  close(): Promise<void>
}

export function openStores({ keys, redis, dataDir }: Config): Stores {
  const file = new KeyFile(dataDir)
  // only where it is needed: while Redis is away, keys in a file can be seen to all the same
  let opened: Promise<RedisConnection> | undefined
  const connect = () => {
    if (redis === undefined) throw new OperatorError('HSAPI_REDIS_URL does not say where Redis is')
    opened ??= RedisConnection.openNow(redis)
    return opened
  }
  const inRedis = async () => new RedisKeys(await connect())
  const usage = async (id: string) =>
    redis === undefined
      ? (await new UsageFile(dataDir).load()).find(({ keyId }) => keyId === id)
      : await new RedisLeases(await connect()).look(id)
  return {
    keys: async () => (keys === 'redis' ? await inRedis() : file),
    file,
    redis: inRedis,
    usedToday: async id => {
      try {
        const found = await usage(id)
        return found?.day === utcDay(Date.now()) ? found.dayCount : 0
      } catch (error) {
        if (redis === undefined) throw error
        return null
      }
    },
    close: async () => {
      await opened?.then(
        connection => connection.close(),
        () => {},
      )
    },
  }
}

/** Copies all keys; what the other side knows later of a key stays. May be run again at any time. */
export async function moveKeys(stores: Stores, to: unknown): Promise<{ copied: number; news: number }> {
  if (to !== 'redis' && to !== 'file')
    throw new OperatorError(to === undefined ? '--to is missing: redis or file' : `--to is "${to}"; it must be redis or file`)
  const redis = await stores.redis()
  const [from, onto] = to === 'redis' ? [stores.file, redis] : [redis, stores.file]
  const records = (await from.read()) ?? []
  return { copied: records.length, news: await onto.put(records) }
}
