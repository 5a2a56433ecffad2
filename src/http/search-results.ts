/** Records as search results: put together when first shown and kept, so that a page is one copy a result. */
import type { Catalog } from '../catalog/catalog.js'
import { renderRate } from '../catalog/records.js'
import { bytes } from '../engines/bytes.js'

/** Kept end to end in pieces of this size: a buffer for each would be dearer than what it holds. */
const SLAB_BYTES = 64 * 1024

export class SearchResults {
  readonly #catalog: Catalog
  /** For each rate, how a result ends after the part it shares with the record, its brace left out. */
  readonly #endings: Uint8Array[]
  readonly #kept: (Uint8Array | undefined)[]
  #slab = new Uint8Array(0)
  #used = 0
  /** What was read ahead, so that it is not left out as read for nothing. */
  fetched = 0

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#endings = catalog.meta.rates.map(rate => bytes(renderRate(rate)))
    this.#kept = new Array(catalog.meta.records).fill(undefined)
  }

  /** Asks for the memory of a page before it is copied: the processor waits for many places at once, but for copies one by one. */
  fetch(records: readonly number[]): void {
    let sum = 0
    for (let i = 0; i < records.length; i++) {
      const result = this.of(records[i])
      const { length } = result
      sum += result[0] + result[length >> 1] + result[length - 1]
    }
    this.fetched = sum
  }

  /** Up to its closing brace, which is left out. */
  of(record: number): Uint8Array {
    return this.#kept[record] ?? this.#make(record)
  }

  #make(record: number): Uint8Array {
    const { records } = this.#catalog
    const head = records.arena.subarray(records.start(record), records.headEnd(record))
    const ending = this.#endings[this.#catalog.rateIndex(record)]
    const length = head.length + ending.length
    if (this.#used + length > this.#slab.length) {
      this.#slab = new Uint8Array(Math.max(SLAB_BYTES, length))
      this.#used = 0
    }
    const made = this.#slab.subarray(this.#used, this.#used + length)
    this.#used += length
    made.set(head)
    made.set(ending, head.length)
    this.#kept[record] = made
    return made
  }
}
