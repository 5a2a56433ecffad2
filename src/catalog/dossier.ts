/** How what records' phrases say lies in the snapshot: the build writes it, the second look at the best matches reads it. */

/** Added to a term of a phrase where it names the good. */
export const HEAD_FLAG = 2 ** 31
export const TERM_MASK = HEAD_FLAG - 1
/** Longer phrases count as ones of so many terms. */
export const PHRASE_TERMS_MAX = 127
/** What is left of a phrase's likeness where none of the words names its good. */
export const BESIDE_SHARE = 0.5

/** How a term stands in a phrase: how long that is, and whether the term names its good. */
export function aloneOf(length: number, isHead: boolean): number {
  return 2 * Math.min(length, PHRASE_TERMS_MAX) + (isHead ? 1 : 0)
}

/** What that is worth, squared, if no other word of the phrase is asked for. */
export function aloneWorth(alone: number): number {
  return ((alone & 1) === 1 ? 1 : BESIDE_SHARE ** 2) / (alone >> 1)
}

/**
 * What is said of a term by a record's phrases lies beside the term's postings, so that nothing of the record need be read: in
 * the lower bits which of its phrases have the term, a bit for every phrase by its number, of many phrases several on one;
 * above these how the term stands in the most telling of them. 0 where no phrase has it.
 */
export const PHRASE_BITS = 24
export const PHRASES_MASK = 2 ** PHRASE_BITS - 1

/**
 * The dossier of a record, in one piece: where each of its phrases begins, and the end of the last, counted from the dossier's
 * beginning; then the phrases' terms, the shortest phrase first, with a flag for the term that names the good. It may be read so
 * far beyond its beginning, whatever its length.
 */
export const DOSSIER_AHEAD = 48
