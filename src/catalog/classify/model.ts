/** A linear model: what the features of a text say for each class. */

/** Weights are in units of 1 / WEIGHT_SCALE. */
export const WEIGHT_SCALE = 256

/** Classes (ascending) and weights of feature f are entries `at[f]` up to `at[f + 1]`. */
export interface Weights {
  at: Uint32Array
  classes: Uint16Array
  weights: Int16Array
}

/** The entry of a class under a feature, or -1. Training calls it millions of times. */
export function findEntry({ at, classes }: Weights, feature: number, wanted: number): number {
  let low = at[feature]
  let high = at[feature + 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (classes[middle] < wanted) low = middle + 1
    else high = middle
  }
  return low < at[feature + 1] && classes[low] === wanted ? low : -1
}

export class Model {
  readonly #scores: Int32Array

  constructor(
    private readonly model: Weights,
    classCount: number,
  ) {
    this.#scores = new Int32Array(classCount)
  }

  /** By class; good until the next call. */
  scores(features: readonly number[]): Int32Array {
    const { at, classes, weights } = this.model
    const scores = this.#scores.fill(0)
    for (const feature of features)
      for (let entry = at[feature]; entry < at[feature + 1]; entry++) scores[classes[entry]] += weights[entry]
    return scores
  }

  /** What one feature says for a class. */
  weight(feature: number, wanted: number): number {
    const entry = findEntry(this.model, feature, wanted)
    return entry < 0 ? 0 : this.model.weights[entry]
  }

  /** How many classes a feature speaks for; none where it is too common to be kept. */
  classCount(feature: number): number {
    return this.model.at[feature + 1] - this.model.at[feature]
  }
}
