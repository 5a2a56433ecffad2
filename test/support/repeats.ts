/** Texts that repeat themselves, as `npm run fuzz` makes them. */
// @ts-expect-error: the proofs are plain JavaScript
import { Random } from '../../proof/shared/random.mjs'
// @ts-expect-error
import { repeatedText } from '../../proof/shared/repeats.mjs'

/** Gives one after another, the same ones for the same seed. */
export function repeater(seed: number): (charsMax: number) => string {
  const random = new Random(seed)
  return charsMax => repeatedText(random, charsMax)
}

/** Short ones first, so that what takes exponential time is seen before it takes hours. */
export function repeatedTexts(seed: number, count: number, charsMax: number): string[] {
  const next = repeater(seed)
  return Array.from({ length: count }, () => next(charsMax)).sort((a, b) => a.length - b.length)
}
