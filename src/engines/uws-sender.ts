/**
 * Backpressure for uWebSockets.js, whose `end` buffers without limit if the kernel does not take the bytes. Connections cannot
 * be told apart here, so bytes are counted for all connections together. At random intervals a response is sent with `tryEnd`,
 * which is slower but reports whether its client lags. Lagging clients are served up to a limit per turn of the event loop and
 * a limit in total; beyond that, their connections are closed.
 *
 * Before version 20.69, `end` loses a body that overflows the engine's 16 KB cork buffer while the kernel takes no more, and
 * the process crashes. With such a version `end` is used only while the bytes of a turn cannot overflow the buffer.
 *
 * The engine reports nothing for a head without a body; see unread-sockets.ts.
 */
import { copyOf } from './bytes.js'
import type { HttpResponse, Sender } from './engine.js'
import { subnetOf } from './ip-address.js'
import { LateResponse } from './late-response.js'

/** The engine's buffer holds 16,384 bytes. */
const SAFE_BYTES = 15_000
/** Protocol, Date, server name and Content-Length, which the engine adds. */
const ENGINE_HEAD_BYTES = 120
/** Bytes between two probes: random, so that no client can avoid them. */
const PROBE_BYTES_MIN = 16_384
const PROBE_BYTES_SPREAD = 32_768
/** Limit for lagging clients in one turn: twice 16 pipelined responses of 30 KB. */
const TURN_UNREAD_BYTES_MAX = 1024 * 1024
/**
 * How long every lagging client is closed after the total limit was exceeded: longer than the 10 seconds after which the
 * engine closes a silent connection.
 */
const STRICT_MS = 12_000

interface UwsResponse extends HttpResponse {
  /** Calls back when further bytes can be written, with the number of bytes of the body that were written so far. */
  onWritable(write: (from: number) => boolean): UwsResponse
}

const ignore = () => {}
const NONE: ReadonlySet<string> = new Set()

export class UwsSender implements Sender {
  readonly #turnBytesMax: number
  /** Bytes sent in this turn of the event loop, and perhaps in quiet turns before it: at least those in the cork buffer. */
  #turnBytes = 0
  /** Bytes of short responses: only these can fill the buffer so far that the next head is cut off. */
  #turnShortBytes = 0
  #isTurnWatched = false
  #turnUnreadBytes = 0
  #unprobedBytes = 0
  #probeAt = PROBE_BYTES_MIN
  /** Bytes sent to lagging clients. */
  #unreadBytes = 0
  #strictUntilMs = 0
  /** Bytes of heads without a body since the last search for stalled clients. */
  #headBytes = 0
  #isSearching = false
  #stalled = NONE
  #stalledUntilMs = 0

  constructor(
    hasOverflowFix: boolean,
    private readonly unreadBytesMax: number,
    /** Returns subnets as keys of `subnetOf`. */
    private readonly findStalled: () => Promise<ReadonlySet<string>> = async () => NONE,
    private readonly now: () => number = Date.now,
    private readonly lingerMs: number = STRICT_MS,
  ) {
    this.#turnBytesMax = hasOverflowFix ? Number.POSITIVE_INFINITY : SAFE_BYTES
  }

