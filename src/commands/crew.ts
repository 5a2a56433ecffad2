/** The further threads of a server, seen from the first. */
import { Worker } from 'node:worker_threads'
import { OperatorError } from '../errors.js'
import type { KeyRecord } from '../gate/key-file.js'
import type { FromWorker, ToWorker, WorkerStart } from './worker.js'

export interface Crew {
  setKeys(keys: KeyRecord[]): void
  /** Each closes its sockets before it ends: a thread that still listens when the process exits aborts it. */
  stop(): Promise<void>
}

function startWorker(start: WorkerStart, log: (line: string) => void): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('worker.js', import.meta.url), { workerData: start })
    worker.on('message', (message: FromWorker) => {
      if ('ready' in message) resolve(worker)
      else if ('failed' in message) reject(new OperatorError(message.failed))
      else if ('fault' in message) log(`hsapi: a request failed: ${message.fault}`)
    })
    worker.on('error', error => {
      reject(error)
      // a thread lost is capacity lost, silently; better to stop and be started again
      log(`hsapi: a worker ended: ${error.stack}`)
      process.exitCode = 1
      process.kill(process.pid, 'SIGTERM')
    })
  })
}

export async function startCrew(
  count: number,
  start: WorkerStart,
  log: (line: string) => void,
): Promise<Crew> {
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(start, log)))
  const tell = (worker: Worker, message: ToWorker) => worker.postMessage(message)
  return {
    setKeys: keys => workers.forEach(worker => void tell(worker, { keys })),
    stop: async () => {
      await Promise.all(
        workers.map(async worker => {
          const stopped = new Promise<void>(done => {
            worker.on('message', (message: FromWorker) => {
              if ('stopped' in message) done()
            })
          })
          tell(worker, { stop: true })
          await stopped
          // uWebSockets keeps a timer of its own, so the thread would not end by itself
          await worker.terminate()
        }),
      )
    },
  }
}
