/**
 * Slots by key id and ids by slot; a slot is never given to another id. Ids are stored as bytes: a million strings would
 * slow every garbage collection.
 */
import { fnv1a } from '../fnv1a.js'
import { NO_SLOT, SlotTable } from './slot-table.js'

/** Ids are stored in pieces, so that growing copies nothing. */
const PIECE_BYTES = 1024 * 1024
/** An encoding that keeps every string unchanged. */
const ENCODING = 'utf16le'

export class KeyIds extends SlotTable {
  readonly #pieces: Buffer[] = []
  #used = 0
  /** By slot: its piece, and the offset and length of its id there. */
  readonly #piece: Uint32Array
  readonly #at: Uint32Array
  readonly #length: Uint32Array
  #count = 0

  constructor(capacity: number) {
    super(capacity)
    this.#piece = new Uint32Array(capacity)
    this.#at = new Uint32Array(capacity)
    this.#length = new Uint32Array(capacity)
  }

  /** The number of ids, whose slots are the numbers from 0 to `count` - 1. */
  get count(): number {
    return this.#count
  }

  #bytes(slot: number): Buffer {
    const at = this.#at[slot]
    return this.#pieces[this.#piece[slot]].subarray(at, at + this.#length[slot])
  }

  id(slot: number): string {
    return this.#bytes(slot).toString(ENCODING)
  }

  find(id: string): number {
    const bytes = Buffer.from(id, ENCODING)
    const hashCode = fnv1a(id) | 0
    let bucket = this.bucketOf(hashCode)
    for (let slot = this.buckets[bucket]; slot !== NO_SLOT; slot = this.buckets[bucket]) {
      if (this.hashCodes[slot] === hashCode && this.#bytes(slot).equals(bytes)) return slot
      bucket = (bucket + 1) & this.mask
    }
    return NO_SLOT
  }

  /** The slot of an id, a new one if needed; NO_SLOT if all are taken. */
  slotFor(id: string): number {
    const found = this.find(id)
    if (found !== NO_SLOT || this.#count === this.capacity) return found
    const slot = this.#count++
    this.#store(slot, Buffer.from(id, ENCODING))
    this.insert(slot, fnv1a(id) | 0)
    return slot
  }

  #store(slot: number, bytes: Buffer): void {
    if (this.#pieces.length === 0 || this.#used + bytes.length > PIECE_BYTES) {
      this.#pieces.push(Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytes.length)))
      this.#used = 0
    }
    ;(this.#pieces.at(-1) as Buffer).set(bytes, this.#used)
    this.#piece[slot] = this.#pieces.length - 1
    this.#at[slot] = this.#used
    this.#length[slot] = bytes.length
    this.#used += bytes.length
  }
}
