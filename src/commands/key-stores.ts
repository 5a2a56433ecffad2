/** Where the environment says that keys and their use are kept. */
import { utcDay } from '../clock.js'
import type { Config } from '../config.js'
import { OperatorError } from '../errors.js'
import { KeyFile } from '../gate/key-file.js'
import type { KeyStore } from '../gate/key-record.js'
import { UsageFile } from '../gate/usage-file.js'
import { RedisConnection } from '../redis/connection.js'
import { RedisKeys } from '../redis/keys.js'
import { RedisLeases } from '../redis/leases.js'

export interface Stores {
  keys: KeyStore
  file: KeyStore
  /** Where there is one. */
  redis: KeyStore | undefined
  /** Requests of a key that were counted today. */
  usedToday(id: string): Promise<number>
  close(): void
}

export async function openStores({ keys, redis, dataDir }: Config): Promise<Stores> {
  const file = new KeyFile(dataDir)
  const today = utcDay(Date.now())
  if (redis === undefined) {
    const usedToday = async (id: string) => {
      const usage = (await new UsageFile(dataDir).load()).find(({ keyId }) => keyId === id)
      return usage?.day === today ? usage.dayCount : 0
    }
    return { keys: file, file, redis: undefined, usedToday, close: () => {} }
  }
  const connection = await RedisConnection.openNow(redis)
  const inRedis = new RedisKeys(connection)
  const leases = new RedisLeases(connection)
  const usedToday = async (id: string) => {
    const windows = await leases.look(id)
    return windows?.day === today ? windows.dayCount : 0
  }
  return {
    keys: keys === 'redis' ? inRedis : file,
    file,
    redis: inRedis,
    usedToday,
    close: () => connection.close(),
  }
}

/** Copies all keys; what the other side knows later of a key stays. May be run again at any time. */
export async function moveKeys(
  { file, redis }: Stores,
  to: unknown,
): Promise<{ copied: number; news: number }> {
  if (to !== 'redis' && to !== 'file')
    throw new OperatorError(
      to === undefined ? '--to is missing: redis or file' : `--to is "${to}"; it must be redis or file`,
    )
  if (redis === undefined) throw new OperatorError('HSAPI_REDIS_URL does not say where Redis is')
  const [from, onto] = to === 'redis' ? [file, redis] : [redis, file]
  const records = (await from.read()) ?? []
  return { copied: records.length, news: await onto.put(records) }
}
