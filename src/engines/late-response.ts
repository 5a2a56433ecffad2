/**
 * uWebSockets.js mistakes trailers after a chunked body for the next request. So the response is sent one turn of the event
 * loop after the body, and the connection is closed. If the engine reads trailers before that, it finds the response unfinished
 * and closes the connection.
 */
import type { BodyRest } from './body-rest.js'
import { copyOf } from './bytes.js'
import type { Bytes, HttpResponse, Sender } from './engine.js'

const NO_BYTES: Uint8Array = new Uint8Array(0)

export class LateResponse implements HttpResponse {
  #take: (piece: ArrayBuffer, isLast: boolean) => void = () => {}
  #head = new ArrayBuffer(0)
  #body = NO_BYTES
  #isGone = false
  #forget: () => void = () => {}

  /** Without `rest`, the response does not wait for the end of the body. */
  constructor(
    private readonly res: HttpResponse,
    private readonly sender: Sender,
    private readonly rest?: BodyRest,
  ) {
    res.onData((piece, isLast) => {
      this.#take(piece, isLast)
      rest?.add(piece.byteLength, isLast)
    })
    res.onAborted(() => {
      this.#isGone = true
      rest?.stop()
      this.#forget()
    })
  }

  writeStatus(head: ArrayBuffer): this {
    this.#head = head.slice(0)
    return this
  }

  /** Ignored: the sender adds Content-Length and Connection itself. */
  writeHeader(): this {
    return this
  }

  end(body: Bytes): this {
    this.#body = copyOf(body)
    const sendSoon = () => setImmediate(() => this.#send())
    if (this.rest === undefined) sendSoon()
    else this.rest.whenDone(sendSoon)
    return this
  }

  /** Only `end`, which sends a body, can close the connection, so a response to HEAD is sent with an empty body. */
  endWithoutBody(): this {
    return this.end(NO_BYTES)
  }

  tryEnd(piece: Bytes, total: number): [boolean, boolean] {
    const all = Buffer.concat([this.#body, copyOf(piece)])
    this.#body = all
    const isComplete = all.length >= total
    if (isComplete) this.end(all)
    return [true, isComplete]
  }

  getWriteOffset(): number {
    return this.#body.length
  }

  close(): void {
    this.res.close()
  }

  onData(take: (piece: ArrayBuffer, isLast: boolean) => void): this {
    this.#take = take
    return this
  }

  onAborted(forget: () => void): this {
    this.#forget = forget
    return this
  }

  cork(write: () => void): this {
    write()
    return this
  }

  getRemoteAddress(): ArrayBuffer {
    return this.res.getRemoteAddress()
  }

  #send(): void {
    if (this.#isGone) return
    this.res.cork(() => {
      if (this.#body.length > 0) this.sender.send(this.res, this.#head, this.#body, true)
      else this.res.writeStatus(this.#head).end(this.#body, true)
    })
  }
}
