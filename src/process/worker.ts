/** A further thread that answers on the same port, from the same columns and counters. */
import { parentPort, workerData } from 'node:worker_threads'
import { Catalog } from '../catalog/catalog.js'
import { parsePlan } from '../chaos/expression.js'
import { CoarseClock } from '../clock.js'
import { Counters } from '../gate/counters.js'
import { Gate } from '../gate/gate.js'
import type { KeyBatch } from '../gate/key-table.js'
import { LeaseTable } from '../gate/lease-table.js'
import { SLICE_PLACES, turn } from '../gate/slices.js'
import { Chaos } from '../http/chaos.js'
import { openEngine } from '../http/engines.js'
import { Server } from '../http/server.js'
import { Tally } from '../metrics/tally.js'
import { watchThread } from '../metrics/watch-thread.js'
import { threadConfig } from '../settings/config.js'
import type { ThreadSettings } from '../settings/table.js'
import { assemble, type SnapshotParts } from '../snapshot/decode.js'
import { AccessLogWriter } from './access-log.js'
import { collectSoon } from './collect.js'
import { type ExplorerParts, withExplorer } from './explorer.js'
import { openLeasing } from './leases.js'
import { faultLine, traced } from './log.js'
import { Teardown } from './teardown.js'

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

export type ToWorker =
  | { keys: KeyBatch }
  | { snapshot: SnapshotParts }
  | { chaos: string }
  | { reopenLog: true }
  | { stop: true }
/** `broken` tells why the thread is about to stop by itself; `stopped` comes after it, too, with what went wrong then. */
export type FromWorker =
  | { ready: true }
  | { swapped: true }
  | { troubled: true }
  | { stopped: string[] }
  | { fault: string }
  | { said: string }
  | { broken: string }
  | { storeLost: string }
  | { storeBack: true }
  | { damagedKey: string; reason: string }

/** Only uWebSockets.js lets threads share a port. */
const ENGINE = 'uws'

async function work(say: (message: FromWorker) => void, listen: (hear: (message: ToWorker) => void) => void) {
  const { snapshot, ...start } = workerData as WorkerStart
  // the thread's own data outlives it: without this the first dataset would never be freed
  delete (workerData as Partial<WorkerStart>).snapshot
  const config = threadConfig(start.settings)
  const counters = new Counters(start.counters)
  const storeEvents = {
    lost: (reason: string) => say({ storeLost: reason }),
    back: () => say({ storeBack: true }),
    damaged: (keyId: string, reason: string) => say({ damagedKey: keyId, reason }),
  }
  const leasing =
    config.redis && (await openLeasing(config.redis, counters, new LeaseTable(start.leases), storeEvents))
  const gate = new Gate(counters, leasing?.desk)
  gate.takeBatch(start.keys)
  gate.hasKeys = start.hasKeys
  const clock = new CoarseClock()
  const tally = start.tally && new Tally(start.tally)
  const engine = openEngine(ENGINE, config.unreadBytesMax, config.tls)
  const access =
    config.accessLog &&
    (await AccessLogWriter.open({ ...config.accessLog, onTrouble: said => say({ said }) }))
  if (tally !== undefined)
    watchThread(tally, () => ({ connections: engine.connections, accessDropped: access?.dropped ?? 0 }))
  const chaos =
    config.chaos === undefined
      ? undefined
      : new Chaos({ sender: engine.sender, plan: parsePlan(config.chaos), thread: start.thread, tally })
  const server = new Server({
    ...withExplorer(start.explorer),
    engine,
    gate,
    clock,
    onFault: (error, id) => say({ fault: faultLine(id, traced(error)) }),
    tally,
    access: access?.log,
    chaos,
    origins: config.corsOrigins,
    withLimitFields: config.rateLimitFields,
  })
  const teardown = new Teardown()
  // a thread whose sockets are still open when it ends takes the whole process down with it
  teardown.push('requests', () => server.close(config.drainMs))
  teardown.push('counts', () => leasing?.close())
  teardown.push('rest', () => access?.close())
  teardown.push('rest', () => clock.stop())
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
    while (!gate.makeRoom(keys.slots.length, SLICE_PLACES)) await turn()
    gate.takeBatch(keys)
  }
  listen(message => {
    if ('keys' in message) taken = taken.then(() => take(message.keys))
    else if ('snapshot' in message) {
      server.serve(new Catalog(assemble(message.snapshot)))
      say({ swapped: true })
      collectSoon()
    } else if ('chaos' in message) {
      chaos?.follow(parsePlan(message.chaos))
      say({ troubled: true })
    } else if ('reopenLog' in message) void access?.reopen()
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
