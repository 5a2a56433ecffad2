/**
 * A bound on the work of one query, enforced while it runs. A step is a posting, candidate, term or letter looked at. Stages
 * ask before they walk a list and leave it out when the query has no steps left.
 */
export class Steps {
  used = 0
  readonly #max: number

  constructor(max = STEPS_MAX) {
    this.#max = max
  }

  reset(): void {
    this.used = 0
  }

  /** Counts `count` steps, or counts none and returns false where they would exceed the bound. */
  take(count: number): boolean {
    if (this.used + count > this.#max) return false
    this.used += count
    return true
  }
}

/** For a search, and for what is suggested while someone types. */
export const STEPS_MAX = 100_000
export const SUGGEST_STEPS_MAX = 60_000
