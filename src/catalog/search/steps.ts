/**
 * Bounds the work of one search or suggestion. A step is one posting, line, term or letter read; a stage takes its steps before
 * it walks a list, and skips the list if too few steps are left.
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

  /** Takes `count` steps; if fewer are left, takes none and returns false. */
  take(count: number): boolean {
    if (this.used + count > this.#max) return false
    this.used += count
    return true
  }

  /** Takes up to `count` steps and returns how many it took. */
  takeUpTo(count: number): number {
    const taken = Math.min(count, this.#max - this.used)
    this.used += taken
    return taken
  }
}

/** No phrase of the relevance sets takes more than 22,300 steps, at any level. */
export const STEPS_MAX = 25_000
