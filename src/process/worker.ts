/** A further thread that answers on the same port, from the same columns and counters. */
import { parentPort, workerData } from 'node:worker_threads'
import { Catalog } from '../catalog/catalog.js'
import { parsePlan } from '../chaos/expression.js'
import { CoarseClock } from '../clock.js'
import type { KeyBatch } from '../keys/key-table.js'
import { LeaseTable } from '../leases/lease-table.js'
import { Tally } from '../metrics/tally.js'
import { Counters } from '../quotas/counters.js'
import { threadConfig } from '../settings/config.js'
import type { ThreadSettings } from '../settings/table.js'
import { SLICE_BUCKETS, turn } from '../slices.js'
import { assemble, type SnapshotParts } from '../snapshot/decode.js'
import { collectSoon } from './collect.js'
import type { ExplorerParts } from './explorer.js'
import { traced } from './log.js'
import { Teardown } from './teardown.js'
import { openThread } from './thread.js'

export interface WorkerStart {
  settings: ThreadSettings
  /** The first thread is 0. */
  thread: number
  port: number
  snapshot: SnapshotParts
  counters: SharedArrayBuffer
  leases: SharedArrayBuffer
  /** All keys in force; the first thread gave them their slots. */
  keys: KeyBatch
  hasKeys: boolean
  /** Pages for people, if there are any. */
  explorer: ExplorerParts | undefined
  /** Where this thread counts its answers, if it does. */
  tally?: SharedArrayBuffer | undefined
}

export type ToWorker = { keys: KeyBatch } | { snapshot: SnapshotParts } | { chaos: string } | { reopenLog: true } | { stop: true }
/** `broken` tells why the thread is about to stop by itself; `stopped` comes after it, too, with what went wrong then. */
export type FromWorker =
  | { ready: true }
  | { swapped: true }
  | { chaosApplied: true }
  | { stopped: string[] }
  | { log: string }
  | { broken: string }
  | { storeLost: string }
  | { storeBack: true }
  | { damagedKey: string; reason: string }

/** Only uWebSockets.js lets threads share a port. */
const ENGINE = 'uws'

async function work(say: (message: FromWorker) => void, listen: (hear: (message: ToWorker) => void) => void): Promise<void> {
  const { snapshot, ...start } = workerData as WorkerStart
  // the thread's own data outlives it: without this the first dataset would never be freed
  delete (workerData as Partial<WorkerStart>).snapshot
  const config = threadConfig(start.settings)
  const clock = new CoarseClock()
  const teardown = new Teardown()
  const { gate, server, applyChaos, reopenLog } = await openThread(
    {
      config,
      engine: ENGINE,
      thread: start.thread,
      clock,
      counters: new Counters(start.counters),
      leases: new LeaseTable(start.leases),
      store: {
        lost: reason => say({ storeLost: reason }),
        back: () => say({ storeBack: true }),
        damaged: (keyId, reason) => say({ damagedKey: keyId, reason }),
      },
      tally: start.tally && new Tally(start.tally),
      explorer: start.explorer,
      log: line => say({ log: line }),
    },
    teardown,
  )
  teardown.push('rest', () => clock.stop())
  gate.takeBatch(start.keys)
  gate.hasKeys = start.hasKeys
  let stopping: Promise<string[]> | undefined
  const stop = async () => {
    stopping ??= teardown.run()
    say({ stopped: await stopping })
  }
  const fail = (error: unknown) => {
    say({ broken: traced(error) })
    void stop()
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  // one after the other: a later batch may take back what an earlier one gave
  let taken = Promise.resolve()
  const take = async (keys: KeyBatch) => {
    while (!gate.makeRoom(keys.slots.length, SLICE_BUCKETS)) await turn()
    gate.takeBatch(keys)
  }
  listen(message => {
    if ('keys' in message) taken = taken.then(() => take(message.keys))
    else if ('snapshot' in message) {
      server.serve(new Catalog(assemble(message.snapshot)))
      say({ swapped: true })
      collectSoon()
    } else if ('chaos' in message) {
      applyChaos(parsePlan(message.chaos))
      say({ chaosApplied: true })
    } else if ('reopenLog' in message) void reopenLog()
    else void stop()
  })
  try {
    server.serve(new Catalog(assemble(snapshot)))
    await server.listen(config.host, start.port, true)
    say({ ready: true })
  } catch (error) {
    fail(error)
  }
}

const port = parentPort
if (port !== null) {
  await work(
    message => port.postMessage(message),
    hear => port.on('message', hear),
  )
}
