/**
 * Sends answers through uWebSockets.js, and keeps what a client does not read from filling memory: `end` keeps whatever the
 * kernel does not take, without bound. One connection that asked for a document over and over and never read made a
 * gigabyte of it.
 *
 * There is nothing to tell connections apart by, so bytes are counted over all of them. Every now and then, at random,
 * `tryEnd` is asked instead of `end`: dearer, but it says whether the client is behind with reading. A client that is gets
 * its answer as well, up to a bound for a turn of the event loop and one for all; beyond the latter whoever is behind is
 * closed, for longer than the engine leaves a silent connection open, so that by then nothing of it is left.
 *
 * Versions before 20.69 have a fault besides. Answers to requests that came in one piece are gathered in a buffer of 16 KB;
 * where a body overflows it just as the kernel takes no more, `end` loses that body and the process ends, and a piece of a
 * head is lost unseen. There `end` is used only while so little was sent in a turn that nothing can overflow.
 *
 * Of a head without a body the engine says nothing. Where many were sent, whoever the kernel says does not read is closed
 * at its next one, by address: see unread-sockets.ts.
 */
import type { HttpResponse, Sender } from './engine.js'
import { siteOf } from './ip-address.js'

/** The engine's buffer holds 16,384. */
const SAFE_BYTES = 15_000
/** What the engine adds to a head: protocol, date, its own name, the length. */
const ENGINE_HEAD_BYTES = 120
/** Bytes between two looks at whether anyone is behind: somewhere between these, so that nobody can step around them. */
const LOOK_BYTES_MIN = 16_384
const LOOK_BYTES_SPREAD = 32_768
/** For clients that are behind, in one turn: 16 answers of 30 KB, the deepest pipeline in use, are half of it. */
const TURN_UNREAD_BYTES_MAX = 1024 * 1024
/** The engine closes a connection that is silent for 10 seconds. */
const STRICT_MS = 12_000

/** Sites that do not read what they are sent, as `siteOf` writes them. */
export type NotReading = () => Promise<ReadonlySet<string>>

const ignore = () => {}
const nobody: ReadonlySet<string> = new Set()

export class UwsSender implements Sender {
  /** So much may be sent in a turn without a look at whether it was taken. */
  readonly #turnBytesMax: number
  readonly #unreadBytesMax: number
  readonly #now: () => number
  /** Sent in this turn of the event loop: never less than the engine's buffer holds. */
  #turnBytes = 0
  /** Of these, what short answers made: only they can fill the buffer up to a head. */
  #turnShortBytes = 0
  #isTurnWatched = false
  #turnUnreadBytes = 0
  /** Since someone was last looked at. */
  #unlookedBytes = 0
  #lookAt = LOOK_BYTES_MIN
  /** Handed to clients that were behind. */
  #unreadBytes = 0
  #strictUntilMs = 0
  /** Heads without a body, since the last question who reads them. */
  #headBytes = 0
  readonly #notReading: NotReading
  #isAsking = false
  #headsRefused = nobody
  #headsRefusedUntilMs = 0

  /** `unreadBytesMax`: of answers that clients are behind with, over all of them. */
  constructor(
    isSound: boolean,
    unreadBytesMax: number,
    notReading: NotReading = async () => nobody,
    now: () => number = Date.now,
  ) {
    this.#turnBytesMax = isSound ? Number.POSITIVE_INFINITY : SAFE_BYTES
    this.#unreadBytesMax = unreadBytesMax
    this.#notReading = notReading
    this.#now = now
  }

