/** What is known here of the store's clock, which decides on minutes and days. */

/** Clocks drift: what is known is forgotten after two of these. */
const PERIOD_MS = 10_000

export class StoreClock {
  /** The store's clock is at most so far ahead of ours: the least of this period, and of the one before. */
  #skewMs = Number.POSITIVE_INFINITY
  #skewBeforeMs = Number.POSITIVE_INFINITY
  #period = 0
  #clockSkewMs = 0

  /** Never behind the store's own clock, as far as it is known: a lease is given up early rather than late. */
  at(nowMs: number): number {
    return nowMs + this.#clockSkewMs
  }

  /** An answer shows how far ahead the store's clock may be: no further than if it was written as the question was sent. */
  note(storeMs: number, sentMs: number): void {
    const skewMs = storeMs - sentMs
    const period = Math.floor(sentMs / PERIOD_MS)
    if (period !== this.#period) {
      this.#period = period
      this.#skewBeforeMs = this.#skewMs
      this.#skewMs = skewMs
    }
    this.#skewMs = Math.min(this.#skewMs, skewMs)
    this.#clockSkewMs = Math.min(this.#skewMs, this.#skewBeforeMs)
  }
}
