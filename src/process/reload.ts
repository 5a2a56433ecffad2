/** A new snapshot in the place of the one that is served, between two requests. */
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { SnapshotParts } from '../snapshot/decode.js'
import { stampOf } from '../snapshot/load.js'
import type { ReloadResult } from './data-folder.js'
import type { Loaded, LoadOrder } from './load-thread.js'
import type { Log } from './log.js'

const WATCH_MS = 1_000
/** After a file that could not be read, so many looks are left out: each attempt is a thread and a line in the log. */
const LOOKS_SKIPPED = 10

/** The snapshot, read and checked by a thread of its own. */
function loadAside(order: LoadOrder): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('load-thread.js', import.meta.url), { workerData: order })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', code => reject(new Error(`the thread that reads the snapshot ended with ${code}`)))
  })
}

export interface ReloaderOptions {
  /** The file to load, which a build may have made since the last time. */
  locate(): string
  /** Whether several threads are to read the columns. */
  shared: boolean
  /** Tells the file that was read at the start from another one in its place. */
  stamp: string
  /** Has every thread serve it; settles once all do. */
  swap(parts: SnapshotParts, loadSeconds: number): Promise<void>
  log: Log
  load?: typeof loadAside
}

export class Reloader {
  readonly #options: ReloaderOptions
  readonly #load: typeof loadAside
  /** Of the file that was last read, good or bad. */
  #stamp: string
  #seen: string | undefined
  #running: Promise<ReloadResult> | undefined
  #waiting: Promise<ReloadResult> | undefined
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  #looksToSkip = 0

  constructor(options: ReloaderOptions) {
    this.#options = options
    this.#load = options.load ?? loadAside
    this.#stamp = options.stamp
  }

  /**
   * A snapshot that cannot be served leaves the old one in its place. One load at a time: those who ask meanwhile share the
   * next one, since the one under way may have read the file before they changed it.
   */
  reload(): Promise<ReloadResult> {
    if (this.#running === undefined) return this.#run()
    this.#waiting ??= this.#running.then(() => {
      this.#waiting = undefined
      return this.#run()
    })
    return this.#waiting
  }

  #run(): Promise<ReloadResult> {
    this.#running = this.#replace().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #replace(): Promise<ReloadResult> {
    const { locate, shared, swap, log } = this.#options
    const file = locate()
    let result: ReloadResult
    try {
      const startMs = performance.now()
      const loaded = await this.#load({ file, shared })
      if ('refused' in loaded) {
        this.#stamp = loaded.stamp ?? this.#stamp
        throw new Error(loaded.refused)
      }
      const { parts, stamp } = loaded
      const { edition, records } = parts.meta
      await swap(parts, (performance.now() - startMs) / 1000)
      this.#stamp = stamp
      result = { isLoaded: true, message: `${file} was loaded: ${edition}, ${records} records` }
    } catch (error) {
      result = {
        isLoaded: false,
        message: `${(error as Error).message}; the dataset loaded before is served on`,
      }
    }
    log(`hsapi: ${result.message}`)
    return result
  }

  /** Loads the file whenever another one stands in its place. */
  watch(): void {
    this.#timer = setInterval(() => void this.look(), WATCH_MS)
  }

  async look(): Promise<void> {
    if (this.#isLooking || this.#looksToSkip-- > 0) return
    this.#isLooking = true
    const stamp = await stat(this.#options.locate(), { bigint: true }).then(stampOf, () => undefined)
    // what was seen twice is not being written any more
    const isNew = stamp !== undefined && stamp !== this.#stamp && stamp === this.#seen
    this.#seen = stamp
    if (isNew) {
      await this.reload()
      this.#looksToSkip = stamp === this.#stamp ? 0 : LOOKS_SKIPPED
    }
    this.#isLooking = false
  }

  /** Waits for a load that is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#waiting
    await this.#running
  }
}
