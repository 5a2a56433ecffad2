/** A growing column of numbers. A JavaScript array takes twice the memory, and even more while it grows. */
const INITIAL_CAPACITY = 1_024

export class GrowingArray {
  #values = new Uint32Array(INITIAL_CAPACITY)
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

  /** The underlying array, with spare room at the end; valid until the next push. */
  get values(): Uint32Array {
    return this.#values
  }

  clear(): void {
    this.length = 0
  }

  /** A copy of the numbers pushed since the last `clear`. */
  column(): Uint32Array {
    return this.#values.slice(0, this.length)
  }
}
