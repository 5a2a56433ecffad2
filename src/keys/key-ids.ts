/**
 * Which slot a key's id has, and the other way round. Slots are numbered as ids come, and never given to another. Ids lie as
 * bytes: a million strings would be a million things for every garbage collection to visit.
 */
import { fnv1aOfBytes } from '../fnv1a.js'
import { NO_SLOT, SlotTable } from './slot-table.js'

/** Ids are kept in pieces, so that more of them never means copying those there are. */
const PIECE_BYTES = 1024 * 1024
/** Whatever a string may hold comes back as it was. */
const ENCODING = 'utf16le'

export class KeyIds extends SlotTable {
  readonly #pieces: Buffer[] = []
  /** Bytes taken of the last piece. */
  #taken = 0
  /** By slot: its piece, and where its id is there. */
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

  /** How many slots are named: all below this number. */
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

  /** The slot of an id, or NO_SLOT. */
  find(id: string): number {
    return this.#find(Buffer.from(id, ENCODING))
  }

  #find(bytes: Buffer): number {
    const mark = fnv1aOfBytes(bytes) | 0
    let place = this.placeOf(mark)
    for (let slot = this.places[place]; slot !== NO_SLOT; slot = this.places[place]) {
      if (this.marks[slot] === mark && this.#bytes(slot).equals(bytes)) return slot
      place = (place + 1) & this.mask
    }
    return NO_SLOT
  }

  /** The slot of an id, a new one if need be; NO_SLOT where there is no room for it. */
  name(id: string): number {
    const bytes = Buffer.from(id, ENCODING)
    const found = this.#find(bytes)
    if (found !== NO_SLOT || this.#count === this.capacity) return found
    const slot = this.#count++
    this.#keep(slot, bytes)
    this.insert(slot, fnv1aOfBytes(bytes) | 0)
    return slot
  }

  #keep(slot: number, bytes: Buffer): void {
    if (this.#pieces.length === 0 || this.#taken + bytes.length > PIECE_BYTES) {
      this.#pieces.push(Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytes.length)))
      this.#taken = 0
    }
    ;(this.#pieces.at(-1) as Buffer).set(bytes, this.#taken)
    this.#piece[slot] = this.#pieces.length - 1
    this.#at[slot] = this.#taken
    this.#length[slot] = bytes.length
    this.#taken += bytes.length
  }
}
