/** A worker thread: it answers requests on the port of the first thread, with the same dataset and counters. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { CoarseClock } from '../clock.js'
import type { GateBatch } from '../gate/gate.js'
import { LeaseTable } from '../leases/lease-table.js'
import { parsePlan } from '../load-kit/chaos/expression.js'
import type { DayCounts } from '../metrics/search-counts.js'
import { Tally } from '../metrics/tally.js'
import { Counters } from '../quotas/counters.js'
import { threadConfig } from '../settings/config.js'
import type { ThreadSettings } from '../settings/table.js'
import { nextTurn, SLICE_BUCKETS } from '../slices.js'
import { collectGarbageSoon } from './collect-garbage.js'
import type { ExplorerParts } from './explorer.js'
import { type Level, traced } from './log.js'
import { type ServedParts, serveDataset } from './served-catalog.js'
import { Teardown } from './teardown.js'
import { openThread } from './thread.js'

export interface WorkerStart {
  settings: ThreadSettings
  thread: number
  port: number
  snapshot: ServedParts
  counters: SharedArrayBuffer
  leases: SharedArrayBuffer
  keys: GateBatch
  hasKeys: boolean
  explorer: ExplorerParts | undefined
  tally?: SharedArrayBuffer | undefined
}

export type ToWorker =
  | { keys: GateBatch }
  | { confirmKeys: true }
  | { snapshot: ServedParts }
  | { chaos: string }
  | { reopenLog: true }
  | { renewCertificate: true }
  | { collectSearches: true }
  | { stop: true }
/**
 * `applied` confirms a snapshot, chaos or a certificate. `broken` is the reason why the thread stops by itself; `stopped`
 * follows, with the problems that occurred while stopping.
 */
export type FromWorker =
  | { ready: true }
  | { applied: true }
  | { keysTaken: true }
  | { searches: DayCounts[] }
  | { stopped: string[] }
  | { log: string; level: Level | undefined }
  | { broken: string }
  | { storeLost: string }
  | { storeBack: true }
  | { damagedKey: string; reason: string }

/** Only uWebSockets.js lets threads share a port. */
const ENGINE = 'uws'

async function work(port: MessagePort): Promise<void> {
  const post = (message: FromWorker) => port.postMessage(message)
  const { snapshot, ...start } = workerData as WorkerStart
  // remove the parts from workerData, which is not freed while the thread runs and would keep the first dataset in memory
  delete (workerData as Partial<WorkerStart>).snapshot
  const config = threadConfig(start.settings)
  const clock = new CoarseClock()
  const teardown = new Teardown()
  const { gate, server, chaos, access, searches } = await openThread(
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
      log: (line, level) => post({ log: line, level }),
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
  // batches are applied in order, because a later one may revoke a key of an earlier one
  let taken = Promise.resolve()
  const take = async (keys: GateBatch) => {
    while (!gate.makeRoom(keys.slots.length, SLICE_BUCKETS)) await nextTurn()
    gate.takeBatch(keys)
  }
  const serveNext = async (parts: ServedParts) => {
    await serveDataset(server, parts, config)
    post({ applied: true })
    collectGarbageSoon()
  }
  port.on('message', (message: ToWorker) => {
    if ('keys' in message) taken = taken.then(() => take(message.keys))
    else if ('confirmKeys' in message) void taken.then(() => post({ keysTaken: true }))
    else if ('snapshot' in message) void serveNext(message.snapshot)
    else if ('chaos' in message) {
      chaos?.setPlan(parsePlan(message.chaos))
      post({ applied: true })
    } else if ('reopenLog' in message) void access?.reopen()
    else if ('collectSearches' in message) post({ searches: searches?.days() ?? [] })
    else if ('renewCertificate' in message)
      server
        .renewCertificate()
        .catch(error => post({ log: `hsapi: a worker thread keeps the old certificate: ${error.message}`, level: 'error' }))
        .finally(() => post({ applied: true }))
    else void stop()
  })
  try {
    await serveDataset(server, snapshot, config)
    await server.listen(config.host, start.port, true)
    post({ ready: true })
  } catch (error) {
    fail(error)
  }
}

if (parentPort !== null) await work(parentPort)
