/**
 * Finds valid keys by the checksum at their end, which is evenly distributed and serves as the hash code. The checksum rules
 * out most unknown keys; SHA-256 is computed only at a key's first use.
 */
import { CHECKSUM_CHARS, hashKey, KEY_CHARS_MAX } from './key.js'
import { NO_SLOT, SlotTable } from './slot-table.js'

export { NO_SLOT } from './slot-table.js'

const RADIX = 62
const HASH_BYTES = 32
const TEXTS_SPARE = 4_096
const TEXTS_GROWTH = 1.25

export interface KeyBatch {
  removed: Int32Array
  slots: Int32Array
  /** These fields are in the order of `slots`. */
  hashCodes: Int32Array
  hashes: Uint8Array
  /** Set only if Redis or the access log needs ids. */
  ids?: string[]
}

/** Returns the hash code of a key. The checksum alone gives the same hash code. */
function hashCodeOf(text: string): number {
  let value = 0
  for (let i = text.length - CHECKSUM_CHARS; i < text.length; i++) value = (Math.imul(value, RADIX) + text.charCodeAt(i)) | 0
  return value
}

export class KeyTable extends SlotTable {
  /** The SHA-256 of each slot's key. */
  readonly #hashes: Buffer
  /** The text of each slot's key, set at its first use. */
  #key: (string | undefined)[] = []

  constructor(capacity: number) {
    super(capacity)
    this.#hashes = Buffer.alloc(capacity * HASH_BYTES)
  }

  find(key: string): number {
    if (key.length > KEY_CHARS_MAX || key.length < CHECKSUM_CHARS) return NO_SLOT
    let bucket = this.bucketOf(hashCodeOf(key))
    for (let slot = this.buckets[bucket]; slot !== NO_SLOT; slot = this.buckets[bucket]) {
      const cachedKey = this.#key[slot]
      if (cachedKey === undefined ? this.#isFirstUse(key, slot) : cachedKey === key) return slot
      bucket = (bucket + 1) & this.mask
    }
    return NO_SLOT
  }

  #isFirstUse(key: string, slot: number): boolean {
    if (hashCodeOf(key) !== this.hashCodes[slot] || hashKey(key) !== this.#hashOf(slot)) return false
    this.#key[slot] = key
    return true
  }

  #hashOf(slot: number): string {
    return this.#hashes.toString('base64url', slot * HASH_BYTES, (slot + 1) * HASH_BYTES)
  }

  put(slot: number, checksum: string, hash: string): void {
    const hashCode = hashCodeOf(checksum)
    if (this.has(slot) && this.hashCodes[slot] === hashCode && this.#hashOf(slot) === hash) return
    this.#replace(slot, hashCode)
    this.#hashes.write(hash, slot * HASH_BYTES, HASH_BYTES, 'base64url')
  }

  #replace(slot: number, hashCode: number): void {
    this.remove(slot)
    if (slot >= this.#key.length) this.#growTexts(slot + 1)
    this.insert(slot, hashCode)
  }

  override remove(slot: number): void {
    super.remove(slot)
    if (slot < this.#key.length) this.#key[slot] = undefined
  }

  /** Drops the cached texts, because copying them would take long: each key is verified again at its next use. */
  #growTexts(slots: number): void {
    this.#key = new Array(Math.ceil(slots * TEXTS_GROWTH) + TEXTS_SPARE)
    // V8 assumes small integers in a new array; a change of its elements kind would slow `find`
    this.#key[0] = undefined
  }

  batchOf(slots: readonly number[]): KeyBatch {
    const inForce = slots.filter(slot => this.has(slot))
    const hashes = new Uint8Array(inForce.length * HASH_BYTES)
    for (const [i, slot] of inForce.entries())
      hashes.set(this.#hashes.subarray(slot * HASH_BYTES, (slot + 1) * HASH_BYTES), i * HASH_BYTES)
    return {
      removed: Int32Array.from(slots.filter(slot => !this.has(slot))),
      slots: Int32Array.from(inForce),
      hashCodes: Int32Array.from(inForce, slot => this.hashCodes[slot]),
      hashes,
    }
  }

  take({ removed, slots, hashCodes, hashes }: KeyBatch): void {
    for (const slot of removed) this.remove(slot)
    const last = slots.reduce((highest, slot) => Math.max(highest, slot), NO_SLOT)
    if (last >= this.#key.length) this.#growTexts(last + 1)
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]
      this.#replace(slot, hashCodes[i])
      this.#hashes.set(hashes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES), slot * HASH_BYTES)
    }
  }
}
