/** How what a record's phrases say lies in the snapshot: the build writes it, the second look at the best matches reads it. */

/** Added to a term of a phrase where it names the good. */
export const HEAD_FLAG = 2 ** 31
export const TERM_MASK = HEAD_FLAG - 1
/** Which phrases of a record have a term is told in so many bits; of more phrases several share one. */
export const PHRASE_BITS = 32
/** Longer phrases count as ones of so many terms. */
export const PHRASE_TERMS_MAX = 127
/** What is left of a phrase's likeness where none of the words names its good. */
export const BESIDE_SHARE = 0.5

/** How a term stands in a phrase: how long that is, and whether the term names its good. */
export function aloneOf(length: number, isHead: boolean): number {
  return 2 * Math.min(length, PHRASE_TERMS_MAX) + (isHead ? 1 : 0)
}

/**
 * A dossier of a record: what its phrases say that have Latin letters, or what those do that have Arabic ones, in one piece of
 * memory, since waiting for memory is most of what reading them costs. First these numbers, then the distinct terms of the
 * phrases, ascending; for each of them the phrases that have it, a bit for every phrase by its number; where each phrase begins,
 * and the end of the last, counted from the dossier's beginning; and the phrases' terms, the shortest phrase first, with a flag
 * for the term that names the good.
 */
export const DOSSIER = {
  /** How many distinct terms … */
  terms: 0,
  /** … and how many phrases there are. */
  phrases: 1,
  /** Where the terms begin. */
  first: 2,
} as const
/** Dossiers may be read so far beyond their beginning, whatever their length. */
export const DOSSIER_AHEAD = 80

/** A term of a record's phrases together with how it stands in the most telling of them: the term in the lower bits. */
export const SAID_TERM_BITS = 24
export const SAID_TERM_MASK = 2 ** SAID_TERM_BITS - 1

/** What that is worth, squared, if no other word of the phrase is asked for. */
export function aloneWorth(alone: number): number {
  return ((alone & 1) === 1 ? 1 : BESIDE_SHARE ** 2) / (alone >> 1)
}
