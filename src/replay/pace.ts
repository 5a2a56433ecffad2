/** A bounded queue of requests read from the log and not yet sent. */
import type { Outgoing, Schedule } from '../load/on-time.js'

/** Prefetched requests. */
const PREFETCH_MAX = 8_192

export class Pace<Request extends Outgoing> implements Schedule<Request> {
  readonly #requests: Request[] = new Array(PREFETCH_MAX)
  readonly #dueMs = new Float64Array(PREFETCH_MAX)
  #read = 0
  #taken = 0
  #lastMs = 0
  #isEnded = false
  #onRoom: (() => void) | undefined

  get nextMs(): number {
    return this.#taken < this.#read ? this.#dueMs[this.#taken % PREFETCH_MAX] : Number.POSITIVE_INFINITY
  }

  get endMs(): number {
    return this.#isEnded ? this.#lastMs : Number.POSITIVE_INFINITY
  }

  take(): Request {
    const request = this.#requests[this.#taken++ % PREFETCH_MAX]
    if (this.#onRoom !== undefined && this.#read - this.#taken <= PREFETCH_MAX / 2) {
      this.#onRoom()
      this.#onRoom = undefined
    }
    return request
  }

  /** Waits while the queue is full. */
  async put(request: Request, dueMs: number): Promise<void> {
    if (this.#read - this.#taken === PREFETCH_MAX)
      await new Promise<void>(resolve => {
        this.#onRoom = resolve
      })
    const place = this.#read++ % PREFETCH_MAX
    this.#requests[place] = request
    this.#dueMs[place] = dueMs
    this.#lastMs = dueMs
  }

  end(): void {
    this.#isEnded = true
  }
}
