/** A linear model: what the features of a text add to the score of each class. */
import { lowerBound } from '../../lower-bound.js'

/** Weights are in units of 1 / WEIGHT_SCALE. */
export const WEIGHT_SCALE = 256

/** Classes (ascending) and weights of feature f are the entries from `at[f]` up to, but not including, `at[f + 1]`. */
export interface Weights {
  at: Uint32Array
  classes: Uint16Array
  weights: Int16Array
}

export class Model {
  constructor(
    private readonly model: Weights,
    private readonly classes: number,
  ) {}

  /** The score of each class. */
  scores(features: readonly number[]): Int32Array {
    const { at, classes, weights } = this.model
    const scores = new Int32Array(this.classes)
    for (const feature of features)
      for (let entry = at[feature]; entry < at[feature + 1]; entry++) scores[classes[entry]] += weights[entry]
    return scores
  }

  /** What one feature adds to the score of a class. */
  weight(feature: number, wanted: number): number {
    const { at, classes, weights } = this.model
    const end = at[feature + 1]
    const entry = lowerBound(classes, wanted, at[feature], end)
    return entry < end && classes[entry] === wanted ? weights[entry] : 0
  }

  /** The class for which a feature has the largest weight; -1 if it has no weights. */
  strongest(feature: number): number {
    const { at, classes, weights } = this.model
    let best = -1
    for (let entry = at[feature]; entry < at[feature + 1]; entry++) if (best < 0 || weights[entry] > weights[best]) best = entry
    return best < 0 ? -1 : classes[best]
  }

  /** The share of the given features that have a positive weight for a class. */
  support(features: readonly number[], wanted: number): number {
    let count = 0
    for (const feature of features) if (this.weight(feature, wanted) > 0) count++
    return features.length === 0 ? 0 : count / features.length
  }

  /** How many classes a feature has a weight for; 0 if it is too common to be kept. */
  classCount(feature: number): number {
    return this.model.at[feature + 1] - this.model.at[feature]
  }
}
