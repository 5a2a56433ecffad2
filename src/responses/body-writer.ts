/**
 * The body of an answer, put together in one buffer from bytes that exist already; a request allocates none. The buffer is used
 * again by the next request, so an answer must be sent before that.
 */
import { bytes, digitCount } from '../engines/bytes.js'

const ZERO = 48
const POINT = 46
export const COMMA = 44
export const OPEN_BRACKET = 91
export const CLOSE_BRACKET = 93
export const CLOSE_BRACE = 125
/** Shorter pieces are copied byte by byte: making a view and calling `set` costs more. */
const LOOP_BYTES_MAX = 64
const SCRATCH_START_BYTES = 64 * 1024
/** Views of the usual answer lengths are kept; longer ones are made when needed. */
const VIEWS_KEPT = 2048

const OPEN_DATA = bytes('{"success":true,"data":')

export class BodyWriter {
  #scratch = Buffer.allocUnsafeSlow(SCRATCH_START_BYTES)
  #length = 0
  /** Whether the buffer begins with `{"success":true,"data":` */
  #opened = false
  #views: (Uint8Array | undefined)[] = new Array(VIEWS_KEPT).fill(undefined)

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

  /** A piece of something longer. */
  part(source: Uint8Array, start: number, end: number): this {
    const length = end - start
    if (length > LOOP_BYTES_MAX) return this.put(source.subarray(start, end))
    const scratch = this.#scratch
    const at = this.#length
    for (let i = 0; i < length; i++) scratch[at + i] = source[start + i]
    this.#length = at + length
    return this
  }

  /** How much is written. */
  get length(): number {
    return this.#length
  }

  /** A copy of what was written since there was so much. */
  written(from: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#scratch.subarray(from, this.#length))
  }

  byte(value: number): this {
    this.#scratch[this.#length++] = value
    return this
  }

  /** Text known to be ASCII and valid inside JSON as it stands: numbers, fixed phrases. */
  ascii(text: string): this {
    this.#length += this.#scratch.write(text, this.#length, 'latin1')
    return this
  }

  /** As `ascii`, faster for a few characters that stand in one piece in memory, as those of a request do. */
  short(text: string): this {
    const scratch = this.#scratch
    const start = this.#length
    const length = text.length
    for (let i = 0; i < length; i++) scratch[start + i] = text.charCodeAt(i)
    this.#length = start + length
    return this
  }

  /** Any text, as JSON writes it, quotes included. */
  text(value: string): this {
    return this.json(value)
  }

  /** For what is not worth rendering before. */
  protected json(value: unknown): this {
    this.#length += this.#scratch.write(JSON.stringify(value), this.#length, 'utf8')
    return this
  }

  /** `digits` × 10^-`places` in plain shortest form: 5250 and 2 give 52.5. */
  decimal(digits: number, places = 0): this {
    const scratch = this.#scratch
    let rest = digits
    let behind = places
    for (let tenth = Math.floor(rest / 10); behind > 0 && rest === tenth * 10; tenth = Math.floor(rest / 10)) {
      rest = tenth
      behind--
    }
    const count = Math.max(digitCount(rest), behind + 1)
    let at = this.#length + count
    if (behind === 0) at--
    this.#length = at + 1
    for (let i = 0; i < count; i++) {
      if (i === behind && i > 0) scratch[at--] = POINT
      const tenth = Math.floor(rest / 10)
      scratch[at--] = ZERO + (rest - tenth * 10)
      rest = tenth
    }
    return this
  }

  /** Starts a body that is no success. */
  protected open(opening: Uint8Array): this {
    this.#length = 0
    this.#opened = false
    return this.put(opening)
  }

  /** What is written, until something else is. */
  protected view(): Uint8Array {
    const length = this.#length
    let view = length < VIEWS_KEPT ? this.#views[length] : undefined
    if (view === undefined) {
      view = this.#scratch.subarray(0, length)
      if (length < VIEWS_KEPT) this.#views[length] = view
    }
    return view
  }
}