  send(res: HttpResponse, head: ArrayBuffer, body: Uint8Array | ArrayBuffer, closing: boolean): void {
    this.#count(head.byteLength + ENGINE_HEAD_BYTES + body.byteLength)
    res.writeStatus(head)
    // the last response of a connection is a probe only if the buffer might overflow
    const isProbed = !closing && this.#unprobedBytes > this.#probeAt
    if (this.#turnBytes > this.#turnBytesMax || isProbed) this.#sendProbing(res, body, closing)
    else if (closing) res.end(body, true)
    else res.end(body)
  }

  /** Heads are bounded per turn, not in total, because clients that read their responses may also request many of them. */
  sendHead(res: HttpResponse, head: ArrayBuffer, length: number | undefined, closing: boolean): void {
    const bytes = head.byteLength + ENGINE_HEAD_BYTES
    this.#count(bytes)
    this.#headBytes += bytes
    if (this.#headBytes > this.unreadBytesMax / 2) this.#searchStalled()
    if (this.#stalled.size > 0 && this.#isStalled(res)) return res.close()
    if (this.#unprobedBytes > this.#probeAt) {
      this.#turnUnreadBytes += this.#probe()
      if (this.#turnUnreadBytes > TURN_UNREAD_BYTES_MAX) return res.close()
    }
    // endWithoutBody with a length leaves the response open, which crashes the process (uWebSockets #1855)
    res.writeStatus(head)
    if (length !== undefined) res.writeHeader('Content-Length', String(length))
    if (closing) res.writeHeader('Connection', 'close')
    res.endWithoutBody()
  }

  #searchStalled(): void {
    if (this.#isSearching) return
    this.#isSearching = true
    this.findStalled().then(
      subnets => {
        this.#isSearching = false
        this.#headBytes = 0
        this.#stalled = subnets
        this.#stalledUntilMs = this.now() + STRICT_MS
      },
      () => {
        this.#isSearching = false
      },
    )
  }

  #isStalled(res: HttpResponse): boolean {
    if (this.now() >= this.#stalledUntilMs) {
      this.#stalled = NONE
      return false
    }
    return this.#stalled.has(subnetOf(new Uint8Array(res.getRemoteAddress())))
  }

  #count(bytes: number): void {
    this.#turnBytes += bytes
    if (bytes <= SAFE_BYTES) this.#turnShortBytes += bytes
    this.#unprobedBytes += bytes
    if (this.#turnBytes > SAFE_BYTES / 2 && !this.#isTurnWatched) {
      this.#isTurnWatched = true
      setImmediate(this.#endTurn)
    }
  }

  readonly #endTurn = () => {
    this.#turnBytes = 0
    this.#turnShortBytes = 0
    this.#turnUnreadBytes = 0
    this.#isTurnWatched = false
  }

  /** Returns the bytes since the last probe, all of which count as sent to the client that is probed now. */
  #probe(): number {
    const bytes = this.#unprobedBytes
    this.#unprobedBytes = 0
    this.#probeAt = PROBE_BYTES_MIN + Math.random() * PROBE_BYTES_SPREAD
    return bytes
  }

  #sendProbing(res: HttpResponse, body: Uint8Array | ArrayBuffer, closing: boolean): void {
    // a late response is sent in a separate turn
    if (res instanceof LateResponse) return void res.end(body)
    if (closing && body.byteLength === 0) return void res.end(body, true)
    const bytes = this.#probe()
    if (closing) return this.#sendLast(res as UwsResponse, body, bytes)
    if (res.tryEnd(body, body.byteLength)[1]) return
    if (this.#exceedsBounds(bytes)) return res.close()
    const taken = res.getWriteOffset()
    if (taken === 0) {
      // queue the response behind earlier ones, unless part of its head may be lost
      if (this.#turnShortBytes > this.#turnBytesMax) res.close()
      else res.end(body)
      return
    }
    const rest = copyOf(body).subarray(taken)
    // without a handler, an unfinished response crashes the process
    res.onAborted(ignore)
    if (rest.length <= SAFE_BYTES) return void res.cork(() => res.tryEnd(rest, body.byteLength))
    // the response was sent whole, but the engine considers it unfinished and closes the connection at the next request
    res.end(rest)
  }

  /**
   * `tryEnd` cannot close the connection, and a finished response can no longer be closed. So the engine gets a length with one
   * byte too many, which the client does not see. It considers the response unfinished: it closes the connection at the next
   * request, and `close` still works.
   */
  #sendLast(res: UwsResponse, shared: Uint8Array | ArrayBuffer, bytes: number): void {
    const body = copyOf(shared)
    const sendRest = (from: number) => res.tryEnd(body.subarray(from), body.length + 1)
    res.writeHeader('Connection', 'close')
    res.tryEnd(body.subarray(0, -1), body.length)
    const taken = res.getWriteOffset()
    if (taken < body.length - 1 && this.#exceedsBounds(bytes)) return res.close()
    // part of the head may be lost, as in `#sendProbing`
    if (taken === 0 && this.#turnShortBytes > this.#turnBytesMax) return res.close()
    const timer = setTimeout(() => res.close(), this.lingerMs)
    timer.unref()
    res.onAborted(() => clearTimeout(timer))
    res.onWritable(from => {
      sendRest(from)
      return true
    })
    sendRest(taken)
  }

  #exceedsBounds(bytes: number): boolean {
    const now = this.now()
    const before = this.#turnUnreadBytes
    this.#turnUnreadBytes += bytes
    this.#unreadBytes += bytes
    if (this.#unreadBytes > this.unreadBytesMax) {
      this.#unreadBytes = 0
      this.#strictUntilMs = now + STRICT_MS
    }
    // a single response may be longer than the limit
    return now < this.#strictUntilMs || (before > 0 && this.#turnUnreadBytes > TURN_UNREAD_BYTES_MAX)
  }
}
