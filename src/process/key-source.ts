/** Where a server's keys come from, and how it learns of changes. */
import type { Gate } from '../gate/gate.js'
import type { PublishSlots } from '../gate/key-slices.js'
import { KeyFile } from '../keys/key-file.js'
import type { KeyOptions, MadeKey } from '../keys/key-record.js'
import type { Config } from '../settings/config.js'
import { KeyFollower } from './follow-keys.js'
import { RedisKeyFollower } from './follow-redis-keys.js'
import type { Log } from './log.js'

/** The followers of the key file and of keys in Redis implement this interface; the compiler checks that in `openKeys`. */
export interface KeySource {
  /** A problem with the source of the keys that does not stop the server. */
  readonly problem: string | undefined
  /** True if the key file is damaged or missing; the keys loaded earlier, or those of the copy, are in force. */
  readonly isDamaged: boolean
  /** Returns an upper bound for the number of keys. */
  keysAtMost(): Promise<number>
  /** Loads all keys, before any request; returns false if no key was ever created. */
  load(gate: Gate): Promise<boolean>
  start(publish: PublishSlots): void
  /** Checks for changes now, and publishes them. */
  checkForChanges(): Promise<void>
  /** Creates the first key; returns undefined if another server was faster. */
  createFirst(options: KeyOptions, now: string): Promise<MadeKey | undefined>
  stop(): Promise<void> | void
}

export async function openKeys({ keys, redis, dataDir }: Config, log: Log): Promise<KeySource> {
  return keys === 'redis' && redis !== undefined
    ? await RedisKeyFollower.open(redis, dataDir, log)
    : new KeyFollower(new KeyFile(dataDir), log)
}
