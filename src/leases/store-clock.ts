/** An upper bound of the store's clock, which determines when minutes and days start. */

/** Clocks drift, so a measurement is used for two periods at most. */
const PERIOD_MS = 10_000

export class StoreClock {
  /** The lowest skews measured in this period and in the previous one. */
  #skewMs = Number.POSITIVE_INFINITY
  #skewBeforeMs = Number.POSITIVE_INFINITY
  #period = 0
  #clockSkewMs = 0

  /** Never behind the store's clock: a lease ends early rather than late. */
  at(nowMs: number): number {
    return nowMs + this.#clockSkewMs
  }

  /** The store cannot have replied before the request was sent, which bounds the skew. */
  measure(storeMs: number, sentMs: number): void {
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
