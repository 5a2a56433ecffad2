import { Worker } from 'node:worker_threads'
import type { DecisionTable } from '../catalog/decisions.js'
import { readDecisions } from '../decisions/decisions-file.js'
import { threadEntry } from '../package-root.js'
import { stampOfFile } from '../snapshot/load.js'
import { collectGarbageSoon } from './collect-garbage.js'
import type { ReloadResult } from './data-folder.js'
import type { Loaded, LoadOrder } from './load-thread.js'
import type { Log } from './log.js'
import { oneAtATime } from './one-at-a-time.js'
import type { ServedParts } from './served-catalog.js'

const WATCH_MS = 1_000
/** Number of polls that are skipped if a file cannot be read, because each attempt starts a thread and writes a log line. */
const CHECKS_SKIPPED = 10

const keyOf = ({ snapshot, decisions }: Stamps) => `${snapshot} ${decisions}`

function loadInThread(order: LoadOrder): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(threadEntry('load-thread.js'), { workerData: order })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', code => reject(new Error(`the thread that loads the snapshot exited with code ${code}`)))
  })
}

/** Versions of the files that a server has read. */
export interface Stamps {
  snapshot: string
  /** '' if there is no such file. */
  decisions: string
}

export interface ReloaderOptions {
  locate(): string
  decisions?: string | undefined
  shared: boolean
  stamps: Stamps
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
  /** The stamps of the files that were read last, valid or not. */
  #stamps: Stamps
  #seen: string | undefined
  #timer: NodeJS.Timeout | undefined
  #checksToSkip = 0
  #isStopped = false

  constructor(private readonly options: ReloaderOptions) {
    this.#stamps = options.stamps
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
        this.#stamps = { ...this.#stamps, snapshot: loaded.stamp ?? this.#stamps.snapshot }
        throw new Error(loaded.refused)
      }
      const { parts, stamp } = loaded
      const { edition, records } = parts.meta
      const decisions = await this.#readDecisions()
      await swap(decisions === undefined ? parts : { ...parts, decisions }, (performance.now() - startMs) / 1000)
      collectGarbageSoon()
      this.#stamps = { ...this.#stamps, snapshot: stamp }
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

  async #readDecisions(): Promise<DecisionTable | undefined> {
    const { decisions: file } = this.options
    if (file === undefined) return undefined
    // take the stamp before reading the file, so that a change during the reading is noticed
    this.#stamps = { ...this.#stamps, decisions: (await stampOfFile(file)) ?? '' }
    return readDecisions(file)
  }

  watch(): void {
    this.#timer = setInterval(this.checkForChanges, WATCH_MS)
  }

  readonly checkForChanges = oneAtATime(async () => {
    if (this.#checksToSkip-- > 0) return
    const { locate, decisions: file } = this.options
    const [snapshot, decisions] = await Promise.all([stampOfFile(locate()), file === undefined ? '' : stampOfFile(file)])
    const found = snapshot === undefined || decisions === undefined ? undefined : keyOf({ snapshot, decisions })
    // if the stamps are the same as at the last check, the files are no longer being written
    const isNew = found !== undefined && found !== keyOf(this.#stamps) && found === this.#seen
    this.#seen = found
    if (!isNew) return
    await this.reload()
    this.#checksToSkip = found === keyOf(this.#stamps) ? 0 : CHECKS_SKIPPED
  })

  /** Stops watching the files, and waits for a running reload. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#isStopped = true
    await this.reload()
  }
}
