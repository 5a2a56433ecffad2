/** Features of a text: its terms, and pairs of neighbouring terms. The same for training and for queries. */
import { lowerBound } from '../../lower-bound.js'

/** Maximum number of terms. Further terms are ignored, which bounds the work for a long text. */
export const TERMS_MAX = 60

/** A pair of terms as one number. Two pairs may share a number; with 32 bits that is rare. */
export function pairKey(first: number, second: number): number {
  return (Math.imul(first + 1, 0x9e3779b1) ^ Math.imul(second + 1, 0x85ebca6b)) >>> 0
}

/**
 * The distinct features of a text. A term is its index, and a known pair is its index plus `termCount`. `pairs`: the keys of
 * the known pairs, ascending.
 */
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
  const place = lowerBound(pairs, key)
  return pairs[place] === key ? place : -1
}
