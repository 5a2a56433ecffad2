/** The further threads of a server, seen from the first. */
import { Worker } from 'node:worker_threads'
import type { KeyBatch } from '../keys/key-table.js'
import type { Tally } from '../metrics/tally.js'
import type { SnapshotParts } from '../snapshot/decode.js'
import type { StoreEvents } from './leases.js'
import { type Log, traced } from './log.js'
import type { FromWorker, ToWorker, WorkerStart } from './worker.js'

/** Beyond this, and the time to drain, a thread that was told to stop is given up: counts are saved without it. */
const STOP_MS = 3_000

/** One thread. It is over once it said that its sockets are closed, or once it is gone. */
class Member {
  readonly #thread: Worker
  readonly ready: Promise<void>
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
    this.#thread = new Worker(new URL('worker.js', import.meta.url), { workerData })
    this.#stopMs = start.settings.drainMs + STOP_MS
    let isReady: () => void
    let isOver: (problems: string[]) => void
    let failed: (error: Error) => void
    this.ready = new Promise((resolve, reject) => {
      isReady = resolve
      failed = reject
    })
    // who waits for a start that fails is told through `onBroken` as well
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
      broken(`it ended with ${code}`)
      isOver([])
    })
  }

  tell(message: ToWorker): void {
    this.#thread.postMessage(message)
  }

  /** Settles once it serves this snapshot, or is gone. */
  async swap(snapshot: SnapshotParts): Promise<void> {
    const done = new Promise<void>(resolve => {
      this.#swapped = resolve
    })
    this.tell({ snapshot })
    await Promise.race([done, this.#over])
  }

  /** Settles once it makes these faults, or is gone. */
  async applyChaos(chaos: string): Promise<void> {
    const done = new Promise<void>(resolve => this.#chaosApplied.push(resolve))
    this.tell({ chaos })
    await Promise.race([done, this.#over])
  }

  /** Gives what went wrong, in sentences. */
  async stop(): Promise<string[]> {
    this.tell({ stop: true })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string[]>(resolve => {
      timer = setTimeout(() => resolve(['a worker thread did not stop in time']), this.#stopMs)
    })
    const problems = await Promise.race([this.#over, late])
    clearTimeout(timer)
    return problems
  }

  /** uWebSockets keeps a timer of its own, so the thread would not end by itself. */
  async terminate(): Promise<void> {
    await this.#thread.terminate()
  }
}

export class Crew {
  readonly #members: Member[] = []
  readonly #onBroken: (why: string) => void
  #isUp = false
  #isStopping = false

  private constructor(onBroken: (why: string) => void) {
    this.#onBroken = onBroken
  }

  /**
   * All threads, listening; or none of them and an error. `onBroken` is told at most once, of the first that breaks. Each
   * counts in a tally of its own, where there are any.
   */
  static async start(
    count: number,
    start: Omit<WorkerStart, 'thread'>,
    tallies: readonly Tally[],
    log: Log,
    store: StoreEvents,
    onBroken: (why: string) => void,
  ): Promise<Crew> {
    const crew = new Crew(onBroken)
    // no function made here may refer to `start`: as long as it lives, so does the first dataset
    const broken = crew.#broken
    for (let thread = 1; thread <= count; thread++)
      crew.#members.push(new Member(start, thread, tallies[thread - 1], log, store, broken))
    try {
      await Promise.all(crew.#members.map(({ ready }) => ready))
    } catch (error) {
      await crew.stop().catch(() => {})
      await crew.terminate()
      throw error
    }
    crew.#isUp = true
    return crew
  }

  readonly #broken = (why: string): void => {
    if (!this.#isUp || this.#isStopping) return
    this.#isUp = false
    this.#onBroken(why)
  }

  tellKeys(keys: KeyBatch): void {
    for (const member of this.#members) member.tell({ keys })
  }

  reopenLog(): void {
    for (const member of this.#members) member.tell({ reopenLog: true })
  }

  async swap(snapshot: SnapshotParts): Promise<void> {
    await Promise.all(this.#members.map(member => member.swap(snapshot)))
  }

  async applyChaos(chaos: string): Promise<void> {
    await Promise.all(this.#members.map(member => member.applyChaos(chaos)))
  }

  /** Each closes its sockets before it ends: a thread that still listens when the process exits aborts it. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const problems = await Promise.all(this.#members.map(member => member.stop()))
    if (problems.flat().length > 0) throw new Error(problems.flat().join('; '))
  }

  /** After `stop`. Does not settle while a file operation of a thread hangs. */
  async terminate(): Promise<void> {
    await Promise.all(this.#members.map(member => member.terminate()))
  }
}
