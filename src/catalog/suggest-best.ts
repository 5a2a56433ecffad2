/** Orders phrases by how well known they are. */
import { SUGGEST_LIMIT_MAX } from '../limits.js'

/** A longer run is not gone through: the build has found its best. */
export const RANGE_SCANNED_MAX = 256
/** More than are shown: where a better one that reads alike takes a place, none is missing at the end. */
export const BEST_MAX = SUGGEST_LIMIT_MAX + 12

/** The best phrases of those offered, no two that read alike; of equals the one offered first. */
export class Best {
  readonly phrases = new Uint32Array(BEST_MAX)
  count = 0
  readonly #weight: Uint8Array
  readonly #alike: Uint32Array

  constructor(weight: Uint8Array, alike: Uint32Array) {
    this.#weight = weight
    this.#alike = alike
  }

  clear(): void {
    this.count = 0
  }

  hasAlike(phrase: number): boolean {
    return this.#placeAlike(phrase) >= 0
  }

  offer(phrase: number): void {
    const { phrases } = this
    const weight = this.#weight[phrase]
    const isFull = this.count === BEST_MAX
    if (isFull && weight <= this.#weight[phrases[this.count - 1]]) return
    const alike = this.#placeAlike(phrase)
    if (alike >= 0 && weight <= this.#weight[phrases[alike]]) return
    // the one that goes: what reads alike, the last where there is no room, or none
    let at = alike >= 0 ? alike : isFull ? this.count - 1 : this.count++
    for (; at > 0 && this.#weight[phrases[at - 1]] < weight; at--) phrases[at] = phrases[at - 1]
    phrases[at] = phrase
  }

  #placeAlike(phrase: number): number {
    const alike = this.#alike[phrase]
    for (let i = 0; i < this.count; i++) if (this.#alike[this.phrases[i]] === alike) return i
    return -1
  }
}
