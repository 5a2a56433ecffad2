/** How much a word's place in a record counts. The build files each word under a slot, the search weighs it. */

/** Smaller is better: FlexSearch keeps one list of records per term and slot. */
export const SLOTS = 8

const ANCESTOR_SLOT = 7

/** A word says most where it stands alone, less among many; descriptions say more than keywords. */
export function slotOfPhrase(wordCount: number, isKeyword: boolean): number {
  if (wordCount <= 1) return isKeyword ? 1 : 0
  if (wordCount <= 3) return isKeyword ? 3 : 2
  if (wordCount <= 8) return isKeyword ? 5 : 4
  return 6
}

export function slotOfAncestor(): number {
  return ANCESTOR_SLOT
}

export const SLOT_WEIGHT = Float64Array.of(2.0, 1.8, 1.3, 1.15, 1.0, 0.9, 0.75, 0.25)
