/** Records as search results, rendered once, so that a page takes one copy per result. */
import type { Catalog } from '../catalog/catalog.js'
import { renderRate } from '../catalog/records.js'
import { bytes } from '../engines/bytes.js'

/** Results share buffers of this size: one each would cost more than its content. */
const SLAB_BYTES = 64 * 1024

export class SearchResults {
  readonly #catalog: Catalog
  /** By rate: the end of a result, without its brace. */
  readonly #endings: Uint8Array[]
  readonly #cached: (Uint8Array | undefined)[]
  #slab = new Uint8Array(0)
  #used = 0
  /** Stored so that the compiler keeps the prefetching reads. */
  prefetchSum = 0

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#endings = catalog.meta.rates.map(rate => bytes(renderRate(rate)))
    this.#cached = new Array(catalog.meta.records).fill(undefined)
  }

  /** Touches a page's results before copying, so that the processor overlaps the cache misses. */
  prefetch(records: readonly number[]): void {
    let sum = 0
    for (let i = 0; i < records.length; i++) {
      const result = this.of(records[i])
      const { length } = result
      sum += result[0] + result[length >> 1] + result[length - 1]
    }
    this.prefetchSum = sum
  }

  /** Without the closing brace. */
  of(record: number): Uint8Array {
    return this.#cached[record] ?? this.#make(record)
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
    this.#cached[record] = made
    return made
  }
}
