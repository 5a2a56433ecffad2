/** The worker threads of a server, controlled by the first thread. */
import { Worker } from 'node:worker_threads'
import type { KeyBatch } from '../keys/key-table.js'
import type { Tally } from '../metrics/tally.js'
import { threadEntry } from '../package-root.js'
import type { SnapshotParts } from '../snapshot/decode.js'
import type { StoreEvents } from './leases.js'
import { type Log, traced } from './log.js'
import type { FromWorker, ToWorker, WorkerStart } from './worker.js'

/** After this plus the drain time, a stopping thread is not waited for any longer. */
const STOP_MS = 3_000

class PoolThread {
  readonly #thread: Worker
  readonly ready: Promise<void>
  /** Its sockets are closed, or it has exited. */
  readonly #over: Promise<string[]>
  readonly #stopMs: number
  #swapped: (() => void) | undefined
  /** In the order of the plans sent. */
  readonly #chaosApplied: (() => void)[] = []

  constructor(
    start: Omit<WorkerStart, 'thread'>,
    thread: number,
    tally: Tally | undefined,
    log: Log,
    store: StoreEvents,
    onBroken: (why: string) => void,
  ) {
    const workerData: WorkerStart = { ...start, thread, tally: tally?.buffer }
    this.#thread = new Worker(threadEntry('worker.js'), { workerData })
    this.#stopMs = start.settings.drainMs + STOP_MS
    let isReady: () => void
    let isOver: (problems: string[]) => void
    let failed: (error: Error) => void
    this.ready = new Promise((resolve, reject) => {
      isReady = resolve
      failed = reject
    })
    // a failed start is also reported through `onBroken`
    this.ready.catch(() => {})
    this.#over = new Promise(resolve => {
      isOver = resolve
    })
    const broken = (why: string) => {
      failed(new Error(`a worker failed: ${why}`))
      onBroken(why)
    }
    this.#thread.on('message', (message: FromWorker) => {
      if ('ready' in message) isReady()
      else if ('swapped' in message) this.#swapped?.()
      else if ('chaosApplied' in message) this.#chaosApplied.shift()?.()
      else if ('stopped' in message) isOver(message.stopped)
      else if ('log' in message) log(message.log)
      else if ('storeLost' in message) store.lost(message.storeLost)
      else if ('storeBack' in message) store.back()
      else if ('damagedKey' in message) store.damaged(message.damagedKey, message.reason)
      else broken(message.broken)
    })
    this.#thread.on('error', error => broken(traced(error)))
    this.#thread.on('exit', code => {
      broken(`exit code ${code}`)
      isOver([])
    })
  }

  post(message: ToWorker): void {
    this.#thread.postMessage(message)
  }

  /** Settles once it serves this snapshot, or has exited. */
  async swap(snapshot: SnapshotParts): Promise<void> {
    const done = new Promise<void>(resolve => {
      this.#swapped = resolve
    })
    this.post({ snapshot })
    await Promise.race([done, this.#over])
  }

  async applyChaos(chaos: string): Promise<void> {
    const done = new Promise<void>(resolve => this.#chaosApplied.push(resolve))
    this.post({ chaos })
    await Promise.race([done, this.#over])
  }

  /** Returns what went wrong. */
  async stop(): Promise<string[]> {
    this.post({ stop: true })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string[]>(resolve => {
      timer = setTimeout(() => resolve(['a worker thread did not stop in time']), this.#stopMs)
    })
    const problems = await Promise.race([this.#over, late])
    clearTimeout(timer)
    return problems
  }

  /** A timer of uWebSockets.js keeps the thread alive. */
  async terminate(): Promise<void> {
    await this.#thread.terminate()
  }
}

export class WorkerPool {
  readonly #threads: PoolThread[] = []
  readonly #onBroken: (why: string) => void
  #isUp = false
  #isStopping = false

  private constructor(onBroken: (why: string) => void) {
    this.#onBroken = onBroken
  }

  /** Settles once all threads listen; if one fails, all are stopped. `onBroken` is called at most once. */
  static async start(
    count: number,
    start: Omit<WorkerStart, 'thread'>,
    tallies: readonly Tally[],
    log: Log,
    store: StoreEvents,
    onBroken: (why: string) => void,
  ): Promise<WorkerPool> {
    const pool = new WorkerPool(onBroken)
    // no closure here may capture `start`, or the first dataset would never be freed
    const broken = pool.#broken
    for (let thread = 1; thread <= count; thread++)
      pool.#threads.push(new PoolThread(start, thread, tallies[thread - 1], log, store, broken))
    try {
      await Promise.all(pool.#threads.map(({ ready }) => ready))
    } catch (error) {
      await pool.stop().catch(() => {})
      await pool.terminate()
      throw error
    }
    pool.#isUp = true
    return pool
  }

  readonly #broken = (why: string): void => {
    if (!this.#isUp || this.#isStopping) return
    this.#isUp = false
    this.#onBroken(why)
  }

  sendKeys(keys: KeyBatch): void {
    for (const thread of this.#threads) thread.post({ keys })
  }

  reopenLog(): void {
    for (const thread of this.#threads) thread.post({ reopenLog: true })
  }

  async swap(snapshot: SnapshotParts): Promise<void> {
    await Promise.all(this.#threads.map(thread => thread.swap(snapshot)))
  }

  async applyChaos(chaos: string): Promise<void> {
    await Promise.all(this.#threads.map(thread => thread.applyChaos(chaos)))
  }

  /** Closes all sockets: a thread that still listens when the process exits aborts it. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const problems = (await Promise.all(this.#threads.map(thread => thread.stop()))).flat()
    if (problems.length > 0) throw new Error(problems.join('; '))
  }

  /** After `stop`. Does not settle while a file operation of a thread hangs. */
  async terminate(): Promise<void> {
    await Promise.all(this.#threads.map(thread => thread.terminate()))
  }
}
