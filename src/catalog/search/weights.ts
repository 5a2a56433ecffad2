/** Every number that decides the order of results, with its reason. The stages take them from here and nowhere else. */

/**
 * Value of a word by the slot it stands in (see slots.ts): most where it is all that a description or keyword says, less
 * among many words, least where only a synonym of it is said. Descriptions count a little more than keywords.
 */
export const SLOT_WEIGHT: readonly number[] = [2.0, 1.8, 1.35, 1.2, 1.05, 0.9, 0.6]
/** A word that only a code above (or, for a heading, a code below) says tells little of the code itself. */
export const CONTEXT_WEIGHT = 0.2
/** … yet most of the question is answered by it. */
export const CONTEXT_SHARE = 0.7

/** Weight of a word that is known as typed, as the beginning of longer ones, or only with a typing mistake. */
export const WHOLE_WORD = 1
export const PREFIX_WORD = 0.6
export const TYPO_WORD = 0.45
/** How much of a good, or which model of it: tells little of what it is. */
export const AMOUNT_WORD = 0.15
/** All amounts and models together weigh at most this share of the words that name the good. */
export const AMOUNTS_SHARE_MAX = 0.25
/** A word that asks as often as it names ("china plates", "from china"). */
export const HALF_ASKING_WORD = 0.3

/** A candidate must hold this share of what the best one holds of the query. */
export const KEPT_SHARE = 0.4
/** A heading that takes all goods of a material, beside the best partial match. */
export const MATERIAL_SHARE = 0.9
/** Maximum boost for a heading dominated by the words of the query. */
export const HEADING_GAIN = 3
/** A chapter is the answer only where it speaks of little else. */
export const CHAPTER_SHARE = 0.5

/**
 * How many candidates are judged by their phrases: the best by score, then the best by their own words whatever their
 * heading, since cotton wool is one good though a hundred codes under cotton's headings speak of both. Constants, so that
 * pages agree on the order.
 */
export const JUDGED_BY_SCORE = 18
export const JUDGED_MAX = 30
/** Maximum boost for a phrase that is the query, word for word. */
export const PHRASE_GAIN = 1.8
/** The share of that boost that depends on the words being in the order of the query. */
export const ORDER_SHARE = 0.4
/** What remains of it where the query does not have the word that names the good. */
export const BESIDE_GOOD = 0.5
/** By number of digits: among equals the broader code comes first, but a chapter is rarely meant. */
export const LEVEL_WEIGHT: readonly number[] = [0.7, 0.7, 0.7, 1, 1.2, 1.04, 1.04, 0.99, 0.99, 0.97, 0.97, 0.96, 0.96, 0.95, 0.95]
/** Each further code of a heading counts this much less, so that one heading's many lines do not fill the page. */
export const REPEAT_WEIGHT = 0.85
/** … counted up to so many. */
export const REPEATS_MAX = 6
/** At a level that was asked for: how much of the score of its heading a code is given. */
export const INHERITED = 0.7
/** … and what decides among the lines of one subheading: how well their own words fit. */
export const OWN_WORDS = 0.1
/** What the first suggestion for an unfinished word leads to, beside the best other result. */
export const FIRST_SUGGESTION = 3
