/** Word lists of the dataset, as stored in a snapshot. */

/** A written form and its base form, folded. */
export type WordForm = [word: string, of: string]

export interface WordData {
  /** British spellings not covered by rules. */
  spellings: WordForm[]
  /** Irregular plurals, English and Arabic. */
  plurals: WordForm[]
  /** Arabic words that keep their ending, because they would match another word without it. */
  whole: string[]
  /** Words such as "of", dropped from queries. */
  linking: string[]
  /** Words that belong to a question, not to the goods. */
  asking: string[]
  /** Words that may belong to a question or name goods: "from china", "china plates". */
  halfAsking: string[]
  /** Words before an origin or destination. */
  from: string[]
  units: string[]
}

export const NO_WORDS: WordData = {
  spellings: [],
  plurals: [],
  whole: [],
  linking: [],
  asking: [],
  halfAsking: [],
  from: [],
  units: [],
}
