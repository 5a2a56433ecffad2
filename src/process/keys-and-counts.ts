/** Opens the keys, the saved counts, and the memory that threads share. */
import { LeaseTable } from '../leases/lease-table.js'
import { Counters } from '../quotas/counters.js'
import type { Usage } from '../quotas/usage.js'
import { UsageFile } from '../quotas/usage-file.js'
import { ServerClaim } from './data-folder.js'
import { type KeySource, openKeys } from './key-source.js'
import type { Setup } from './setup.js'

/** Slots for keys that are created while the server runs; reserved memory costs nothing until it is touched. */
const SLOTS_SPARE = 1_048_576

export interface KeysAndCounts {
  claim: ServerClaim
  keys: KeySource
  /** Undefined if counts are in Redis. */
  usageFile: UsageFile | undefined
  counters: Counters
  leases: LeaseTable
}

/** Also returns the saved counts, which are not kept here because they take much memory and are needed only once. */
export async function openKeysAndCounts({
  config,
  clock,
  log,
  teardown,
}: Setup): Promise<KeysAndCounts & { usageBefore: Usage[] }> {
  const { dataDir, sharePort, redis } = config
  // with counts in Redis, several servers may use one directory
  const claim = await ServerClaim.take(dataDir, sharePort || redis !== undefined)
  teardown.push('rest', () => claim.release())
  const keys = await openKeys(config, log)
  teardown.push('rest', () => keys.stop())
  const usageFile = redis === undefined ? new UsageFile(dataDir, sharePort, () => clock.now()) : undefined
  const usageBefore = (await usageFile?.load()) ?? []
  const slots = 2 * (usageBefore.length + (await keys.keysAtMost())) + SLOTS_SPARE
  const isShared = config.workers > 1
  const counters = Counters.create(slots, isShared)
  return { claim, keys, usageFile, usageBefore, counters, leases: LeaseTable.create(slots, isShared) }
}
