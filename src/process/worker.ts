/** A further thread that answers on the same port, from the same columns and counters. */
import { parentPort, workerData } from 'node:worker_threads'
import { Catalog } from '../catalog/catalog.js'
import { CoarseClock } from '../clock.js'
import { Counters } from '../gate/counters.js'
import { Gate } from '../gate/gate.js'
import type { KeyRecord } from '../gate/key-file.js'
import type { Usage } from '../gate/usage-store.js'
import { openEngine } from '../http/engines.js'
import type { Network } from '../http/ip-address.js'
import { Server } from '../http/server.js'
import { assemble, type SnapshotParts } from '../snapshot/load.js'
import { traced } from './log.js'

export interface WorkerStart {
  host: string
  port: number
  unauthorizedPerMinute: number
  trustedProxies: Network[]
  snapshot: SnapshotParts
  counters: SharedArrayBuffer
  /** What the first thread was told, in its order: slots are numbered by it. */
  usage: Usage[]
  keys: KeyRecord[][]
}

export type ToWorker = { keys: KeyRecord[] } | { stop: true }
/** `broken` tells why the thread is about to stop by itself; `stopped` comes after it, too. */
export type FromWorker = { ready: true } | { stopped: true } | { fault: string } | { broken: string }

/** Only uWebSockets.js lets threads share a port. */
const ENGINE = 'uws'

async function work(say: (message: FromWorker) => void, listen: (hear: (message: ToWorker) => void) => void) {
  const start = workerData as WorkerStart
  const gate = new Gate(new Counters(start.counters))
  gate.nameSlots(start.usage.map(({ keyId }) => keyId))
  for (const keys of start.keys) gate.setKeys(keys)
  const clock = new CoarseClock()
  const server = new Server({
    engine: openEngine(ENGINE),
    gate,
    clock,
    onFault: error => say({ fault: traced(error) }),
    unauthorizedPerMinute: start.unauthorizedPerMinute,
    trustedProxies: start.trustedProxies,
  })
  let stopping: Promise<void> | undefined
  const stop = async () => {
    // a thread whose sockets are still open when it ends takes the whole process down with it
    stopping ??= server.close()
    await stopping
    clock.stop()
    say({ stopped: true })
  }
  const fail = (error: unknown) => {
    say({ broken: traced(error) })
    void stop()
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  listen(message => {
    if ('keys' in message) gate.setKeys(message.keys)
    else void stop()
  })
  try {
    server.serve(new Catalog(assemble(start.snapshot)))
    await server.listen(start.host, start.port, true)
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
