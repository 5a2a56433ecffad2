/** A new snapshot in the place of the one that is served, between two requests. */
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { SnapshotParts } from '../snapshot/decode.js'
import { SnapshotError } from '../snapshot/format.js'
import type { ReloadResult } from './data-folder.js'
import type { Loaded, LoadOrder } from './load-thread.js'
import type { Log } from './log.js'

const WATCH_MS = 1_000

/** The snapshot, read and checked by a thread of its own. */
function loadAside(order: LoadOrder): Promise<SnapshotParts> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('load-thread.js', import.meta.url), { workerData: order })
    thread.once('message', (loaded: Loaded) => {
      if ('parts' in loaded) resolve(loaded.parts)
      else reject(new SnapshotError(loaded.refused))
    })
    thread.once('error', reject)
    thread.once('exit', code => reject(new Error(`the thread that reads the snapshot ended with ${code}`)))
  })
}

async function stampOf(file: string): Promise<string | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined)
  return found && `${found.ino}-${found.mtimeNs}-${found.size}`
}

export interface ReloaderOptions {
  /** The file to load, which a build may have made since the last time. */
  locate(): string
  /** Whether several threads are to read the columns. */
  shared: boolean
  /** Has every thread serve it; settles once all do. */
  swap(parts: SnapshotParts, loadSeconds: number): Promise<void>
  log: Log
}

export class Reloader {
  readonly #options: ReloaderOptions
  /** One at a time; who asks meanwhile gets the next. */
  #last: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ReloaderOptions) {
    this.#options = options
  }

  /** A snapshot that cannot be served leaves the old one in its place. */
  reload(): Promise<ReloadResult> {
    const next = this.#last.then(() => this.#load())
    this.#last = next
    return next
  }

  async #load(): Promise<ReloadResult> {
    const { locate, shared, swap, log } = this.#options
    const file = locate()
    let result: ReloadResult
    try {
      const startMs = performance.now()
      const parts = await loadAside({ file, shared })
      const { edition, records } = parts.meta
      await swap(parts, (performance.now() - startMs) / 1000)
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
  async watch(): Promise<void> {
    const { locate } = this.#options
    let served = await stampOf(locate())
    let seen = served
    this.#timer = setInterval(async () => {
      const stamp = await stampOf(locate())
      // what was seen twice is not being written any more
      const isNew = stamp !== undefined && stamp !== served && stamp === seen
      seen = stamp
      if (!isNew) return
      served = stamp
      await this.reload()
    }, WATCH_MS)
  }

  /** Waits for a load that is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#last
  }
}
