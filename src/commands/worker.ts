/** A further thread that answers on the same port, from the same columns and counters. */
import { parentPort, workerData } from 'node:worker_threads'
import { Catalog } from '../catalog/catalog.js'
import { CoarseClock } from '../clock.js'
import { Counters } from '../gate/counters.js'
import { Gate } from '../gate/gate.js'
import type { KeyRecord } from '../gate/key-file.js'
import type { Usage } from '../gate/usage-store.js'
import { createServer } from '../http/server.js'
import { assemble, type SnapshotParts } from '../snapshot/load.js'

export interface WorkerStart {
  host: string
  port: number
  snapshot: SnapshotParts
  counters: SharedArrayBuffer
  /** What the first thread was told, in its order: slots are numbered by it. */
  usage: Usage[]
  keys: KeyRecord[][]
}

export type ToWorker = { keys: KeyRecord[] } | { stop: true }
export type FromWorker = { ready: true } | { stopped: true } | { fault: string } | { failed: string }

const port = parentPort
if (port !== null) {
  const say = (message: FromWorker) => port.postMessage(message)
  const start = workerData as WorkerStart
  const gate = new Gate(new Counters(start.counters))
  gate.nameSlots(start.usage.map(({ keyId }) => keyId))
  for (const keys of start.keys) gate.setKeys(keys)
  const clock = new CoarseClock()
  const server = createServer({
    gate,
    clock,
    onFault: error => say({ fault: (error as Error).stack ?? String(error) }),
  })
  server.serve(new Catalog(assemble(start.snapshot)))
  port.on('message', async (message: ToWorker) => {
    if ('keys' in message) {
      gate.setKeys(message.keys)
      return
    }
    await server.close()
    clock.stop()
    say({ stopped: true })
  })
  server.listen(start.host, start.port, true).then(
    () => say({ ready: true }),
    error => say({ failed: (error as Error).message }),
  )
}
