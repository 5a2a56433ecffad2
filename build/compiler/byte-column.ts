/** A growing buffer of bytes. */
const INITIAL_CAPACITY = 1 << 16
/** UTF-8 needs at most three bytes for a UTF-16 code unit. */
const UTF8_BYTES_MAX = 3

export class ByteColumn {
  #bytes = Buffer.allocUnsafe(INITIAL_CAPACITY)
  length = 0

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.length + count))
    this.#bytes.copy(larger, 0, 0, this.length)
    this.#bytes = larger
  }

  pushByte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.length++] = byte
  }

  push(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from)
    for (let i = from; i < to; i++) this.#bytes[this.length++] = bytes[i]
  }

  /** Writes the text as UTF-8 and returns its number of bytes. */
  pushText(text: string): number {
    this.#reserve(UTF8_BYTES_MAX * text.length)
    const written = this.#bytes.write(text, this.length)
    this.length += written
    return written
  }

  /** A copy of the bytes written so far. */
  column(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.length))
  }
}
