/** All numbers that decide the order of results, including those of the build. */

/** Maximum words of a short phrase, and minimum words of a long description; see slots.ts. */
export const SHORT_WORDS_MAX = 3
export const LONG_WORDS_MIN = 11
/** Weight of a word by its slot. Descriptions count a little more than keywords, and synonyms count least. */
export const SLOT_WEIGHT: readonly number[] = [2.0, 1.8, 1.35, 1.2, 1.05, 0.9, 0.6]
/** Weight of a word that is not in a candidate, but in a code above it or, for a heading, in one of its subheadings. */
export const CONTEXT_WEIGHT = 0.2
/** The part of such a word's rarity that counts as covered. */
export const CONTEXT_COVERAGE = 0.7

/** Weights of a whole word, a prefix and a misspelt word. */
export const WHOLE_WORD = 1
export const PREFIX_WORD = 0.6
export const TYPO_WORD = 0.45
/** Weight of quantities and model numbers, which say little about the goods. */
export const AMOUNT_WORD = 0.15
/** Maximum weight of all amounts together, relative to the words that name the goods. */
export const AMOUNTS_MAX = 0.25
/** Weight of words that may belong to the question ("from china") or name the goods ("china plates"). */
export const HALF_ASKING_WORD = 0.3

/** Minimum coverage of a candidate (rarity of the query's words that it contains), relative to the best candidate's. */
export const COVERAGE_MIN = 0.4
/** Score of the catch-all heading of a material, relative to the best partial match. */
export const MATERIAL_SCORE = 0.9
/** Maximum boost for a heading dominated by the words of the query. */
export const HEADING_GAIN = 3
/** Factor of a chapter's evidence, which is weaker than a heading's. */
export const CHAPTER_EVIDENCE = 0.5
/** Factor of a word that is not the head noun of its phrase, in heading evidence. */
export const NON_HEAD_WORD = 0.5
/** Maximum number of headings and chapters for which a term is evidence. */
export const EVIDENCE_HEADINGS_MAX = 12
/** Evidence may be due to chance, and is ignored, if the product of its two shares (see heading-evidence.ts) is lower. */
export const EVIDENCE_PRODUCT_MIN = 0.0004

/**
 * Number of candidates rescored by their phrases: the best by score, then the best by their own words regardless of heading, so
 * that cotton wool is not lost among the cotton headings. The numbers do not depend on the page, so that pages agree on the
 * order.
 */
export const JUDGED_BY_SCORE = 18
export const JUDGED_MAX = 30
/** Maximum boost for a phrase that is the query, word for word. */
export const PHRASE_GAIN = 1.8
/** The part of that boost that depends on word order. */
export const ORDER_PART = 0.4
/** Factor for a phrase whose head noun is not in the query. */
export const HEAD_MISSING = 0.5
/** Factor by number of digits: of equal matches, broader codes come first, except chapters, which are rarely meant. */
export const LEVEL_WEIGHT: readonly number[] = [0.7, 0.7, 0.7, 1, 1.2, 1.04, 1.04, 0.99, 0.99, 0.97, 0.97, 0.96, 0.96, 0.95, 0.95]
/** With `level`: the part of its heading's or chapter's score that a code inherits. */
export const INHERITED_PART = 0.7
/** With `level`: the part of a code's own score that is added, which orders the lines of one subheading. */
export const OWN_SCORE_PART = 0.1
/** Score of the first suggestion's record, relative to the best other result. */
export const FIRST_SUGGESTION = 3

/** Factor for the score of each further code of a heading, so that one heading does not fill the page. */
export const REPEAT_WEIGHT = 0.85
/** The factor applies at most this many times before results vote. */
export const REPEATS_MAX = 6
/** Queries of at least this many words are titles: results vote for their headings. */
export const VOTED_WORDS_MIN = 4
/** Number of results that vote; independent of the page, so that pages agree on the order. */
export const VOTERS = 50
/** The first result's vote is 1 / VOTE_OFFSET, the next one's 1 / (VOTE_OFFSET + 1). */
export const VOTE_OFFSET = 2
