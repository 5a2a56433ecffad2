/** Repeatable random numbers: the same seed gives the same run. */

import { seededRandom } from '../../dist/src/random.js'

/** The seed is mixed from all the numbers that identify a run. */
export class Random {
  /** From 0 up to, not including, 1. */
  next

  constructor(...seeds) {
    let state = 0x9e3779b9
    for (const seed of seeds) {
      state = Math.imul(state ^ seed, 0x85ebca6b)
      state ^= state >>> 13
    }
    this.next = seededRandom(state)
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
