/** Numbers whose count is not known before: a list of V8's takes twice the room of a column, and half as much again while it grows. */
const FIRST = 1_024

export class Growing {
  #values = new Uint32Array(FIRST)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) this.#grow()
    this.#values[this.length++] = value
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.length)
    larger.set(this.#values)
    this.#values = larger
  }

  /** The numbers where they are, with room behind them; good until the next push. */
  get values(): Uint32Array {
    return this.#values
  }

  clear(): void {
    this.length = 0
  }

  /** What was pushed so far, exactly. */
  column(): Uint32Array {
    return this.#values.slice(0, this.length)
  }
}
