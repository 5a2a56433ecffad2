/**
 * Status line and headers as one block of bytes, which is passed to uWebSockets as the status, because a call into the engine
 * for each header would be slower. Blocks are cached, and only their numbers are updated.
 */
import { bytes, digitCount } from '../engines/bytes.js'
import { ERRORS, type ErrorName } from '../errors.js'
import type { Figures } from '../quotas/windows.js'
import type { CodedBody } from './coded-bodies.js'
import { type CorsHeaders, NO_CORS_HEADERS } from './cors-headers.js'

export interface HeadOptions {
  /** For example `200 OK`. */
  status: string
  /** null for a response without a body. */
  contentType?: string | null
  headers?: Readonly<Record<string, string>>
  hasRetryAfter?: boolean
  reason?: ErrorName
}

/** A complete body. Only its timestamp is updated. */
export interface CachedBody {
  buffer: ArrayBuffer
  bytes: Uint8Array
  /** The time in its timestamp, in whole seconds. */
  second: number
  /** The compressed body, once a client has accepted compression. */
  coded: CodedBody | undefined
}

export interface CachedRefusal {
  head: Head
  body: CachedBody
}

/** Kinds of responses in the metrics: refusals are distinguished by error, all others by status. */
export const RESPONSE_KINDS: readonly { status: number; reason?: string }[] = [
  { status: 200 },
  { status: 304 },
  { status: 204 },
  { status: 301 },
  { status: 202 },
  { status: 400 },
  ...Object.values(ERRORS).map(({ status, code }) => ({ status, reason: code })),
]
const REFUSALS_AT = 6

function kindOf(status: string, reason: ErrorName | undefined): number {
  if (reason !== undefined) return REFUSALS_AT + Object.keys(ERRORS).indexOf(reason)
  if (status >= '400') return REFUSALS_AT - 1
  return Math.max(
    0,
    RESPONSE_KINDS.findIndex(kind => status.startsWith(String(kind.status))),
  )
}

const JSON_TYPE = 'application/json'
const NO_SNIFFING = { 'X-Content-Type-Options': 'nosniff' }

const FIGURE_HEADERS = [
  'X-RateLimit-Limit-Minute',
  'X-RateLimit-Remaining-Minute',
  'X-RateLimit-Limit-Day',
  'X-RateLimit-Remaining-Day',
  'Retry-After',
]
const RETRY_AFTER = 4
const ZERO = 48
const BLOCKS_MAX = 256

/** For each number, in one Int32Array: position of its last digit, least and greatest value that fit, current value. */
const WORDS_PER_FIGURE = 4
const LAST_DIGIT = 0
const MIN = 1
const MAX = 2
const CURRENT = 3
const FIGURE_MAX = 2 ** 31 - 1

/** A block in which each number has a fixed count of digits. */
class Block {
  readonly buffer: ArrayBuffer
  readonly #bytes: Uint8Array
  readonly #words: Int32Array

  constructor(opening: string, figures: readonly number[], ending: string) {
    this.#words = new Int32Array(figures.length * WORDS_PER_FIGURE)
    let text = opening
    figures.forEach((value, i) => {
      const digits = digitCount(value)
      text += `\r\n${FIGURE_HEADERS[i]}: ${value}`
      const at = i * WORDS_PER_FIGURE
      this.#words[at + LAST_DIGIT] = text.length - 1
      this.#words[at + MIN] = digits === 1 ? 0 : 10 ** (digits - 1)
      this.#words[at + MAX] = Math.min(10 ** digits - 1, FIGURE_MAX)
      this.#words[at + CURRENT] = value
    })
    this.#bytes = bytes(text + ending).slice()
    this.buffer = this.#bytes.buffer as ArrayBuffer
  }

