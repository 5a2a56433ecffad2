/** Where a word stands in a record, best first. The build files each word under one slot per record; see weights.ts. */

export const SLOTS = 7

const SYNONYM_SLOT = 6

/** A word says most where it stands alone, less among many; descriptions say more than keywords. */
export function slotOfPhrase(wordCount: number, isKeyword: boolean): number {
  if (wordCount <= 1) return isKeyword ? 1 : 0
  if (wordCount <= 3) return isKeyword ? 3 : 2
  return isKeyword || wordCount > 10 ? 5 : 4
}

export function slotOfSynonym(): number {
  return SYNONYM_SLOT
}
