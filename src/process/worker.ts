/** A worker thread: answers on the same port, from the same dataset and counters. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { parsePlan } from '../chaos/expression.js'
import { CoarseClock } from '../clock.js'
import type { KeyBatch } from '../keys/key-table.js'
import { LeaseTable } from '../leases/lease-table.js'
import { Tally } from '../metrics/tally.js'
import { Counters } from '../quotas/counters.js'
import { threadConfig } from '../settings/config.js'
import type { ThreadSettings } from '../settings/table.js'
import { SLICE_BUCKETS, turn } from '../slices.js'
import type { SnapshotParts } from '../snapshot/decode.js'
import { collectSoon } from './collect.js'
import type { ExplorerParts } from './explorer.js'
import { traced } from './log.js'
import { servedCatalog } from './served-catalog.js'
import { Teardown } from './teardown.js'
import { openThread } from './thread.js'

export interface WorkerStart {
  settings: ThreadSettings
  thread: number
  port: number
  snapshot: SnapshotParts
  counters: SharedArrayBuffer
  leases: SharedArrayBuffer
  keys: KeyBatch
  hasKeys: boolean
  explorer: ExplorerParts | undefined
  tally?: SharedArrayBuffer | undefined
}

export type ToWorker = { keys: KeyBatch } | { snapshot: SnapshotParts } | { chaos: string } | { reopenLog: true } | { stop: true }
/** `applied` confirms a snapshot or chaos. `broken` is why the thread stops by itself; `stopped` follows, with what went wrong. */
export type FromWorker =
  | { ready: true }
  | { applied: true }
  | { stopped: string[] }
  | { log: string }
  | { broken: string }
  | { storeLost: string }
  | { storeBack: true }
  | { damagedKey: string; reason: string }

/** Only uWebSockets.js lets threads share a port. */
const ENGINE = 'uws'

async function work(port: MessagePort): Promise<void> {
  const post = (message: FromWorker) => port.postMessage(message)
  const { snapshot, ...start } = workerData as WorkerStart
  // workerData lives as long as the thread, and would keep the first dataset in memory
  delete (workerData as Partial<WorkerStart>).snapshot
  const config = threadConfig(start.settings)
  const clock = new CoarseClock()
  const teardown = new Teardown()
  const { gate, server, chaos, access } = await openThread(
    {
      ...start,
      config,
      engine: ENGINE,
      clock,
      counters: new Counters(start.counters),
      leases: new LeaseTable(start.leases),
      store: {
        lost: reason => post({ storeLost: reason }),
        back: () => post({ storeBack: true }),
        damaged: (keyId, reason) => post({ damagedKey: keyId, reason }),
      },
      tally: start.tally && new Tally(start.tally),
      log: line => post({ log: line }),
    },
    teardown,
  )
  teardown.push('rest', () => clock.stop())
  gate.takeBatch(start.keys)
  gate.hasKeys = start.hasKeys
  let stopping: Promise<string[]> | undefined
  const stop = async () => {
    stopping ??= teardown.run()
    post({ stopped: await stopping })
  }
  const fail = (error: unknown) => {
    post({ broken: traced(error) })
    void stop()
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  // batches in order: a later one may revoke a key of an earlier one
  let taken = Promise.resolve()
  const take = async (keys: KeyBatch) => {
    while (!gate.makeRoom(keys.slots.length, SLICE_BUCKETS)) await turn()
    gate.takeBatch(keys)
  }
  port.on('message', (message: ToWorker) => {
    if ('keys' in message) taken = taken.then(() => take(message.keys))
    else if ('snapshot' in message) {
      server.serve(servedCatalog(message.snapshot, config))
      post({ applied: true })
      collectSoon()
    } else if ('chaos' in message) {
      chaos?.setPlan(parsePlan(message.chaos))
      post({ applied: true })
    } else if ('reopenLog' in message) void access?.reopen()
    else void stop()
  })
  try {
    server.serve(servedCatalog(snapshot, config))
    await server.listen(config.host, start.port, true)
    post({ ready: true })
  } catch (error) {
    fail(error)
  }
}

if (parentPort !== null) await work(parentPort)
