/** What a classifier learns from: the phrases of records and the titles of a dataset, as terms, each with its code. */
import { pairKey, TERMS_MAX } from '../../../src/catalog/classify/features.js'
import { Growing } from '../growing.js'

/** Features of example i are `features[at[i]]` up to `features[at[i + 1]]`. */
export interface Examples {
  at: Uint32Array
  features: Uint32Array
  classes: Uint16Array
  /** How much an example counts. */
  weights: Uint8Array
  /** Terms come first, then pairs. */
  featureCount: number
  /** Ascending: the pairs that occur, as keys. */
  pairs: Uint32Array
}

export interface TextExample {
  /** Places of the vocabulary, in order. */
  terms: readonly number[] | Uint32Array
  class: number
  weight: number
}

export function buildExamples(texts: readonly TextExample[], termCount: number): Examples {
  const pairs = distinctPairs(texts)
  const placeOf = new Map(Array.from(pairs, (key, i) => [key, termCount + i]))
  const at = new Uint32Array(texts.length + 1)
  const features = new Growing()
  const seen = new Set<number>()
  for (const [i, { terms }] of texts.entries()) {
    seen.clear()
    const length = Math.min(terms.length, TERMS_MAX)
    for (let n = 0; n < length; n++) {
      seen.add(terms[n])
      if (n > 0) seen.add(placeOf.get(pairKey(terms[n - 1], terms[n])) as number)
    }
    for (const feature of seen) features.push(feature)
    at[i + 1] = features.length
  }
  return {
    at,
    features: features.column(),
    classes: Uint16Array.from(texts, text => text.class),
    weights: Uint8Array.from(texts, text => text.weight),
    featureCount: termCount + pairs.length,
    pairs,
  }
}

function distinctPairs(texts: readonly TextExample[]): Uint32Array {
  const keys = new Set<number>()
  for (const { terms } of texts)
    for (let n = 1; n < Math.min(terms.length, TERMS_MAX); n++) keys.add(pairKey(terms[n - 1], terms[n]))
  return Uint32Array.from(keys).sort()
}