  /** Returns false if the value has a different number of digits. */
  show(figure: number, value: number): boolean {
    const words = this.#words
    const at = figure * WORDS_PER_FIGURE
    const shown = words[at + CURRENT]
    if (value === shown) return true
    if (value < words[at + MIN] || value > words[at + MAX]) return false
    words[at + CURRENT] = value
    const last = words[at + LAST_DIGIT]
    const digit = this.#bytes[last]
    // a remaining quota usually goes down by one, changing only its last digit
    if (value === shown - 1 && digit > ZERO) this.#bytes[last] = digit - 1
    else this.#write(last, value)
    return true
  }

  #write(last: number, value: number): void {
    let at = last
    let rest = value
    do {
      const tenth = Math.floor(rest / 10)
      this.#bytes[at--] = ZERO + (rest - tenth * 10)
      rest = tenth
    } while (rest > 0)
  }
}

export class Head {
  readonly #opening: string
  readonly #hasRetryAfter: boolean
  /** Index into RESPONSE_KINDS. */
  readonly kind: number
  readonly #blocks = new Map<string, Block>()
  #block: Block
  #corsHeaders = NO_CORS_HEADERS

  constructor({ status, contentType = JSON_TYPE, headers = {}, hasRetryAfter = false, reason }: HeadOptions) {
    this.kind = kindOf(status, reason)
    const type = contentType === null ? {} : { 'Content-Type': contentType }
    const lines = Object.entries({ ...type, ...NO_SNIFFING, ...headers })
    this.#opening = [status, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
    this.#hasRetryAfter = hasRetryAfter
    this.#block = new Block(this.#opening, hasRetryAfter ? [0, 0, 0, 0, 0] : [0, 0, 0, 0], '')
  }

  /** The result is valid until the next call. */
  render(figures: Figures, retryAfter: number, corsHeaders: CorsHeaders): ArrayBuffer {
    if (corsHeaders !== this.#corsHeaders || !this.#fits(this.#block, figures, retryAfter)) {
      this.#corsHeaders = corsHeaders
      this.#block = this.#find(figures, retryAfter)
    }
    return this.#block.buffer
  }

  #fits(block: Block, figures: Figures, retryAfter: number): boolean {
    return (
      block.show(0, figures.limitMinute) &&
      block.show(1, figures.remainingMinute) &&
      block.show(2, figures.limitDay) &&
      block.show(3, figures.remainingDay) &&
      (!this.#hasRetryAfter || block.show(RETRY_AFTER, retryAfter))
    )
  }

  #find(figures: Figures, retryAfter: number): Block {
    const { limitMinute, remainingMinute, limitDay, remainingDay } = figures
    const values = [limitMinute, remainingMinute, limitDay, remainingDay]
    if (this.#hasRetryAfter) values.push(retryAfter)
    const lengths = values.map(digitCount).join() + this.#corsHeaders.lines
    let block = this.#blocks.get(lengths)
    if (block === undefined) {
      block = new Block(this.#opening, values, this.#corsHeaders.lines)
      if (this.#blocks.size < BLOCKS_MAX) this.#blocks.set(lengths, block)
    }
    this.#fits(block, figures, retryAfter)
    return block
  }
}

export function withLines(head: ArrayBuffer, lines: string): ArrayBuffer {
  const more = bytes(lines)
  const all = new Uint8Array(head.byteLength + more.length)
  all.set(new Uint8Array(head))
  all.set(more, head.byteLength)
  return all.buffer
}

/** For responses to requests with a key, which shared caches must not store. */
export const PRIVATE = { 'Cache-Control': 'private, no-cache' }

const WITH_RETRY_AFTER: readonly ErrorName[] = ['rateLimitExceeded', 'dbUnavailable', 'busy']

export function refusalHead(name: ErrorName, headers: Readonly<Record<string, string>> = {}): Head {
  const hasRetryAfter = WITH_RETRY_AFTER.includes(name)
  // 404 is the only refusal of a request with a key that caches store by default
  const allHeaders = name === 'notFound' ? { ...PRIVATE, ...headers } : headers
  return new Head({ status: ERRORS[name].statusLine, headers: allHeaders, hasRetryAfter, reason: name })
}
