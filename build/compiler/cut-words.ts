/** A folded text cut into words, by FlexSearch. */
import { Encoder } from 'flexsearch'
import { wordsOfFolded } from '../../src/text/fold.js'

/**
 * FlexSearch's Encoder cuts where its own expression does, and does nothing else: folding and stems are ours, since its ways cut
 * Arabic words at harakat, merge double letters and split long numbers. It also drops a word that repeats the one before it
 * ("mahi-mahi"); so it keeps what stands between words, which is taken out at the end.
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

/** Where there are digits, decimals and CAS numbers must stay whole, which the Encoder cannot tell. */
export function cutWords(folded: string): string[] {
  return DIGIT.test(folded) ? wordsOfFolded(folded) : ENCODER.encode(folded)
}
