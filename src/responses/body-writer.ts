/** Writes a body into one buffer without allocating; the next request reuses the buffer. */
import { bytes, digitCount } from '../engines/bytes.js'

const ZERO = 48
const POINT = 46
export const COMMA = 44
export const OPEN_BRACKET = 91
export const CLOSE_BRACKET = 93
export const CLOSE_BRACE = 125
/** Up to this length, copying in a loop is faster than a view and `set`. */
const LOOP_BYTES_MAX = 64
const SCRATCH_START_BYTES = 64 * 1024
/** Upper bound for the size of the envelope around the data. */
const ENVELOPE_BYTES = 4096
/** Views of bodies shorter than this are cached. */
const CACHED_VIEWS = 2048

const OPEN_DATA = bytes('{"success":true,"data":')

export class BodyWriter {
  #scratch = Buffer.allocUnsafeSlow(SCRATCH_START_BYTES)
  #length = 0
  /** Whether the buffer begins with OPEN_DATA. */
  #opened = false
  #views: (Uint8Array | undefined)[] = new Array(CACHED_VIEWS).fill(undefined)

  /** Makes room for more data and the end of the envelope. Must be called before every write except `text`. */
  reserve(bytes: number): void {
    const size = this.#length + bytes + ENVELOPE_BYTES
    if (size <= this.#scratch.length) return
    const larger = Buffer.allocUnsafeSlow(size)
    this.#scratch.copy(larger)
    this.#scratch = larger
    this.#views = new Array(CACHED_VIEWS).fill(undefined)
  }

  /** Starts the body of a success. Its first bytes are still in the buffer unless a refusal has overwritten them. */
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

  part(source: Uint8Array, start: number, end: number): this {
    const length = end - start
    if (length > LOOP_BYTES_MAX) return this.put(source.subarray(start, end))
    const scratch = this.#scratch
    const at = this.#length
    for (let i = 0; i < length; i++) scratch[at + i] = source[start + i]
    this.#length = at + length
    return this
  }

  copy(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#scratch.subarray(0, this.#length))
  }

  byte(value: number): this {
    this.#scratch[this.#length++] = value
    return this
  }

  /** Writes ASCII text that needs no escaping in JSON. */
  ascii(text: string): this {
    this.#length += this.#scratch.write(text, this.#length, 'latin1')
    return this
  }

  /** Like `ascii`, faster for a few characters of a flat string. */
  short(text: string): this {
    const scratch = this.#scratch
    const start = this.#length
    const length = text.length
    for (let i = 0; i < length; i++) scratch[start + i] = text.charCodeAt(i)
    this.#length = start + length
    return this
  }

  text(text: string): this {
    this.reserve(Buffer.byteLength(text))
    this.#length += this.#scratch.write(text, this.#length, 'utf8')
    return this
  }

  json(value: unknown): this {
    this.#length += this.#scratch.write(JSON.stringify(value), this.#length, 'utf8')
    return this
  }

  /** Writes `digits` × 10^-`places` in the shortest form: 5250 and 2 give 52.5. */
  decimal(digits: number, places = 0): this {
    const scratch = this.#scratch
    let rest = digits
    let decimals = places
    for (let tenth = Math.floor(rest / 10); decimals > 0 && rest === tenth * 10; tenth = Math.floor(rest / 10)) {
      rest = tenth
      decimals--
    }
    const count = Math.max(digitCount(rest), decimals + 1)
    let at = this.#length + count
    if (decimals === 0) at--
    this.#length = at + 1
    for (let i = 0; i < count; i++) {
      if (i === decimals && i > 0) scratch[at--] = POINT
      const tenth = Math.floor(rest / 10)
      scratch[at--] = ZERO + (rest - tenth * 10)
      rest = tenth
    }
    return this
  }

  /** Starts a body that is not a success. */
  protected open(opening: Uint8Array): this {
    this.#length = 0
    this.#opened = false
    return this.put(opening)
  }

  /** The result is valid until the next write. */
  protected view(): Uint8Array {
    const length = this.#length
    let view = length < CACHED_VIEWS ? this.#views[length] : undefined
    if (view === undefined) {
      view = this.#scratch.subarray(0, length)
      if (length < CACHED_VIEWS) this.#views[length] = view
    }
    return view
  }
}
