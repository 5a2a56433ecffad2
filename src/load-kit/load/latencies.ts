/** Stores every latency, up to a bound, so that percentiles are exact. */
export const POINTS = [50, 75, 90, 95, 99, 99.5, 99.9, 99.99]
export const REQUESTS_MAX = 10_000_000

/** Milliseconds by percentile (`p99`, `p99.9`) and `max`. */
export type Percentiles = Record<string, number>

export class Latencies {
  readonly #values: number[] = []

  get count(): number {
    return this.#values.length
  }

  add(ms: number): void {
    if (this.count < REQUESTS_MAX) this.#values.push(ms)
  }

  percentiles(): Percentiles {
    const sorted = Float64Array.from(this.#values).sort()
    const at = (percent: number) => sorted[Math.min(this.count - 1, Math.ceil((this.count * percent) / 100) - 1)] ?? 0
    return Object.fromEntries([...POINTS.map(percent => [`p${percent}`, at(percent)]), ['max', at(100)]])
  }
}
