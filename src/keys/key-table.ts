/**
 * Keys in force, found by the checksum they carry: its characters are spread evenly already, so they serve as the
 * hash. Most bad keys end there; a key is put through SHA-256 at its first use only.
 */
import { CHECKSUM_CHARS, hashKey, KEY_CHARS_MAX } from './key.js'
import { NO_SLOT, SlotTable } from './slot-table.js'

export { NO_SLOT } from './slot-table.js'

const RADIX = 62
const HASH_BYTES = 32
/** Room for key texts that are made before more is needed: what a string array holds cannot be reserved untouched. */
const TEXTS_SPARE = 4_096
const TEXTS_GROWTH = 1.25

/** Keys as one thread tells them to another: nothing but what finds them. */
export interface KeyBatch {
  /** Slots whose keys are no longer in force. */
  removed: Int32Array
  slots: Int32Array
  /** By their order in `slots`, as are the hashes. */
  marks: Int32Array
  hashes: Uint8Array
  /** In the same order; only where a store is asked by them. */
  ids?: string[]
}

/** Of a key or of its checksum alone. Other texts have a mark, too; what it leads to is compared in full. */
function markOf(text: string): number {
  let value = 0
  for (let i = text.length - CHECKSUM_CHARS; i < text.length; i++) value = (Math.imul(value, RADIX) + text.charCodeAt(i)) | 0
  return value
}

export class KeyTable extends SlotTable {
  /** By slot, HASH_BYTES each. */
  readonly #hashes: Buffer
  /** By slot: the key itself, once it was seen. */
  #key: (string | undefined)[] = []

  constructor(capacity: number) {
    super(capacity)
    this.#hashes = Buffer.alloc(capacity * HASH_BYTES)
  }

  /** The slot of a key, or NO_SLOT. */
  find(key: string): number {
    if (key.length > KEY_CHARS_MAX || key.length < CHECKSUM_CHARS) return NO_SLOT
    let place = this.placeOf(markOf(key))
    for (let slot = this.places[place]; slot !== NO_SLOT; slot = this.places[place]) {
      const known = this.#key[slot]
      if (known === undefined ? this.#isFirstUse(key, slot) : known === key) return slot
      place = (place + 1) & this.mask
    }
    return NO_SLOT
  }

  #isFirstUse(key: string, slot: number): boolean {
    if (markOf(key) !== this.marks[slot] || hashKey(key) !== this.#hashOf(slot)) return false
    this.#key[slot] = key
    return true
  }

  #hashOf(slot: number): string {
    return this.#hashes.toString('base64url', slot * HASH_BYTES, (slot + 1) * HASH_BYTES)
  }

  /** Puts a key in force, in the place of whatever the slot stood for. */
  put(slot: number, checksum: string, hash: string): void {
    const mark = markOf(checksum)
    if (this.has(slot) && this.marks[slot] === mark && this.#hashOf(slot) === hash) return
    this.#place(slot, mark)
    this.#hashes.write(hash, slot * HASH_BYTES, HASH_BYTES, 'base64url')
  }

  #place(slot: number, mark: number): void {
    this.remove(slot)
    if (slot >= this.#key.length) this.#widen(slot + 1)
    this.insert(slot, mark)
  }

  override remove(slot: number): void {
    super.remove(slot)
    if (slot < this.#key.length) this.#key[slot] = undefined
  }

  /** Texts are not copied, which would take longer than anything else here: each is learnt again at its next use. */
  #widen(slots: number): void {
    this.#key = new Array(Math.ceil(slots * TEXTS_GROWTH) + TEXTS_SPARE)
    // V8 takes a new array for one of small integers; every further kind that it meets here would slow `find`
    this.#key[0] = undefined
  }

  /** What another table needs to know of these slots, to be as this one. */
  batchOf(slots: readonly number[]): KeyBatch {
    const inForce = slots.filter(slot => this.has(slot))
    const hashes = new Uint8Array(inForce.length * HASH_BYTES)
    for (const [i, slot] of inForce.entries())
      hashes.set(this.#hashes.subarray(slot * HASH_BYTES, (slot + 1) * HASH_BYTES), i * HASH_BYTES)
    return {
      removed: Int32Array.from(slots.filter(slot => !this.has(slot))),
      slots: Int32Array.from(inForce),
      marks: Int32Array.from(inForce, slot => this.marks[slot]),
      hashes,
    }
  }

  take({ removed, slots, marks, hashes }: KeyBatch): void {
    for (const slot of removed) this.remove(slot)
    if (slots.length > 0) this.#widenFor(slots)
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]
      const hash = hashes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES)
      this.#place(slot, marks[i])
      this.#hashes.set(hash, slot * HASH_BYTES)
    }
  }

  #widenFor(slots: Int32Array): void {
    const last = slots.reduce((highest, slot) => Math.max(highest, slot), 0)
    if (last >= this.#key.length) this.#widen(last + 1)
  }
}
