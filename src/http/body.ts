/** Receives JSON bodies. Limits the size, pieces and time of each body, and the memory of all bodies together. */
import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import { readBodyHeaders } from '../engines/request.js'
import {
  BODIES_BYTES_MAX,
  BODY_BYTES_MAX,
  BODY_BYTES_PER_REQUEST,
  BODY_MS_MAX,
  BODY_PIECES_MAX,
  KEY_BODIES_BYTES_MAX,
} from '../limits.js'
import { invalidParameter, Refusal } from '../questions/refusal.js'

const JSON_TYPE = /^application\/json\s*(?:;|$)/i
const UTF_8 = new TextDecoder('utf-8', { fatal: true })
const EMPTY = new Uint8Array(0)
/** Size of the first buffer of a body; each further buffer is twice as large. */
const FIRST_BUFFER_BYTES = 1024

export const BODY_RETRY_SECONDS = 1

/** A complete body that has not been parsed yet, or the reason why the body is refused. */
export type Body = Uint8Array | Refusal

export interface BodyBounds {
  bytesMax: number
  keyBytesMax: number
  msMax: number
}

const BOUNDS: BodyBounds = { bytesMax: BODIES_BYTES_MAX, keyBytesMax: KEY_BODIES_BYTES_MAX, msMax: BODY_MS_MAX }

function lengthMaxOf(req: HttpRequest, lengthMax: number): number | Refusal {
  const { contentType, contentLength } = readBodyHeaders(req)
  if (!JSON_TYPE.test(contentType)) return new Refusal('unsupportedMediaType')
  if (contentLength > lengthMax) return tooLarge(lengthMax)
  return Number.isNaN(contentLength) ? lengthMax : contentLength
}

function tooLarge(lengthMax: number): Refusal {
  return new Refusal(
    'bodyTooLarge',
    lengthMax === BODY_BYTES_MAX ? undefined : `The body of this request may have at most ${lengthMax} bytes.`,
  )
}

const tooLate = (ms: number) => invalidParameter('body', `must arrive within ${ms / 1000} seconds`)

/** The number of requests that a body counts as because of its size, since a larger body takes longer to parse. */
export function requestsOfSize(body: Uint8Array): number {
  return Math.max(1, Math.ceil(body.length / BODY_BYTES_PER_REQUEST))
}

export function parseBody(body: Uint8Array): { json: unknown } | Refusal {
  try {
    return { json: JSON.parse(UTF_8.decode(body)) as unknown }
  } catch {
    return invalidParameter('body', 'must be JSON')
  }
}

export class Bodies {
  readonly #bounds: BodyBounds
  #bytes = 0
  readonly #bytesByKey = new Map<string, number>()

  constructor(bounds: Partial<BodyBounds> = {}) {
    this.#bounds = { ...BOUNDS, ...bounds }
  }

  /** Must be called before the handler returns. */
  read(res: HttpResponse, req: HttpRequest, key: string, lengthMax = BODY_BYTES_MAX): IncomingBody {
    return new IncomingBody(res, req, lengthMax, this.#bounds.msMax, more => this.#reserve(key, more))
  }

  /** Reserves memory for a body; a negative number frees it. */
  #reserve(key: string, more: number): Refusal | undefined {
    const bytes = this.#bytes + more
    const keyBytes = (this.#bytesByKey.get(key) ?? 0) + more
    if (keyBytes > this.#bounds.keyBytesMax)
      return new Refusal('busy', 'This key has too many unfinished request bodies; send fewer at the same time.')
    if (bytes > this.#bounds.bytesMax)
      return new Refusal('busy', 'The server has too many unfinished request bodies; try again in a moment.')
    this.#bytes = bytes
    if (keyBytes === 0) this.#bytesByKey.delete(key)
    else this.#bytesByKey.set(key, keyBytes)
    return undefined
  }
}

export class IncomingBody {
  readonly #reserve: (more: number) => Refusal | undefined
  readonly #timer: NodeJS.Timeout | undefined
  /** The announced length, or the allowed maximum if no length was announced. */
  #lengthMax = 0
  #bytes = EMPTY
  #length = 0
  #pieces = 0
  #isOver = false
  #body: Body | undefined
  #take: ((body: Body) => void) | undefined

  constructor(
    res: HttpResponse,
    req: HttpRequest,
    private readonly allowedMax: number,
    msMax: number,
    reserve: (more: number) => Refusal | undefined,
  ) {
    this.#reserve = reserve
    const lengthMax = lengthMaxOf(req, allowedMax)
    if (lengthMax instanceof Refusal) {
      this.#finish(lengthMax)
      return
    }
    this.#lengthMax = lengthMax
    this.#timer = setTimeout(() => this.#finish(tooLate(msMax)), msMax)
    res.onData((piece, isLast) => {
      if (this.#isOver) return
      if (++this.#pieces <= BODY_PIECES_MAX) return this.#add(new Uint8Array(piece), isLast)
      // each piece takes about a microsecond, and only closing the connection stops further pieces
      this.stop()
      res.close()
    })
  }

  /** Calls `take` once, now or later; never after `stop`. */
  whenRead(take: (body: Body) => void): void {
    if (this.#body === undefined) this.#take = take
    else take(this.#body)
  }

  stop(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#reserve(-this.#bytes.length)
    this.#bytes = EMPTY
  }

  #add(piece: Uint8Array, isLast: boolean): void {
    const length = this.#length + piece.length
    if (length > this.#lengthMax) return this.#finish(tooLarge(this.allowedMax))
    // a copy, because the engine reuses its memory
    if (isLast && this.#length === 0) return this.#finish(piece.slice())
    const refusal = length > this.#bytes.length ? this.#grow(length) : undefined
    if (refusal !== undefined) return this.#finish(refusal)
    this.#bytes.set(piece, this.#length)
    this.#length = length
    if (isLast) this.#finish(this.#bytes.subarray(0, length))
  }

  #grow(needed: number): Refusal | undefined {
    const size = Math.min(this.#lengthMax, Math.max(needed, 2 * this.#bytes.length, FIRST_BUFFER_BYTES))
    const refusal = this.#reserve(size - this.#bytes.length)
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
