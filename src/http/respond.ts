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

/**
 * Content type and the four limits go out as one header whose value holds the other lines: each further call
 * into uWebSockets costs more than the bytes do.
 */
const HEADER_NAME = bytes('Content-Type')
const HEADER_LINES = [
  'application/json\r\nX-RateLimit-Limit-Minute: ',
  '\r\nX-RateLimit-Remaining-Minute: ',
  '\r\nX-RateLimit-Limit-Day: ',
  '\r\nX-RateLimit-Remaining-Day: ',
].map(bytes)
const FIGURE_DIGITS_MAX = 10
const RETRY_AFTER = bytes('\r\nRetry-After: ')
const HEADER_BYTES_MAX = HEADER_LINES.reduce(
  (sum, line) => sum + line.length + FIGURE_DIGITS_MAX,
  RETRY_AFTER.length + FIGURE_DIGITS_MAX,
)

const ZERO = 48

function digitCount(value: number): number {
  let digits = 1
  for (let power = 10; power <= value; power *= 10) digits++
  return digits
}

/** Strings are what uWebSockets takes slowest. */
const STATUS_LINES = Object.fromEntries(
  Object.entries(ERRORS).map(([name, error]) => [name, bytes(error.statusLine)]),
) as Record<ErrorName, Uint8Array>

/** Refusals without a sentence of their own, up to the meta part. */
const PLAIN_REFUSALS = Object.fromEntries(
  Object.entries(ERRORS).map(([name, { code, message }]) => [
    name,
    bytes(`{"success":false,"error":{"code":"${code}","message":"${message}"}`),
  ]),
) as Record<ErrorName, Uint8Array>

const SCRATCH_START_BYTES = 64 * 1024
/** Views of the usual answer lengths are kept; longer ones are made when needed. */
const VIEWS_KEPT = 2048

const OPEN_DATA = bytes('{"success":true,"data":')
const META = ',"meta":{'
const TIMESTAMP_CHARS = 25

/** A whole body that was sent before. Only its timestamp goes stale. */
export interface KeptBody {
  bytes: Uint8Array
  /** The second that its timestamp shows. */
  second: number
}

