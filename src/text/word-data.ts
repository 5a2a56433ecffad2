/** What the dataset says of words, apart from goods: forms that no rule derives, and words that name no good. Plain values: a snapshot carries them. */

/** A word as it may be written, and the word that it is a form of. Folded. */
export type WordForm = [word: string, of: string]

export interface WordData {
  /** British words whose American spelling no rule derives. */
  spellings: WordForm[]
  /** Plurals that no ending gives away, English and Arabic. */
  plurals: WordForm[]
  /** Arabic words that would fall together with another good without their ending. */
  whole: string[]
  /** Links other words and names nothing: may be left out of a query without loss. */
  linking: string[]
  /** What people say around the good that they ask about. */
  asking: string[]
  /** Asks, and names or describes goods as well: "china plates", "frozen turkey". */
  halfAsking: string[]
  /** Says where something comes from or goes to. */
  from: string[]
  /** Units of measure. */
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
