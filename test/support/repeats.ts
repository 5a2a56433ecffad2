/** Generates repetitive texts like those of `npm run fuzz`. */
// @ts-expect-error: files in proof/ are plain JavaScript
import { Random } from '../../proof/shared/random.mjs'
// @ts-expect-error
import { repeatedText } from '../../proof/shared/repeats.mjs'

/** Returns a function that generates a new text on each call. The same seed gives the same texts. */
export function repeater(seed: number): (charsMax: number) => string {
  const random = new Random(seed)
  return charsMax => repeatedText(random, charsMax)
}

/** Generates texts, short ones first, so that a function with exponential time is detected before it takes hours. */
export function repeatedTexts(seed: number, count: number, charsMax: number): string[] {
  const next = repeater(seed)
  return Array.from({ length: count }, () => next(charsMax)).sort((a, b) => a.length - b.length)
}
