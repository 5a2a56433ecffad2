/** The worker threads of a server, controlled by the first thread. */
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { StoreEvents } from '../leases/lease-manager.js'
import type { DayCounts } from '../metrics/search-counts.js'
import type { Tally } from '../metrics/tally.js'
import { threadEntry } from '../package-root.js'
import { type Log, traced } from './log.js'
import type { FromWorker, ToWorker, WorkerStart } from './worker.js'

/** A stopping thread gets this time in addition to the waits for its requests and idle connections. */
const STOP_MS = 3_000

interface PoolOptions {
  log: Log
  store: StoreEvents
  onBroken(why: string): void
}

class PoolThread {
  readonly #thread: Worker
  readonly ready: Promise<void>
  /** Resolves to the problems that occurred while stopping, once the thread has closed its sockets or exited. */
  readonly #ended: Promise<string[]>
  readonly #stopMs: number
  /** Waiting callers of `apply`, `confirmKeys` and `searches`. The thread answers the calls of each function in order. */
  readonly #applyCallers: (() => void)[] = []
  readonly #confirmCallers: (() => void)[] = []
  readonly #searchCallers: ((days: DayCounts[]) => void)[] = []

  constructor(workerData: WorkerStart, { log, store, onBroken }: PoolOptions) {
    this.#thread = new Worker(threadEntry('worker.js'), { workerData })
    const { finishMs, drainMs } = workerData.settings
    this.#stopMs = finishMs + drainMs + STOP_MS
    let isReady: () => void
    let isOver: (problems: string[]) => void
    let failed: (error: Error) => void
    this.ready = new Promise((resolve, reject) => {
      isReady = resolve
      failed = reject
    })
    // a failed start is also reported through `onBroken`
    this.ready.catch(() => {})
    this.#ended = new Promise(resolve => {
      isOver = resolve
    })
    const broken = (why: string) => {
      failed(new Error(`a worker failed: ${why}`))
      onBroken(why)
    }
    this.#thread.on('message', (message: FromWorker) => {
      if ('ready' in message) isReady()
      else if ('applied' in message) this.#applyCallers.shift()?.()
      else if ('keysTaken' in message) this.#confirmCallers.shift()?.()
      else if ('searches' in message) this.#searchCallers.shift()?.(message.searches)
      else if ('stopped' in message) isOver(message.stopped)
      else if ('log' in message) log(message.log, message.level)
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

  /** Settles once the thread has applied the message, or has exited. */
  async apply(message: ToWorker): Promise<void> {
    const applied = new Promise<void>(resolve => this.#applyCallers.push(resolve))
    this.post(message)
    await Promise.race([applied, this.#ended])
  }

  /** Settles once keys that were posted before are in force, or the thread has exited. */
  async confirmKeys(): Promise<void> {
    const taken = new Promise<void>(resolve => this.#confirmCallers.push(resolve))
    this.post({ confirmKeys: true })
    await Promise.race([taken, this.#ended])
  }

  /** Resolves to the thread's counts of searches; empty if the thread has exited. */
  async searches(): Promise<DayCounts[]> {
    const collected = new Promise<DayCounts[]>(resolve => this.#searchCallers.push(resolve))
    this.post({ collectSearches: true })
    return Promise.race([collected, this.#ended.then(() => [])])
  }

  stop(): Promise<string[]> {
    this.post({ stop: true })
    return Promise.race([this.#ended, wait(this.#stopMs, ['a worker thread did not stop in time'], { ref: false })])
  }

  /** Needed because a timer of uWebSockets.js keeps the thread alive. */
  async terminate(): Promise<void> {
    await this.#thread.terminate()
  }
}

async function stopAll(threads: readonly PoolThread[]): Promise<void> {
  const problems = (await Promise.all(threads.map(thread => thread.stop()))).flat()
  if (problems.length > 0) throw new Error(problems.join('; '))
}

async function terminateAll(threads: readonly PoolThread[]): Promise<void> {
  await Promise.all(threads.map(thread => thread.terminate()))
}

/** The pool is empty until `start`, and stays empty if a single thread answers requests. */
export class WorkerPool {
  #threads: readonly PoolThread[] = []
  #onBroken: (why: string) => void = () => {}
  /** Settles when a thread fails after the start; the value is the reason. */
  readonly broken = new Promise<string>(resolve => {
    this.#onBroken = resolve
  })
  #isUp = false

  get isEmpty(): boolean {
    return this.#threads.length === 0
  }

  /** Settles once all threads listen; if one fails, all are stopped. */
  async start(
    count: number,
    start: Omit<WorkerStart, 'thread'>,
    tallies: readonly Tally[],
    options: Omit<PoolOptions, 'onBroken'>,
  ): Promise<void> {
    // no closure here may capture `start`, or the first dataset would never be freed
    const onBroken = this.#broken
    const threads: PoolThread[] = []
    for (let thread = 1; thread <= count; thread++)
      threads.push(new PoolThread({ ...start, thread, tally: tallies[thread]?.buffer }, { ...options, onBroken }))
    try {
      await Promise.all(threads.map(({ ready }) => ready))
    } catch (error) {
      await stopAll(threads).catch(() => {})
      await terminateAll(threads)
      throw error
    }
    this.#threads = threads
    this.#isUp = true
  }

  readonly #broken = (why: string): void => {
    if (this.#isUp) this.#onBroken(why)
  }

  post(message: ToWorker): void {
    for (const thread of this.#threads) thread.post(message)
  }

  async apply(message: ToWorker): Promise<void> {
    await Promise.all(this.#threads.map(thread => thread.apply(message)))
  }

  async confirmKeys(): Promise<void> {
    await Promise.all(this.#threads.map(thread => thread.confirmKeys()))
  }

  searches(): Promise<DayCounts[][]> {
    return Promise.all(this.#threads.map(thread => thread.searches()))
  }

  /** Closes all sockets: if a thread still listens when the process exits, the process aborts. */
  stop(): Promise<void> {
    this.#isUp = false
    return stopAll(this.#threads)
  }

  /** Must be called after `stop`. Does not settle while a file operation of a thread hangs. */
  terminate(): Promise<void> {
    return terminateAll(this.#threads)
  }
}
