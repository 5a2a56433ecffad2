/** Rates and latencies of the last minutes, from totals that are sampled every few seconds. */
import { BUCKETS_US, type Tally } from './tally.js'

export const SAMPLE_MS = 5_000
/** Enough for five minutes. */
const SAMPLES_MAX = 61
/** Rates and latencies cover about the last minute. */
const RECENT_MS = 60_000

interface Totals {
  ms: number
  requests: number
  kinds: number[]
  buckets: number[]
  us: number
}

export interface RecentFigures {
  /** The time that rates and latencies cover. */
  seconds: number
  perSecond: number
  /** Responses by kind, in that time and since the start of the server. */
  kinds: { recent: number; total: number }[]
  /** Upper bounds; null if no request was timed, or if the time is beyond the largest bucket. */
  p50Us: number | null
  p99Us: number | null
  meanUs: number | null
  /** Requests per second, one figure per sample, the oldest first. */
  series: number[]
}

const minus = (a: readonly number[], b: readonly number[]) => a.map((value, i) => value - (b[i] ?? 0))
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function rate(from: Totals, to: Totals): number {
  const seconds = (to.ms - from.ms) / 1000
  return seconds > 0 ? (to.requests - from.requests) / seconds : 0
}

/** The upper bound of the bucket that the quantile is in. */
function quantileUs(buckets: readonly number[], quantile: number): number | null {
  const count = sum(buckets)
  if (count === 0) return null
  let below = 0
  for (const [i, inBucket] of buckets.entries()) {
    below += inBucket
    if (below >= quantile * count) return BUCKETS_US[i] ?? null
  }
  return null
}

export class RecentRequests {
  readonly #samples: Totals[] = []

  constructor(
    private readonly tallies: readonly Tally[],
    private readonly routes: number,
    private readonly kinds: number,
    nowMs: number,
  ) {
    this.sample(nowMs)
  }

  #totals(ms: number): Totals {
    const kinds = new Array<number>(this.kinds).fill(0)
    const buckets = new Array<number>(BUCKETS_US.length + 1).fill(0)
    let us = 0
    for (const tally of this.tallies)
      for (let route = 0; route < this.routes; route++) {
        for (let kind = 0; kind < this.kinds; kind++) kinds[kind] = (kinds[kind] as number) + tally.responses(route, kind)
        tally.buckets(route).forEach((count, i) => {
          buckets[i] = (buckets[i] as number) + count
        })
        us += tally.microseconds(route)
      }
    return { ms, requests: sum(kinds), kinds, buckets, us }
  }

  /** Must be called every SAMPLE_MS. */
  sample(nowMs: number): void {
    this.#samples.push(this.#totals(nowMs))
    if (this.#samples.length > SAMPLES_MAX) this.#samples.shift()
  }

  read(nowMs: number): RecentFigures {
    const now = this.#totals(nowMs)
    const from = this.#samples.find(({ ms }) => nowMs - ms <= RECENT_MS + SAMPLE_MS / 2) ?? now
    const buckets = minus(now.buckets, from.buckets)
    const timed = sum(buckets)
    return {
      seconds: (now.ms - from.ms) / 1000,
      perSecond: rate(from, now),
      kinds: now.kinds.map((total, i) => ({ recent: total - (from.kinds[i] ?? 0), total })),
      p50Us: quantileUs(buckets, 0.5),
      p99Us: quantileUs(buckets, 0.99),
      meanUs: timed === 0 ? null : (now.us - from.us) / timed,
      series: this.#samples.slice(1).map((sample, i) => rate(this.#samples[i] as Totals, sample)),
    }
  }
}
