/** A linear model over the terms of a text: a score for every class that some feature speaks for. */
import { partitionPoint } from '../../lower-bound.js'
import { pairKey, TERMS_MAX } from './features.js'

/** Classes and weights of feature f are entries `at[f]` up to `at[f + 1]`: terms first, then pairs. */
export interface Weights {
  at: Uint32Array
  classes: Uint16Array
  weights: Int16Array
}

/** Features of a text: places of terms and of known pairs (ascending keys), each once. */
export function featuresOf(terms: readonly number[], pairs: Uint32Array, termCount: number): number[] {
  const features = new Set<number>()
  for (let n = 0; n < Math.min(terms.length, TERMS_MAX); n++) {
    features.add(terms[n])
    if (n === 0) continue
    const key = pairKey(terms[n - 1], terms[n])
    const place = partitionPoint(0, pairs.length, i => pairs[i] < key)
    if (pairs[place] === key) features.add(termCount + place)
  }
  return [...features]
}

export class Model {
  readonly #score: Int32Array

  constructor(
    private readonly model: Weights,
    classCount: number,
  ) {
    this.#score = new Int32Array(classCount)
  }

  /** By class; only what speaks for it more than against it. */
  scores(features: readonly number[]): Map<number, number> {
    const { at, classes, weights } = this.model
    const touched = new Set<number>()
    for (const feature of features)
      for (let entry = at[feature]; entry < at[feature + 1]; entry++) {
        this.#score[classes[entry]] += weights[entry]
        touched.add(classes[entry])
      }
    const scores = new Map<number, number>()
    for (const one of touched) {
      if (this.#score[one] > 0) scores.set(one, this.#score[one])
      this.#score[one] = 0
    }
    return scores
  }
}
