/** Where a word occurs in a record, best first; weights.ts gives the weights. */

export const SLOTS = 7

export const SYNONYM_SLOT = 6

/** A word counts more alone than among many, and in descriptions more than in keywords. */
export function slotOfPhrase(wordCount: number, isKeyword: boolean): number {
  if (wordCount <= 1) return isKeyword ? 1 : 0
  if (wordCount <= 3) return isKeyword ? 3 : 2
  return isKeyword || wordCount > 10 ? 5 : 4
}
