/**
 * Reads and discards the rest of a chunked body. If the server closed the connection while the client is still sending, the
 * connection would be reset, and the client might lose the response.
 */
import { BODY_PIECES_MAX, CLASSIFY_BODY_BYTES_MAX } from '../limits.js'

const DRAIN_MS_MAX = 1_000

export class BodyRest {
  #bytes = 0
  #pieces = 0
  #isDone = false
  #then: () => void = () => {}
  #timer: NodeJS.Timeout | undefined

  add(bytes: number, isLast: boolean): void {
    this.#bytes += bytes
    this.#pieces++
    if (isLast || this.#bytes > CLASSIFY_BODY_BYTES_MAX || this.#pieces > BODY_PIECES_MAX) this.#finish()
  }

  /** Calls `then` once, now or later; `stop` cancels a later call. */
  whenDone(then: () => void): void {
    if (this.#isDone) return then()
    this.#then = then
    this.#timer = setTimeout(() => this.#finish(), DRAIN_MS_MAX)
  }

  stop(): void {
    this.#isDone = true
    clearTimeout(this.#timer)
  }

  #finish(): void {
    if (this.#isDone) return
    this.stop()
    this.#then()
  }
}
