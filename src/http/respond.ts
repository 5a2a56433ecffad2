/**
 * The only writer of uWebSockets' response object. Answers are put together in one buffer from bytes that
 * exist already; a request allocates no body. That works because nothing awaits: a response is written whole
 * before the next request is looked at, and uWebSockets copies what it is given.
 */
import { type Clock, isoSeconds } from '../clock.js'
import { type ApiError, ERRORS, type ErrorName } from '../errors.js'
import type { HttpResponse } from './uws.js'

export const API_VERSION = '1.0.0'

export interface LimitFigures {
  limitMinute: number
  remainingMinute: number
  limitDay: number
  remainingDay: number
}

const encoder = new TextEncoder()
export const bytes = (text: string): Uint8Array => encoder.encode(text)

/** A figure in the header block: ten columns hold any limit; trailing blanks are no part of a value. */
const FIGURE_COLUMNS = 10
const BLANKS = ' '.repeat(FIGURE_COLUMNS)

/**
 * Content type and the four limits go out as one header whose value holds the other lines: each further call
 * into uWebSockets costs more than the bytes do. The figures are overwritten in place.
 */
const HEADER_NAME = bytes('Content-Type')
const HEADER_LINES = [
  'application/json\r\nX-RateLimit-Limit-Minute: ',
  '\r\nX-RateLimit-Remaining-Minute: ',
  '\r\nX-RateLimit-Limit-Day: ',
  '\r\nX-RateLimit-Remaining-Day: ',
]

const SCRATCH_START_BYTES = 64 * 1024
/** Views of the usual answer lengths are kept; longer ones are made when needed. */
const VIEWS_KEPT = 2048

const OPEN_DATA = bytes('{"success":true,"data":')
const META = ',"meta":{'
const TIMESTAMP_CHARS = 25

export class Responder {
  readonly #clock: Clock
  #scratch = new Uint8Array(SCRATCH_START_BYTES)
  #length = 0
  #views: (Uint8Array | undefined)[] = new Array(VIEWS_KEPT).fill(undefined)
  readonly #header: Uint8Array
  readonly #figureAt: number[] = []
  readonly #written = [-1, -1, -1, -1]
  /** `"timestamp":"…","api_version":"1.0.0"}}`, renewed once a second. */
  readonly #tail = bytes(`"timestamp":"${'0'.repeat(TIMESTAMP_CHARS)}","api_version":"${API_VERSION}"}}`)
  readonly #plainMeta = bytes(META)
  #tailSecond = -1
  #res!: HttpResponse
  #headOnly = false
  #figures!: LimitFigures
  /** Set once the server stops: every answer then ends its connection. */
  closing = false

  constructor(clock: Clock) {
    this.#clock = clock
    let at = 0
    for (const line of HEADER_LINES) {
      at += line.length
      this.#figureAt.push(at)
      at += FIGURE_COLUMNS
    }
    this.#header = bytes(HEADER_LINES.map(line => line + BLANKS).join(''))
  }

  begin(res: HttpResponse, headOnly: boolean, figures: LimitFigures): void {
    this.#res = res
    this.#headOnly = headOnly
    this.#figures = figures
    this.#length = 0
  }

  /** Room for the largest page that this catalog can give. */
  reserve(size: number): void {
    if (size <= this.#scratch.length) return
    this.#scratch = new Uint8Array(size)
    this.#views = new Array(VIEWS_KEPT).fill(undefined)
  }

  openData(): this {
    return this.put(OPEN_DATA)
  }

  put(part: Uint8Array): this {
    this.#scratch.set(part, this.#length)
    this.#length += part.length
    return this
  }

  /** Text known to be ASCII and valid inside JSON as it stands: digits, numbers, fixed phrases. */
  ascii(text: string): this {
    const scratch = this.#scratch
    let at = this.#length
    for (let i = 0; i < text.length; i++) scratch[at++] = text.charCodeAt(i)
    this.#length = at
    return this
  }

  /** Ends a single record's answer. */
  endRecord(): void {
    this.put(this.#plainMeta).#endWithTail()
  }

  /** Ends a page; the array has been written with its brackets. */
  endPage(total: number, limit: number, offset: number, count: number): void {
    this.ascii(`${META}"total":${total},"limit":${limit},"offset":${offset},"count":${count},`).#endWithTail()
  }

  /**
   * A refusal. `message` takes the place of the table's sentence and `details` is a JSON object's inside; both
   * are made by us from digits and fixed words, never from what the caller sent.
   */
  refuse(name: ErrorName, options: { message?: string; details?: string; retryAfter?: number; allow?: string } = {}): void {
    const error: ApiError = ERRORS[name]
    const { message = error.message, details, retryAfter, allow } = options
    const res = this.#res
    res.writeStatus(error.statusLine)
    if (retryAfter !== undefined) res.writeHeader('Retry-After', String(retryAfter))
    if (allow !== undefined) res.writeHeader('Allow', allow)
    this.#length = 0
    this.ascii(`{"success":false,"error":{"code":"${error.code}","message":"${message}"`)
    if (details !== undefined) this.ascii(`,"details":{${details}}`)
    this.ascii('}').put(this.#plainMeta).#endWithTail()
  }

  /** A document rendered long ago. */
  endDocument(body: Uint8Array): void {
    this.#length = 0
    this.#send(body)
  }

  #endWithTail(): void {
    const second = Math.floor(this.#clock.now() / 1000)
    if (second !== this.#tailSecond) {
      this.#tailSecond = second
      this.#tail.set(bytes(isoSeconds(second * 1000)), '"timestamp":"'.length)
    }
    this.put(this.#tail)
    const length = this.#length
    let view = length < VIEWS_KEPT ? this.#views[length] : undefined
    if (view === undefined) {
      view = this.#scratch.subarray(0, length)
      if (length < VIEWS_KEPT) this.#views[length] = view
    }
    this.#send(view)
  }

  #send(body: Uint8Array): void {
    const figures = this.#figures
    this.#writeFigure(0, figures.limitMinute)
    this.#writeFigure(1, figures.remainingMinute)
    this.#writeFigure(2, figures.limitDay)
    this.#writeFigure(3, figures.remainingDay)
    const res = this.#res
    res.writeHeader(HEADER_NAME, this.#header)
    if (this.#headOnly) {
      // with a length of its own endWithoutBody leaves the response open, which ends the process (uWebSockets #1855)
      res.writeHeader('Content-Length', String(body.length)).endWithoutBody()
    } else res.end(body, this.closing)
  }

  #writeFigure(index: number, value: number): void {
    if (this.#written[index] === value) return
    this.#written[index] = value
    const header = this.#header
    const start = this.#figureAt[index] as number
    let digits = 1
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++
    let rest = value
    for (let i = digits - 1; i >= 0; i--) {
      const quotient = Math.floor(rest / 10)
      header[start + i] = 48 + (rest - quotient * 10)
      rest = quotient
    }
    for (let i = digits; i < FIGURE_COLUMNS; i++) header[start + i] = 32
  }
}
