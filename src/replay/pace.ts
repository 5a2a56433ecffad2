/** What was read of a log and is not sent yet: a bounded number of requests, at their times. */
import type { Outgoing, Schedule } from '../load/on-time.js'

/** How far reading is ahead of sending. */
const AHEAD_MAX = 8_192

export class Pace<Request extends Outgoing> implements Schedule<Request> {
  readonly #requests: Request[] = new Array(AHEAD_MAX)
  readonly #dueMs = new Float64Array(AHEAD_MAX)
  #read = 0
  #taken = 0
  #lastMs = 0
  #isEnded = false
  #onRoom: (() => void) | undefined

  get nextMs(): number {
    return this.#taken < this.#read ? this.#dueMs[this.#taken % AHEAD_MAX] : Number.POSITIVE_INFINITY
  }

  get endMs(): number {
    return this.#isEnded ? this.#lastMs : Number.POSITIVE_INFINITY
  }

  take(): Request {
    const request = this.#requests[this.#taken++ % AHEAD_MAX]
    if (this.#onRoom !== undefined && this.#read - this.#taken <= AHEAD_MAX / 2) {
      this.#onRoom()
      this.#onRoom = undefined
    }
    return request
  }

  /** Waits for room where there is none. */
  async put(request: Request, dueMs: number): Promise<void> {
    if (this.#read - this.#taken === AHEAD_MAX)
      await new Promise<void>(resolve => {
        this.#onRoom = resolve
      })
    const place = this.#read++ % AHEAD_MAX
    this.#requests[place] = request
    this.#dueMs[place] = dueMs
    this.#lastMs = dueMs
  }

  end(): void {
    this.#isEnded = true
  }
}
