/**
 * What comes before a body: status line, content type and limits, as one block of bytes. uWebSockets gets it as
 * the status, line breaks and all: each further call into it costs more than the bytes do. Blocks are kept and
 * only their figures renewed.
 */

import { bytes, digitCount } from '../engines/bytes.js'
import { ERRORS, type ErrorName } from '../errors.js'
import type { Figures } from '../quotas/windows.js'
import { type CorsHeaders, NO_CORS_HEADERS } from './cors-headers.js'

export interface HeadOptions {
  /** As HTTP writes it: `200 OK` */
  status: string
  /** None for an answer that never has a body. */
  contentType?: string | null
  headers?: Readonly<Record<string, string>>
  /** Whether it tells when to try again. */
  hasRetryAfter?: boolean
  /** The error that it belongs to, for refusals. */
  reason?: ErrorName
}

/** Kinds of answers as they are counted: successes by status, refusals by their error. */
export const ANSWER_KINDS: readonly { status: number; reason?: string }[] = [
  { status: 200 },
  { status: 304 },
  { status: 204 },
  ...Object.values(ERRORS).map(({ status, code }) => ({ status, reason: code })),
]
const REFUSALS_AT = 3

function kindOf(status: string, reason: ErrorName | undefined): number {
  if (reason !== undefined) return REFUSALS_AT + Object.keys(ERRORS).indexOf(reason)
  return Math.max(
    0,
    ANSWER_KINDS.findIndex(kind => status.startsWith(String(kind.status))),
  )
}

const JSON_TYPE = 'application/json'
/** For browsers: a type is what it says. */
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
/** Blocks by the lengths of their figures. Few lengths occur; should many, the block at hand is made anew each time. */
const BLOCKS_MAX = 256

/** What a block knows of each figure, in words that stand together in memory. */
const WORDS = 4
/** Where its last digit is. */
const LAST = 0
/** The values that it has room for. */
const MIN = 1
const MAX = 2
const SHOWN = 3
const FIGURE_MAX = 2 ** 31 - 1

/** A block whose figures have certain numbers of digits. */
class Block {
  readonly buffer: ArrayBuffer
  readonly #bytes: Uint8Array
  readonly #words: Int32Array

  constructor(opening: string, figures: readonly number[], ending: string) {
    this.#words = new Int32Array(figures.length * WORDS)
    let text = opening
    figures.forEach((value, i) => {
      const digits = digitCount(value)
      text += `\r\n${FIGURE_HEADERS[i]}: ${value}`
      const at = i * WORDS
      this.#words[at + LAST] = text.length - 1
      this.#words[at + MIN] = digits === 1 ? 0 : 10 ** (digits - 1)
      this.#words[at + MAX] = Math.min(10 ** digits - 1, FIGURE_MAX)
      this.#words[at + SHOWN] = value
    })
    this.#bytes = bytes(text + ending).slice()
    this.buffer = this.#bytes.buffer as ArrayBuffer
  }

  /** Shows another value; false where it has more or fewer digits than there is room for. */
  show(figure: number, value: number): boolean {
    const words = this.#words
    const at = figure * WORDS
    const shown = words[at + SHOWN]
    if (value === shown) return true
    if (value < words[at + MIN] || value > words[at + MAX]) return false
    words[at + SHOWN] = value
    const last = words[at + LAST]
    const digit = this.#bytes[last]
    // what remains mostly goes down by one, and then mostly in its last digit alone
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

/** What comes before the bodies of one kind of answer. */
export class Head {
  readonly #opening: string
  readonly #hasRetryAfter: boolean
  /** Its place in ANSWER_KINDS. */
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

  /** Good until the next call. */
  showing(figures: Figures, retryAfter: number, corsHeaders: CorsHeaders): ArrayBuffer {
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

/** A head with these at its end, each with its line break before it. */
export function withLines(head: ArrayBuffer, lines: string): ArrayBuffer {
  const more = bytes(lines)
  const all = new Uint8Array(head.byteLength + more.length)
  all.set(new Uint8Array(head))
  all.set(more, head.byteLength)
  return all.buffer
}

/** For answers to a caller with a key: a cache that others share must not keep them. */
export const PRIVATE = { 'Cache-Control': 'private, no-cache' }

const WITH_RETRY_AFTER: readonly ErrorName[] = ['rateLimitExceeded', 'dbUnavailable']

export function refusalHead(name: ErrorName, headers: Readonly<Record<string, string>> = {}): Head {
  const hasRetryAfter = WITH_RETRY_AFTER.includes(name)
  // of refusals with a key, only this status is one that caches keep unasked
  const own = name === 'notFound' ? { ...PRIVATE, ...headers } : headers
  return new Head({ status: ERRORS[name].statusLine, headers: own, hasRetryAfter, reason: name })
}
