/**
 * A bound on the work of one query, a search or a suggestion, enforced while it runs. A step is a posting, line, term or
 * letter looked at; what follows from these (weighing, ordering) is a fixed number of looks at each record that they found.
 * Stages ask before they walk a list, and leave it out where the query has too few steps left.
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

  /** Takes up to `count` steps, as many as are left. */
  takeUpTo(count: number): number {
    const taken = Math.min(count, this.#max - this.used)
    this.used += taken
    return taken
  }
}

export const STEPS_MAX = 40_000
