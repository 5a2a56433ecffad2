/** A linear model over the terms of a text: a score for every class that some feature speaks for. */
import { partitionPoint } from '../../lower-bound.js'
import { pairKey, TERMS_MAX } from './features.js'

/** Features of a text: places of terms and of known pairs, each once. */
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
    /** Start of a feature's entries, and the end: terms first, then pairs. */
    private readonly at: Uint32Array,
    private readonly classes: Uint16Array,
    private readonly weights: Int16Array,
    /** The record of each class. */
    private readonly records: Uint32Array,
  ) {
    this.#score = new Int32Array(records.length)
  }

  /** By record; only what speaks for it more than against it. */
  scores(features: readonly number[]): Map<number, number> {
    const touched = new Set<number>()
    for (const feature of features)
      for (let entry = this.at[feature]; entry < this.at[feature + 1]; entry++) {
        this.#score[this.classes[entry]] += this.weights[entry]
        touched.add(this.classes[entry])
      }
    const scores = new Map<number, number>()
    for (const one of touched) {
      if (this.#score[one] > 0) scores.set(this.records[one], this.#score[one])
      this.#score[one] = 0
    }
    return scores
  }
}
