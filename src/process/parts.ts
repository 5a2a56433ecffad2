/** The parts of a server before it listens: keys and counts, the first thread, and a pool for further threads. */
import { Tally } from '../metrics/tally.js'
import type { Usage } from '../quotas/usage.js'
import { ChaosControl } from './chaos.js'
import { type ExplorerParts, openExplorer } from './explorer.js'
import { type KeysAndCounts, openKeysAndCounts } from './keys-and-counts.js'
import { StoreStatusLog } from './leases.js'
import { UsageSaver } from './save-usage.js'
import type { Setup } from './setup.js'
import { openThread, type Thread } from './thread.js'
import { WorkerPool } from './worker-pool.js'

interface FirstThread extends Thread {
  explorer: ExplorerParts | undefined
  store: StoreStatusLog
  /** One tally for each thread; none without an admin port. */
  tallies: readonly Tally[]
  /** Undefined if counts are in Redis. */
  usage: UsageSaver | undefined
  /** False if no key was ever created. */
  hadKeys: boolean
}

export interface Parts extends Setup, KeysAndCounts, FirstThread {
  /** Undefined without Redis. */
  sharedLeases: { table: KeysAndCounts['leases']; store: StoreStatusLog } | undefined
  workers: WorkerPool
  chaosControl: ChaosControl | undefined
}

export async function openParts(setup: Setup): Promise<Parts> {
  const { config, log, teardown } = setup
  const { usageBefore, ...keysAndCounts } = await openKeysAndCounts(setup)
  const first = await openFirstThread(setup, keysAndCounts, usageBefore)
  const workers = new WorkerPool()
  teardown.push('requests', () => workers.stop())
  teardown.push('rest', () => workers.terminate())
  const chaosControl = config.chaos === undefined ? undefined : new ChaosControl(config.chaos, log)
  const sharedLeases = config.redis && { table: keysAndCounts.leases, store: first.store }
  return { ...setup, ...keysAndCounts, ...first, sharedLeases, workers, chaosControl }
}

/** Opens the first thread, and loads all keys and the saved counts into it. */
async function openFirstThread(setup: Setup, keysAndCounts: KeysAndCounts, usageBefore: readonly Usage[]): Promise<FirstThread> {
  const { config, engine, clock, log, teardown } = setup
  const { keys, usageFile, counters, leases } = keysAndCounts
  const explorer = await openExplorer(config, log)
  const store = new StoreStatusLog(log)
  const tallies =
    config.admin === undefined ? [] : Array.from({ length: config.workers }, () => Tally.withKeys(counters.capacity))
  const thread = await openThread(
    { config, engine: engine.name, thread: 0, clock, counters, leases, store, tally: tallies[0], explorer, log },
    teardown,
  )
  const hadKeys = await keys.load(thread.gate)
  thread.gate.usage.restore(usageBefore)
  const usage = usageFile && new UsageSaver(usageFile, thread.gate, clock, log)
  teardown.push('counts', () => usage?.stop())
  return { ...thread, explorer, store, tallies, usage, hadKeys }
}
