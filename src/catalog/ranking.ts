/** How much a word's place in a record counts. The build files each word under a slot, the search weighs it. */

/** Smaller is better: FlexSearch keeps one list of records per term and slot. */
export const SLOTS = 8

const SYNONYM_SLOT = 6
const CONTEXT_SLOT = 7
/** The slots of a record's own words; the last one is context. */
export const OWN_SLOTS = CONTEXT_SLOT
/** … and of those that stand in one of its phrases. */
export const PHRASE_SLOTS = SYNONYM_SLOT

/** A word says most where it stands alone, less among many; descriptions say more than keywords. */
export function slotOfPhrase(wordCount: number, isKeyword: boolean): number {
  if (wordCount <= 1) return isKeyword ? 1 : 0
  if (wordCount <= 3) return isKeyword ? 3 : 2
  return isKeyword || wordCount > 10 ? 5 : 4
}

export function slotOfSynonym(): number {
  return SYNONYM_SLOT
}

export function slotOfContext(): number {
  return CONTEXT_SLOT
}

export const SLOT_WEIGHT = Float64Array.of(2.0, 1.8, 1.35, 1.2, 1.05, 0.9, 0.6, 0.2)

/** How far an alternative for a word counts: the word itself, its unfinished form, a mistyped one. */
export const WHOLE_WORD = 1
export const PREFIX_WORD = 0.6
export const TYPO_WORD = 0.45
/** A longer word that begins with the whole one that was typed. */
export const LONGER_WORD = 0.5
/** How much there is of a good. */
export const QUANTITY = 0.15
/** A word that asks as often as it names: see `HALF_ASKING_WORDS`. */
export const HALF_ASKING = 0.3
