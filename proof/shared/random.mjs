/** Chance that repeats itself: the same seed gives the same run. */

/** mulberry32, its state mixed from as many numbers as name a run. */
export class Random {
  #state = 0x9e3779b9

  constructor(...seeds) {
    for (const seed of seeds) {
      this.#state = Math.imul(this.#state ^ seed, 0x85ebca6b)
      this.#state ^= this.#state >>> 13
    }
  }

  /** From 0 up to, not including, 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from `low` to `high`, both included. */
  between(low, high) {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(share) {
    return this.next() < share
  }

  pick(items) {
    return items[this.between(0, items.length - 1)]
  }

  text(alphabet, length) {
    let text = ''
    for (let i = 0; i < length; i++) text += alphabet[this.between(0, alphabet.length - 1)]
    return text
  }
}
