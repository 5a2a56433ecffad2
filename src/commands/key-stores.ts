/** The configured stores of keys and usage. */
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
  /** Null if the store is unreachable. */
  usedToday(id: string): Promise<number | null>
  close(): Promise<void>
}

export function openStores({ keys, redis, dataDir }: Config): Stores {
  const file = new KeyFile(dataDir)
  // connects lazily, so that keys in a file can be managed while Redis is down
  let opened: Promise<RedisConnection> | undefined
  const connect = () => {
    if (redis === undefined) throw new OperatorError('HSAPI_REDIS_URL is not set')
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

/** Copies all keys; newer records on the other side win. Can be repeated at any time. */
export async function moveKeys(stores: Stores, to: unknown): Promise<{ copied: number; changed: number }> {
  if (to !== 'redis' && to !== 'file')
    throw new OperatorError(to === undefined ? '--to is missing: redis or file' : `--to is "${to}"; it must be redis or file`)
  const redis = await stores.redis()
  const [from, target] = to === 'redis' ? [stores.file, redis] : [redis, stores.file]
  const records = (await from.read()) ?? []
  return { copied: records.length, changed: await target.put(records) }
}
