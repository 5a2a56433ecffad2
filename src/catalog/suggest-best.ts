import { SUGGEST_LIMIT_MAX } from '../limits.js'

/** Runs of up to this many phrases are scanned. For longer runs, the build has stored the best phrases. */
export const RANGE_SCANNED_MAX = 256
/** Number of phrases collected. It is larger than the number shown, because duplicates are dropped later. */
export const BEST_MAX = SUGGEST_LIMIT_MAX + 12

/** Collects the best of the offered phrases, without duplicates. Of phrases with equal weight, the first one offered wins. */
export class Best {
  readonly phrases = new Uint32Array(BEST_MAX)
  count = 0

  constructor(
    private readonly weight: Uint8Array,
    private readonly alike: Uint32Array,
  ) {}

  clear(): void {
    this.count = 0
  }

  hasDuplicate(phrase: number): boolean {
    return this.#indexOfDuplicate(phrase) >= 0
  }

  offer(phrase: number): void {
    const { phrases } = this
    const weight = this.weight[phrase]
    const isFull = this.count === BEST_MAX
    if (isFull && weight <= this.weight[phrases[this.count - 1]]) return
    const alike = this.#indexOfDuplicate(phrase)
    if (alike >= 0 && weight <= this.weight[phrases[alike]]) return
    // replace the duplicate, or the last phrase if the list is full; otherwise append
    let at = alike >= 0 ? alike : isFull ? this.count - 1 : this.count++
    for (; at > 0 && this.weight[phrases[at - 1]] < weight; at--) phrases[at] = phrases[at - 1]
    phrases[at] = phrase
  }

  #indexOfDuplicate(phrase: number): number {
    const alike = this.alike[phrase]
    for (let i = 0; i < this.count; i++) if (this.alike[this.phrases[i]] === alike) return i
    return -1
  }
}
