/** A bounded queue of requests read from the log and not yet sent. */
import type { Outgoing, Schedule } from '../load/on-time.js'

const PREFETCH_MAX = 8_192

export class Pace<Request extends Outgoing> implements Schedule<Request> {
  readonly #queue: { request: Request; dueMs: number }[] = []
  #lastMs = 0
  #isEnded = false
  #onRoom: () => void = () => {}

  get nextMs(): number {
    return this.#queue[0]?.dueMs ?? Number.POSITIVE_INFINITY
  }

  get endMs(): number {
    return this.#isEnded ? this.#lastMs : Number.POSITIVE_INFINITY
  }

  take(): Request {
    const { request } = this.#queue.shift() as { request: Request }
    if (this.#queue.length <= PREFETCH_MAX / 2) this.#onRoom()
    return request
  }

  /** Adds a request; waits while the queue is full. */
  async put(request: Request, dueMs: number): Promise<void> {
    if (this.#queue.length === PREFETCH_MAX)
      await new Promise<void>(resolve => {
        this.#onRoom = resolve
      })
    this.#queue.push({ request, dueMs })
    this.#lastMs = dueMs
  }

  end(): void {
    this.#isEnded = true
  }
}
