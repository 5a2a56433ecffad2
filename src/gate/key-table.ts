/**
 * Keys in force, found by the checksum they carry: its characters are spread evenly already, so they serve as the
 * hash. Most bad keys end there; a key is put through SHA-256 at its first use only.
 */
import { CHECKSUM_CHARS, hashKey, KEY_CHARS_MAX } from './key.js'

export const NO_SLOT = -1
const EMPTY = -1
/** Knuth's multiplier: neighbouring numbers end up far apart in the high bits. */
const GOLDEN = 0x9e3779b1
const RADIX = 62

export class KeyTable {
  /** By place: an entry, or empty. Open addressing, at most half full. */
  readonly #entry: Int32Array
  readonly #mask: number
  readonly #shift: number
  readonly #checksum: string[] = []
  readonly #hash: string[] = []
  readonly #slot: number[] = []
  /** The key itself, once it was seen. */
  readonly #key: (string | undefined)[] = []

  constructor(keysMax: number) {
    const bits = Math.ceil(Math.log2(2 * keysMax + 2))
    this.#entry = new Int32Array(2 ** bits).fill(EMPTY)
    this.#mask = 2 ** bits - 1
    this.#shift = 32 - bits
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
    while (this.#entry[place] !== EMPTY) place = (place + 1) & this.#mask
    this.#entry[place] = this.#slot.length
    this.#checksum.push(checksum)
    this.#hash.push(hash)
    this.#slot.push(slot)
    this.#key.push(undefined)
  }

  /** The slot of a key, or NO_SLOT. */
  find(key: string): number {
    if (key.length > KEY_CHARS_MAX || key.length < CHECKSUM_CHARS) return NO_SLOT
    let place = this.#place(key)
    for (let entry = this.#entry[place] as number; entry !== EMPTY; entry = this.#entry[place] as number) {
      const known = this.#key[entry]
      if (known === undefined ? this.#isFirstUse(key, entry) : known === key)
        return this.#slot[entry] as number
      place = (place + 1) & this.#mask
    }
    return NO_SLOT
  }

  #isFirstUse(key: string, entry: number): boolean {
    if (!key.endsWith(this.#checksum[entry] as string) || hashKey(key) !== this.#hash[entry]) return false
    this.#key[entry] = key
    return true
  }
}
