/**
 * Waits until a chunked body was sent, though nobody reads it. A connection that is closed while its client still sends is reset,
 * and the answer may be lost with it. What takes too long or too much is not waited for.
 */
import { BODY_BYTES_MAX, BODY_PIECES_MAX } from '../limits.js'

const REST_MS_MAX = 1_000

export class BodyRest {
  #bytes = 0
  #pieces = 0
  #isOver = false
  #then: () => void = () => {}
  #timer: NodeJS.Timeout | undefined

  take(bytes: number, isLast: boolean): void {
    this.#bytes += bytes
    this.#pieces++
    if (isLast || this.#bytes > BODY_BYTES_MAX || this.#pieces > BODY_PIECES_MAX) this.#end()
  }

  /** Calls back once, now or later; never after `stop`. */
  whenOver(then: () => void): void {
    if (this.#isOver) return then()
    this.#then = then
    this.#timer = setTimeout(() => this.#end(), REST_MS_MAX)
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  #end(): void {
    if (this.#isOver) return
    this.stop()
    this.#then()
  }
}
