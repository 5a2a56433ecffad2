/**
 * Evidence from pointers. A pointer shows that certain goods, which people look for under one heading, belong to another
 * heading.
 */
import { lowerBound } from '../../lower-bound.js'
import type { Columns } from '../../snapshot/schema.js'

/**
 * Evidence for the heading to which a pointer leads, and against the heading from which it starts. With a larger weight, the
 * right codes of known titles are ranked lower.
 */
const POINTER_WEIGHT = 0.7

export class PointerEvidence {
  constructor(
    private readonly columns: Columns,
    /** By record: the class of its heading. */
    private readonly headingOf: Int32Array,
  ) {}

  /**
   * The evidence by class of heading, from pointers whose words are all in the text; a class counts once, however many pointers
   * lead to it.
   */
  of(terms: readonly number[]): Map<number, number> {
    const { pointerWordKey, pointerWordsOf, pointerFrom, pointerTo } = this.columns
    const known = new Set(terms)
    const found = new Map<number, number>()
    for (const term of known) {
      for (let at = lowerBound(pointerWordKey, term); pointerWordKey[at] === term; at++) {
        const words = pointerWordsOf[at]
        if (!this.#hasAll(words, known)) continue
        const pointer = words >> 1
        const from = this.headingOf[pointerFrom[pointer]]
        const to = this.headingOf[pointerTo[pointer]]
        if (from === to) continue
        if (!found.has(from)) found.set(from, -POINTER_WEIGHT)
        found.set(to, POINTER_WEIGHT)
      }
    }
    return found
  }

  #hasAll(words: number, known: ReadonlySet<number>): boolean {
    const { pointerWordsAt, pointerWord } = this.columns
    for (let i = pointerWordsAt[words]; i < pointerWordsAt[words + 1]; i++) if (!known.has(pointerWord[i])) return false
    return true
  }
}
