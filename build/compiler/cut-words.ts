/** Cuts a folded text into words, with FlexSearch. */
import { Encoder } from 'flexsearch'
import { wordsOfFolded } from '../../src/text/fold.js'

/**
 * The Encoder only splits. Its own normalisation would cut Arabic words at harakat, merge double letters and split long
 * numbers, so our own code folds and stems. The Encoder also drops a word that repeats the one before it ("mahi-mahi"). To
 * prevent this, it keeps the separators as words, and we remove them at the end.
 */
const ENCODER = new Encoder({
  split: /([^\p{L}\p{N}]+)/u,
  finalize: parts => parts.filter(part => LETTER.test(part)),
  normalize: false,
  numeric: false,
  dedupe: false,
  cache: false,
})
const LETTER = /^\p{L}/u
const DIGIT = /\p{N}/u

/** Decimals and CAS numbers must stay whole, which the Encoder cannot do. */
export function cutWords(folded: string): string[] {
  return DIGIT.test(folded) ? wordsOfFolded(folded) : ENCODER.encode(folded)
}
