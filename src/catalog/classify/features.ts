/** What the classifier sees of a text: its terms, and each pair of neighbours. The build and queries read them alike. */
import { partitionPoint } from '../../lower-bound.js'

/** Terms beyond this are ignored, which bounds the work for a long text. */
export const TERMS_MAX = 60

/** A pair of terms as one number. Two pairs may share one; with 32 bits that is too rare to matter. */
export function pairKey(first: number, second: number): number {
  return (Math.imul(first + 1, 0x9e3779b1) ^ Math.imul(second + 1, 0x85ebca6b)) >>> 0
}

/** Features of a text, each once: terms by their place, then pairs behind all terms. `pairs`: known ones, ascending. */
export function featuresOf(terms: readonly number[], pairs: Uint32Array, termCount: number): number[] {
  const features = new Set<number>()
  for (let n = 0; n < Math.min(terms.length, TERMS_MAX); n++) {
    features.add(terms[n])
    const pair = n === 0 ? -1 : findPair(pairs, pairKey(terms[n - 1], terms[n]))
    if (pair >= 0) features.add(termCount + pair)
  }
  return [...features]
}

/** -1 if unknown. */
function findPair(pairs: Uint32Array, key: number): number {
  const place = partitionPoint(0, pairs.length, i => pairs[i] < key)
  return pairs[place] === key ? place : -1
}