  send(res: HttpResponse, head: ArrayBuffer, body: Uint8Array | ArrayBuffer, closing: boolean): void {
    this.#count(head.byteLength + ENGINE_HEAD_BYTES + body.byteLength)
    res.writeStatus(head)
    // a client has one last answer only, which is not worth a look
    const isLookedAt = !closing && this.#unlookedBytes > this.#lookAt
    if (this.#turnBytes > this.#turnBytesMax || isLookedAt) this.#sendCarefully(res, body, closing)
    else if (closing) res.end(body, true)
    else res.end(body)
  }

  /** Clients that read must not be closed for having asked many heads, so a bound alone holds for a turn only. */
  sendHead(res: HttpResponse, head: ArrayBuffer, length: number | undefined, closing: boolean): void {
    const bytes = head.byteLength + ENGINE_HEAD_BYTES
    this.#count(bytes)
    this.#headBytes += bytes
    if (this.#headBytes > this.#unreadBytesMax / 2) this.#askWhoReads()
    if (this.#headsRefused.size > 0 && this.#isHeadRefused(res)) return res.close()
    if (this.#unlookedBytes > this.#lookAt) {
      this.#turnUnreadBytes += this.#look()
      if (this.#turnUnreadBytes > TURN_UNREAD_BYTES_MAX) return res.close()
    }
    // given a length of its own endWithoutBody leaves the response open, which ends the process (uWebSockets #1855)
    res.writeStatus(head)
    if (length !== undefined) res.writeHeader('Content-Length', String(length))
    if (closing) res.writeHeader('Connection', 'close')
    res.endWithoutBody()
  }

  #askWhoReads(): void {
    if (this.#isAsking) return
    this.#isAsking = true
    this.#notReading().then(
      sites => {
        this.#isAsking = false
        this.#headBytes = 0
        this.#headsRefused = sites
        this.#headsRefusedUntilMs = this.#now() + STRICT_MS
      },
      () => {
        this.#isAsking = false
      },
    )
  }

  #isHeadRefused(res: HttpResponse): boolean {
    if (this.#now() >= this.#headsRefusedUntilMs) {
      this.#headsRefused = nobody
      return false
    }
    return this.#headsRefused.has(siteOf(new Uint8Array(res.getRemoteAddress())))
  }

  #count(bytes: number): void {
    this.#turnBytes += bytes
    if (bytes <= SAFE_BYTES) this.#turnShortBytes += bytes
    this.#unlookedBytes += bytes
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

  /** Someone is looked at: the bytes since the last time are put down to them. */
  #look(): number {
    const bytes = this.#unlookedBytes
    this.#unlookedBytes = 0
    this.#lookAt = LOOK_BYTES_MIN + Math.random() * LOOK_BYTES_SPREAD
    return bytes
  }

  #sendCarefully(res: HttpResponse, body: Uint8Array | ArrayBuffer, closing: boolean): void {
    const bytes = this.#look()
    if (closing) return this.#sendLast(res, body instanceof Uint8Array ? body : new Uint8Array(body), bytes)
    if (res.tryEnd(body, body.byteLength)[1]) return
    if (this.#isTooMuch(bytes)) return res.close()
    const taken = res.getWriteOffset()
    if (taken === 0) {
      // earlier answers wait, and this one may join them; unless a piece of its head may be lost
      if (this.#turnShortBytes > this.#turnBytesMax) res.close()
      else res.end(body)
      return
    }
    const rest = new Uint8Array(body instanceof Uint8Array ? body : new Uint8Array(body)).subarray(taken)
    // an answer that stays unfinished without this ends the process
    res.onAborted(ignore)
    if (rest.length <= SAFE_BYTES) return void res.cork(() => res.tryEnd(rest, body.byteLength))
    // all of it is kept and sent, but the engine takes the answer for unfinished and closes at the next request
    res.end(rest)
  }

  /**
   * The last answer on its connection. `tryEnd` closes none, so its last byte goes by `end`: the engine then takes the answer
   * for unfinished, closes at the next request and has no timeout, so that a client which does not close is closed here.
   */
  #sendLast(res: HttpResponse, body: Uint8Array, bytes: number): void {
    const all = body.length - 1
    res.writeHeader('Connection', 'close')
    res.tryEnd(body.subarray(0, all), body.length)
    const taken = res.getWriteOffset()
    if (taken < all && this.#isTooMuch(bytes)) return res.close()
    // a piece of its head may be lost, see above
    if (taken === 0 && this.#turnShortBytes > this.#turnBytesMax) return res.close()
    const timer = setTimeout(() => res.close(), STRICT_MS)
    timer.unref()
    res.onAborted(() => clearTimeout(timer))
    res.end(body.subarray(taken))
  }

  /** Whether a client that is behind must go. */
  #isTooMuch(bytes: number): boolean {
    const now = this.#now()
    this.#turnUnreadBytes += bytes
    this.#unreadBytes += bytes
    if (this.#unreadBytes > this.#unreadBytesMax) {
      this.#unreadBytes = 0
      this.#strictUntilMs = now + STRICT_MS
    }
    return now < this.#strictUntilMs || this.#turnUnreadBytes > TURN_UNREAD_BYTES_MAX
  }
}
