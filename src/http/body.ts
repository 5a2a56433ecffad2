/** Request bodies: JSON, with bounds on their size, pieces and time, and on what is held of all that are under way. */

import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import { readBodyHeaders } from '../engines/request.js'
import { BODIES_BYTES_MAX, BODY_BYTES_MAX, BODY_MS_MAX, BODY_PIECES_MAX, KEY_BODIES_BYTES_MAX } from '../limits.js'
import { invalidParameter, Refusal } from '../questions/refusal.js'

const JSON_TYPE = /^application\/json\s*(?:;|$)/i
const UTF_8 = new TextDecoder('utf-8', { fatal: true })
const NOTHING = new Uint8Array(0)
/** Of the first buffer; each further one is twice as large. */
const FIRST_BYTES = 1024

/** For refusals that pass: bodies are read, or given up, within seconds. */
export const BODY_RETRY_SECONDS = 1

/** What was sent, or why it cannot be taken. */
export type Body = { json: unknown } | Refusal

export interface BodyBounds {
  /** Bytes held of bodies under way, over all connections. */
  bytesMax: number
  /** The same for one key. */
  keyBytesMax: number
  /** For one body, from its first byte to its last. */
  msMax: number
}

const BOUNDS: BodyBounds = {
  bytesMax: BODIES_BYTES_MAX,
  keyBytesMax: KEY_BODIES_BYTES_MAX,
  msMax: BODY_MS_MAX,
}

/** How long the body may become. */
function lengthMaxOf(req: HttpRequest): number | Refusal {
  const { contentType, contentLength } = readBodyHeaders(req)
  if (!JSON_TYPE.test(contentType)) return new Refusal('unsupportedMediaType')
  if (contentLength > BODY_BYTES_MAX) return new Refusal('bodyTooLarge')
  return Number.isNaN(contentLength) ? BODY_BYTES_MAX : contentLength
}

const tooLate = (ms: number) => invalidParameter('body', `must arrive within ${ms / 1000} seconds`)

function parse(bytes: Uint8Array): Body {
  try {
    return { json: JSON.parse(UTF_8.decode(bytes)) as unknown }
  } catch {
    return invalidParameter('body', 'must be JSON')
  }
}

/** The bodies under way on all connections. */
export class Bodies {
  readonly #bounds: BodyBounds
  #bytes = 0
  readonly #bytesByKey = new Map<string, number>()

  constructor(bounds: Partial<BodyBounds> = {}) {
    this.#bounds = { ...BOUNDS, ...bounds }
  }

  /** To be called before the handler returns: an engine drops what nobody asks for. `key`: whose body it is. */
  read(res: HttpResponse, req: HttpRequest, key: string): IncomingBody {
    return new IncomingBody(res, req, this.#bounds.msMax, more => this.#hold(key, more))
  }

  /** So many bytes more, or fewer; undefined where there is room for them. */
  #hold(key: string, more: number): Refusal | undefined {
    const bytes = this.#bytes + more
    const keyBytes = (this.#bytesByKey.get(key) ?? 0) + more
    if (more > 0 && keyBytes > this.#bounds.keyBytesMax)
      return new Refusal('rateLimitExceeded', 'This key has too many unfinished request bodies; send fewer at the same time.')
    if (more > 0 && bytes > this.#bounds.bytesMax)
      return new Refusal('dbUnavailable', 'The server has too many unfinished request bodies; try again in a moment.')
    this.#bytes = bytes
    if (keyBytes === 0) this.#bytesByKey.delete(key)
    else this.#bytesByKey.set(key, keyBytes)
    return undefined
  }
}

class IncomingBody {
  readonly #hold: (more: number) => Refusal | undefined
  readonly #timer: NodeJS.Timeout | undefined
  #lengthMax = 0
  #bytes = NOTHING
  #length = 0
  #pieces = 0
  #isOver = false
  #body: Body | undefined
  #take: ((body: Body) => void) | undefined

  constructor(res: HttpResponse, req: HttpRequest, msMax: number, hold: (more: number) => Refusal | undefined) {
    this.#hold = hold
    const lengthMax = lengthMaxOf(req)
    if (lengthMax instanceof Refusal) {
      this.#finish(lengthMax)
      return
    }
    this.#lengthMax = lengthMax
    this.#timer = setTimeout(() => this.#finish(tooLate(msMax)), msMax)
    res.onData((piece, isLast) => {
      if (this.#isOver) return
      if (++this.#pieces <= BODY_PIECES_MAX) return this.#add(new Uint8Array(piece), isLast)
      // each costs about a microsecond, however small, and only a closed connection brings no more of them
      this.stop()
      res.close()
    })
  }

  /** Hears of the body once, now or later; never after `stop`. */
  whenRead(take: (body: Body) => void): void {
    if (this.#body === undefined) this.#take = take
    else take(this.#body)
  }

  /** Nobody waits for it any more. */
  stop(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#hold(-this.#bytes.length)
    this.#bytes = NOTHING
  }

  #add(piece: Uint8Array, isLast: boolean): void {
    const length = this.#length + piece.length
    if (length > this.#lengthMax) return this.#finish(new Refusal('bodyTooLarge'))
    if (isLast && this.#length === 0) return this.#finish(parse(piece))
    const refusal = length > this.#bytes.length ? this.#grow(length) : undefined
    if (refusal !== undefined) return this.#finish(refusal)
    this.#bytes.set(piece, this.#length)
    this.#length = length
    if (isLast) this.#finish(parse(this.#bytes.subarray(0, length)))
  }

  #grow(needed: number): Refusal | undefined {
    const size = Math.min(this.#lengthMax, Math.max(needed, 2 * this.#bytes.length, FIRST_BYTES))
    const refusal = this.#hold(size - this.#bytes.length)
    if (refusal !== undefined) return refusal
    const larger = new Uint8Array(size)
    larger.set(this.#bytes)
    this.#bytes = larger
    return undefined
  }

  #finish(body: Body): void {
    this.stop()
    this.#body = body
    this.#take?.(body)
  }
}
