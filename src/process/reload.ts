import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { DecisionTable } from '../catalog/decisions.js'
import { threadEntry } from '../package-root.js'
import { stampOf } from '../snapshot/load.js'
import { collectGarbageSoon } from './collect-garbage.js'
import type { ReloadResult } from './data-folder.js'
import type { Loaded, LoadOrder } from './load-thread.js'
import type { Log } from './log.js'
import { oneAtATime } from './one-at-a-time.js'
import type { ServedParts } from './served-catalog.js'

const WATCH_MS = 1_000
/** Polls skipped after an unreadable file, because each attempt starts a thread and writes a log line. */
const CHECKS_SKIPPED = 10

function loadInThread(order: LoadOrder): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(threadEntry('load-thread.js'), { workerData: order })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', code => reject(new Error(`the thread that loads the snapshot exited with code ${code}`)))
  })
}

export interface ReloaderOptions {
  locate(): string
  decisions?(): Promise<DecisionTable | undefined>
  shared: boolean
  stamp: string
  /** Settles once every thread serves the dataset. */
  swap(parts: ServedParts, loadSeconds: number): Promise<void>
  log: Log
  load?: typeof loadInThread
}

export class Reloader {
  loaded = 0
  refused = 0
  /** Why the last attempt failed; undefined if it succeeded. */
  problem: string | undefined
  /** Stamp of the last file that was read, valid or not. */
  #stamp: string
  #seen: string | undefined
  #timer: NodeJS.Timeout | undefined
  #checksToSkip = 0
  #isStopped = false

  constructor(private readonly options: ReloaderOptions) {
    this.#stamp = options.stamp
  }

  readonly reload = oneAtATime(async (): Promise<ReloadResult> => {
    if (this.#isStopped) return { isLoaded: false, message: 'the server is stopping' }
    const { locate, shared, swap, log, load = loadInThread } = this.options
    const file = locate()
    let result: ReloadResult
    try {
      const startMs = performance.now()
      const loaded = await load({ file, shared })
      if ('refused' in loaded) {
        this.#stamp = loaded.stamp ?? this.#stamp
        throw new Error(loaded.refused)
      }
      const { parts, stamp } = loaded
      const { edition, records } = parts.meta
      const decisions = await this.options.decisions?.()
      await swap(decisions === undefined ? parts : { ...parts, decisions }, (performance.now() - startMs) / 1000)
      collectGarbageSoon()
      this.#stamp = stamp
      result = { isLoaded: true, message: `${file} was loaded: ${edition}, ${records} records` }
    } catch (error) {
      result = { isLoaded: false, message: `${(error as Error).message}; still serving the previous dataset` }
    }
    if (result.isLoaded) this.loaded++
    else this.refused++
    this.problem = result.isLoaded ? undefined : result.message
    log(`hsapi: ${result.message}`, result.isLoaded ? 'info' : 'warning')
    return result
  })

  watch(): void {
    this.#timer = setInterval(this.checkForChanges, WATCH_MS)
  }

  readonly checkForChanges = oneAtATime(async () => {
    if (this.#checksToSkip-- > 0) return
    const stamp = await stat(this.options.locate(), { bigint: true }).then(stampOf, () => undefined)
    // the stamp is the same twice, so the file is no longer being written
    const isNew = stamp !== undefined && stamp !== this.#stamp && stamp === this.#seen
    this.#seen = stamp
    if (!isNew) return
    await this.reload()
    this.#checksToSkip = stamp === this.#stamp ? 0 : CHECKS_SKIPPED
  })

  /** Waits for a running reload. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#isStopped = true
    await this.reload()
  }
}
