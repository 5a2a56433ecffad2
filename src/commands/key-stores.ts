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

export function openStores({ keys, redis, dataDir }: Config) {
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
    keys: async (): Promise<KeyStore> => (keys === 'redis' ? await inRedis() : file),
    file,
    redis: inRedis,
    /** Null if the store is unreachable. */
    usedToday: async (id: string): Promise<number | null> => {
      try {
        const found = await usage(id)
        return found?.day === utcDay(Date.now()) ? found.dayCount : 0
      } catch (error) {
        if (redis === undefined) throw error
        return null
      }
    },
    close: async (): Promise<void> => {
      await opened?.then(
        connection => connection.close(),
        () => {},
      )
    },
  }
}

export type Stores = ReturnType<typeof openStores>
