/** Stores every latency, up to a bound, so that percentiles are exact. */
export const POINTS = [50, 75, 90, 95, 99, 99.5, 99.9, 99.99]
export const REQUESTS_MAX = 10_000_000

/** Milliseconds by percentile (`p99`, `p99.9`) and `max`. */
export type Percentiles = Record<string, number>

export class Latencies {
  #values = new Float64Array(1024)
  count = 0

  add(ms: number): void {
    if (this.count === this.#values.length) {
      if (this.count >= REQUESTS_MAX) return
      const wider = new Float64Array(Math.min(REQUESTS_MAX, this.count * 2))
      wider.set(this.#values)
      this.#values = wider
    }
    this.#values[this.count++] = ms
  }

  percentiles(): Percentiles {
    const sorted = this.#values.slice(0, this.count).sort()
    const at = (percent: number) => sorted[Math.min(this.count - 1, Math.ceil((this.count * percent) / 100) - 1)] ?? 0
    return Object.fromEntries([...POINTS.map(percent => [`p${percent}`, at(percent)]), ['max', at(100)]])
  }
}
