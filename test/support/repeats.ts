/** Repetitive texts, as `npm run fuzz` makes them. */
// @ts-expect-error: the proofs are plain JavaScript
import { Random } from '../../proof/shared/random.mjs'
// @ts-expect-error
import { repeatedText } from '../../proof/shared/repeats.mjs'

/** Returns one text after another, the same for the same seed. */
export function repeater(seed: number): (charsMax: number) => string {
  const random = new Random(seed)
  return charsMax => repeatedText(random, charsMax)
}

/** Short texts first, so that exponential time shows before it takes hours. */
export function repeatedTexts(seed: number, count: number, charsMax: number): string[] {
  const next = repeater(seed)
  return Array.from({ length: count }, () => next(charsMax)).sort((a, b) => a.length - b.length)
}
