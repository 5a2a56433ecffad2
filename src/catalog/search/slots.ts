/**
 * Slots: the kinds of places where a word can occur in a record, from the highest weight to the lowest. The weights are in
 * weights.ts.
 */
import { LONG_WORDS_MIN, SHORT_WORDS_MAX } from './weights.js'

export const SLOTS = 7

export const SYNONYM_SLOT = 6

/** A word counts more in a short phrase than in a long one, and more in descriptions than in keywords. */
export function slotOfPhrase(wordCount: number, isKeyword: boolean): number {
  if (wordCount <= 1) return isKeyword ? 1 : 0
  if (wordCount <= SHORT_WORDS_MAX) return isKeyword ? 3 : 2
  return isKeyword || wordCount >= LONG_WORDS_MIN ? 5 : 4
}
