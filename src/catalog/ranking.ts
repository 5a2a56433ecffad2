/** How much a word's place in a record counts. The build files each word under a slot, the search weighs it. */

/** Smaller is better: FlexSearch keeps one list of records per term and slot. */
export const SLOTS = 8
/** Added to a term of a phrase where it names the good. */
export const HEAD_FLAG = 2 ** 31
export const TERM_MASK = HEAD_FLAG - 1
const SYNONYM_SLOT = 6
const CONTEXT_SLOT = 7

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

/** A word that may be left out without loss: it links others and names nothing. */
export const LINKING_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the of for and or in on to with without by from as at into than other others not no any all its their be is are ' +
    'used use using made type kind incl including etc ' +
    'من في على الي او مع عن غير غيرها اخري اخر عدا ما هذا ذات ذو التي الذي و'
  ).split(' '),
)
