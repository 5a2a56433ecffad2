/**
 * Does the work of large requests in parts. Each turn of the event loop does one part of one request, in rotation: other
 * requests wait for one part at most, and a short batch does not wait for the end of a long one.
 */
import { BATCHES_MAX, KEY_BATCHES_MAX } from '../limits.js'
import { Refusal } from '../questions/refusal.js'

/** Does one part; returns false after the last one. */
export type Work = () => boolean

export const BATCH_RETRY_SECONDS = 1

/** A large request. It counts toward the limits on batches until `end` is called. */
export interface Batch {
  /** Calls `done` after the last part, or with the error that a part threw; never after `end`. */
  start(work: Work, done: (error?: unknown) => void): void
  /** Ends the work. May be called more than once. */
  end(): void
}

interface Started {
  work: Work
  done(error?: unknown): void
}

export class Batches {
  readonly #countByKey = new Map<string, number>()
  #count = 0
  /** The requests in rotation; the next one is first. */
  readonly #started: Started[] = []
  #isTurnDue = false

  enter(key: string): Batch | Refusal {
    const ofKey = this.#countByKey.get(key) ?? 0
    if (ofKey >= KEY_BATCHES_MAX)
      return new Refusal('busy', 'This key has too many batch requests in progress; send fewer at the same time.')
    if (this.#count >= BATCHES_MAX)
      return new Refusal('busy', 'The server has too many batch requests in progress; try again in a moment.')
    this.#change(key, 1)
    return this.#newBatch(key)
  }

  #newBatch(key: string): Batch {
    let started: Started | undefined
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      this.#change(key, -1)
      const at = started === undefined ? -1 : this.#started.indexOf(started)
      if (at >= 0) this.#started.splice(at, 1)
    }
    const start = (work: Work, done: (error?: unknown) => void) => {
      if (isOver) return
      started = {
        work,
        done: error => {
          end()
          done(error)
        },
      }
      this.#queue(started)
    }
    return { start, end }
  }

  #change(key: string, by: number): void {
    const ofKey = (this.#countByKey.get(key) ?? 0) + by
    this.#count += by
    if (ofKey === 0) this.#countByKey.delete(key)
    else this.#countByKey.set(key, ofKey)
  }

  #queue(started: Started): void {
    this.#started.push(started)
    if (this.#isTurnDue) return
    this.#isTurnDue = true
    setImmediate(this.#takeTurn)
  }

  readonly #takeTurn = () => {
    const started = this.#started.shift()
    this.#isTurnDue = this.#started.length > 0
    if (this.#isTurnDue) setImmediate(this.#takeTurn)
    if (started !== undefined) this.#doPart(started)
  }

  #doPart(started: Started): void {
    let isMore: boolean
    try {
      isMore = started.work()
    } catch (error) {
      return started.done(error)
    }
    if (isMore) this.#queue(started)
    else started.done()
  }
}
