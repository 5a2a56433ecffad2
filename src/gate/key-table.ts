/**
 * Keys in force, found by the checksum they carry: its characters are spread evenly already, so they serve as the
 * hash. Most bad keys end there; a key is put through SHA-256 at its first use only.
 */
import { CHECKSUM_CHARS, hashKey, KEY_CHARS_MAX } from './key.js'

export const NO_SLOT = -1
/** Knuth's multiplier: neighbouring numbers end up far apart in the high bits. */
const GOLDEN = 0x9e3779b1
const RADIX = 62

export class KeyTable {
  /** By place: a key's slot, or empty. Open addressing, at most half full. */
  readonly #slots: Int32Array
  readonly #mask: number
  readonly #shift: number
  /** By slot. */
  readonly #checksum: string[]
  readonly #hash: string[]
  /** The key itself, once it was seen. */
  readonly #key: (string | undefined)[]

  /** For so many keys in slots below `slots`. */
  constructor(keys: number, slots: number) {
    const bits = Math.ceil(Math.log2(2 * keys + 2))
    this.#slots = new Int32Array(2 ** bits).fill(NO_SLOT)
    this.#mask = 2 ** bits - 1
    this.#shift = 32 - bits
    this.#checksum = new Array(slots).fill('')
    this.#hash = new Array(slots).fill('')
    this.#key = new Array(slots).fill(undefined)
  }

  /** Where to look first. Other texts give a place, too; whoever is there is compared in full. */
  #place(text: string): number {
    let value = 0
    for (let i = text.length - CHECKSUM_CHARS; i < text.length; i++)
      value = (Math.imul(value, RADIX) + text.charCodeAt(i)) | 0
    return Math.imul(value, GOLDEN) >>> this.#shift
  }

  add(checksum: string, hash: string, slot: number): void {
    let place = this.#place(checksum)
    while (this.#slots[place] !== NO_SLOT) place = (place + 1) & this.#mask
    this.#slots[place] = slot
    this.#checksum[slot] = checksum
    this.#hash[slot] = hash
  }

  /** The slot of a key, or NO_SLOT. */
  find(key: string): number {
    if (key.length > KEY_CHARS_MAX || key.length < CHECKSUM_CHARS) return NO_SLOT
    let place = this.#place(key)
    for (let slot = this.#slots[place] as number; slot !== NO_SLOT; slot = this.#slots[place] as number) {
      const known = this.#key[slot]
      if (known === undefined ? this.#isFirstUse(key, slot) : known === key) return slot
      place = (place + 1) & this.#mask
    }
    return NO_SLOT
  }

  #isFirstUse(key: string, slot: number): boolean {
    if (!key.endsWith(this.#checksum[slot] as string) || hashKey(key) !== this.#hash[slot]) return false
    this.#key[slot] = key
    return true
  }
}
