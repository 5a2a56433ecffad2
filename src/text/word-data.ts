/** Word lists of the dataset, as stored in a snapshot. */

/** A written form and its base form, folded. */
export type WordForm = [word: string, of: string]

export interface WordData {
  /** British spellings not covered by rules. */
  spellings: WordForm[]
  /** Irregular plurals, English and Arabic. */
  plurals: WordForm[]
  /** Arabic words that keep their ending, because another word would match without it. */
  whole: string[]
  /** Words such as "of", dropped from queries. */
  linking: string[]
  /** Words of a question rather than of the goods. */
  asking: string[]
  /** Both: "china plates", "frozen turkey". */
  halfAsking: string[]
  /** Words of origin or destination. */
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