export class Responder {
  readonly #clock: Clock
  #scratch = Buffer.allocUnsafeSlow(SCRATCH_START_BYTES)
  #length = 0
  /** Whether the buffer begins with `{"success":true,"data":` */
  #opened = false
  #views: (Uint8Array | undefined)[] = new Array(VIEWS_KEPT).fill(undefined)
  readonly #header = new Uint8Array(HEADER_BYTES_MAX)
  /** The header block at each length it can have. */
  readonly #headerViews = Array.from({ length: HEADER_BYTES_MAX + 1 }, (_, length) =>
    this.#header.subarray(0, length),
  )
  #headerLength = 0
  /** Seconds for the answer under way; 0 for none. */
  #retryAfter = 0
  readonly #figureAt = [0, 0, 0, 0]
  readonly #figureDigits = [0, 0, 0, 0]
  readonly #figure = [-1, -1, -1, -1]
  /** How every body ends, from `,"meta":{"timestamp":` on; renewed once a second. A page needs only the end of it. */
  readonly #tail = bytes(
    `${META}"timestamp":"${'0'.repeat(TIMESTAMP_CHARS)}","api_version":"${API_VERSION}"}}`,
  )
  readonly #pageTail = this.#tail.subarray(META.length)
  #tailSecond = -1
  #res!: HttpResponse
  #headOnly = false
  #figures!: LimitFigures
  /** Set once the server stops: every answer then ends its connection. */
  closing = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(res: HttpResponse, headOnly: boolean, figures: LimitFigures): void {
    this.#res = res
    this.#headOnly = headOnly
    this.#figures = figures
  }

  /** Room for the largest page that this catalog can give. */
  reserve(size: number): void {
    if (size <= this.#scratch.length) return
    this.#scratch = Buffer.allocUnsafeSlow(size)
    this.#opened = false
    this.#views = new Array(VIEWS_KEPT).fill(undefined)
  }

  /** Starts a success. Its first bytes never change, so they are written only after a refusal was. */
  openData(): this {
    if (!this.#opened) {
      this.#scratch.set(OPEN_DATA)
      this.#opened = true
    }
    this.#length = OPEN_DATA.length
    return this
  }

  put(part: Uint8Array): this {
    this.#scratch.set(part, this.#length)
    this.#length += part.length
    return this
  }

  /** Text known to be ASCII and valid inside JSON as it stands: digits, numbers, fixed phrases. */
  ascii(text: string): this {
    this.#length += this.#scratch.write(text, this.#length, 'latin1')
    return this
  }

  /** Ends a single record's answer. */
  endRecord(): void {
    this.#endWith(this.#tail)
  }

  /** A success whose data never changes, put together once: `endKept` sends it from then on. */
  keep(data: Uint8Array): KeptBody {
    const bytes = new Uint8Array(OPEN_DATA.length + data.length + this.#tail.length)
    bytes.set(OPEN_DATA)
    bytes.set(data, OPEN_DATA.length)
    bytes.set(this.#tail, OPEN_DATA.length + data.length)
    return { bytes, second: this.#tailSecond }
  }

  endKept(kept: KeptBody): void {
    this.#renewTail()
    if (kept.second !== this.#tailSecond) {
      kept.bytes.set(this.#tail, kept.bytes.length - this.#tail.length)
      kept.second = this.#tailSecond
    }
    this.#send(kept.bytes)
  }

  /** Ends a page; the array has been written with its brackets. */
  endPage(total: number, limit: number, offset: number, count: number): void {
    this.ascii(`${META}"total":${total},"limit":${limit},"offset":${offset},"count":${count},`).#endWith(
      this.#pageTail,
    )
  }

  /**
   * A refusal. `message` takes the place of the table's sentence and `details` is a JSON object's inside; both
   * are made by us from digits and fixed words, never from what the caller sent.
   */
  refuse(
    name: ErrorName,
    options: { message?: string; details?: string; retryAfter?: number; allow?: string } = {},
  ): void {
    const error: ApiError = ERRORS[name]
    const { message, details, retryAfter, allow } = options
    const res = this.#res
    res.writeStatus(STATUS_LINES[name])
    this.#retryAfter = retryAfter ?? 0
    if (allow !== undefined) res.writeHeader('Allow', allow)
    this.#length = 0
    this.#opened = false
    if (message === undefined) this.put(PLAIN_REFUSALS[name])
    else {
      this.ascii(`{"success":false,"error":{"code":"${error.code}","message":"${message}"`)
      this.ascii(details === undefined ? '}' : `,"details":{${details}}}`)
    }
    this.#endWith(this.#tail)
  }

  /** A document rendered long ago. */
  endDocument(body: Uint8Array): void {
    this.#send(body)
  }

  #renewTail(): void {
    const second = Math.floor(this.#clock.now() / 1000)
    if (second === this.#tailSecond) return
    this.#tailSecond = second
    this.#pageTail.set(bytes(isoSeconds(second * 1000)), '"timestamp":"'.length)
  }

  #endWith(tail: Uint8Array): void {
    this.#renewTail()
    this.put(tail)
    const length = this.#length
    let view = length < VIEWS_KEPT ? this.#views[length] : undefined
    if (view === undefined) {
      view = this.#scratch.subarray(0, length)
      if (length < VIEWS_KEPT) this.#views[length] = view
    }
    this.#send(view)
  }

  #send(body: Uint8Array): void {
    const { limitMinute, remainingMinute, limitDay, remainingDay } = this.#figures
    const fits =
      this.#overwrite(0, limitMinute) &&
      this.#overwrite(1, remainingMinute) &&
      this.#overwrite(2, limitDay) &&
      this.#overwrite(3, remainingDay)
    if (!fits) this.#layOut([limitMinute, remainingMinute, limitDay, remainingDay])
    const res = this.#res
    let length = this.#headerLength
    if (this.#retryAfter > 0) {
      this.#header.set(RETRY_AFTER, length)
      length = this.#writeDigits(length + RETRY_AFTER.length, digitCount(this.#retryAfter), this.#retryAfter)
      this.#retryAfter = 0
    }
    res.writeHeader(HEADER_NAME, this.#headerViews[length] as Uint8Array)
    if (this.#headOnly) {
      // with a length of its own endWithoutBody leaves the response open, which ends the process (uWebSockets #1855)
      res.writeHeader('Content-Length', String(body.length)).endWithoutBody()
    } else if (this.closing) res.end(body, true)
    else res.end(body)
  }

  /** Puts a figure in place of the last one, if it has as many digits. */
  #overwrite(index: number, value: number): boolean {
    if (this.#figure[index] === value) return true
    const digits = this.#figureDigits[index] as number
    // what remains mostly goes down by one, and then mostly in its last digit alone
    const last = (this.#figureAt[index] as number) + digits - 1
    if (value === (this.#figure[index] as number) - 1 && (this.#header[last] as number) > ZERO) {
      this.#figure[index] = value
      this.#header[last] = (this.#header[last] as number) - 1
      return true
    }
    if (digitCount(value) !== digits) return false
    this.#figure[index] = value
    this.#writeDigits(this.#figureAt[index] as number, digits, value)
    return true
  }

  /** Returns where the number ends. */
  #writeDigits(start: number, digits: number, value: number): number {
    let rest = value
    for (let i = digits - 1; i >= 0; i--) {
      const quotient = Math.floor(rest / 10)
      this.#header[start + i] = ZERO + (rest - quotient * 10)
      rest = quotient
    }
    return start + digits
  }

  #layOut(figures: number[]): void {
    let at = 0
    figures.forEach((value, index) => {
      const line = HEADER_LINES[index] as Uint8Array
      this.#header.set(line, at)
      at += line.length
      this.#figureAt[index] = at
      this.#figureDigits[index] = digitCount(value)
      this.#figure[index] = -1
      this.#overwrite(index, value)
      at += this.#figureDigits[index] as number
    })
    this.#headerLength = at
  }
}
