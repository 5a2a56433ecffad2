/**
 * Weights by counting: the weight of a feature for a class is the logarithm of the feature's frequency in all classes divided
 * by its frequency in the other classes, plus a part of the feature's rarity. Because of the rarity, a feature that several
 * classes share still counts against all other classes. Weights are whole numbers. Complement naive Bayes also has a term for
 * class size, which does not help here (docs/classify.md).
 */
import { WEIGHT_SCALE, type Weights } from '../../../src/catalog/classify/model.js'
import { GrowingArray } from '../growing-array.js'
import type { Examples } from './examples.js'

/** Added to both counts, as if there were one more text, so that a rare feature does not decide the result by itself. */
const SMOOTHING = WEIGHT_SCALE

export interface Counted {
  examples: Examples
  /** The class of each text; -1 if it has none. */
  classes: Int32Array
  textWeights: Uint8Array
  /** The group of each class. A class is compared only with classes of its group. */
  groups: Int32Array
  groupCount: number
  /** Maximum number of classes of a feature. A feature in more classes hardly distinguishes them and takes the most time. */
  classesMax: number
  /** Smaller weights are left out. */
  weightMin: number
  /** The part of a feature's rarity among the classes that is added to each of its weights. */
  rarityShare: number
}

export function countWeights(counted: Counted): Weights {
  const { examples, classes, textWeights, groups, groupCount, classesMax, weightMin, rarityShare } = counted
  const { starts, owners, parts } = byFeature(examples, classes, textWeights)
  const counts = new Uint32Array(groups.length)
  const totals = new Uint32Array(groupCount)
  const at = new Uint32Array(examples.featureCount + 1)
  const keptClasses = new GrowingArray()
  const keptWeights = new GrowingArray()
  for (let feature = 0; feature < examples.featureCount; feature++) {
    const found: number[] = []
    for (let n = starts[feature]; n < starts[feature + 1]; n++) {
      const owner = owners[n]
      if (counts[owner] === 0) found.push(owner)
      counts[owner] += parts[n]
      totals[groups[owner]] += parts[n]
    }
    found.sort((a, b) => a - b)
    const rarity = rarityShare * Math.log(groups.length / found.length)
    if (found.length <= classesMax)
      for (const one of found) {
        const total = totals[groups[one]]
        const odds = Math.log((total + SMOOTHING) / (total - counts[one] + SMOOTHING))
        const weight = Math.round(WEIGHT_SCALE * (odds + rarity))
        if (weight < weightMin) continue
        keptClasses.push(one)
        keptWeights.push(weight)
      }
    for (const one of found) {
      counts[one] = 0
      totals[groups[one]] = 0
    }
    at[feature + 1] = keptClasses.length
  }
  return { at, classes: Uint16Array.from(keptClasses.column()), weights: Int16Array.from(keptWeights.column()) }
}

/**
 * For each feature: the class of every text that has it, and the feature's share of that text, which is smaller in a long text.
 */
function byFeature({ at, features, featureCount }: Examples, classes: Int32Array, textWeights: Uint8Array) {
  const starts = new Uint32Array(featureCount + 1)
  for (let i = 0; i < classes.length; i++) if (classes[i] >= 0) for (let n = at[i]; n < at[i + 1]; n++) starts[features[n] + 1]++
  for (let feature = 0; feature < featureCount; feature++) starts[feature + 1] += starts[feature]
  const next = starts.slice(0, -1)
  const owners = new Uint16Array(starts[featureCount])
  const parts = new Uint16Array(starts[featureCount])
  for (let i = 0; i < classes.length; i++) {
    if (classes[i] < 0) continue
    const part = Math.round((WEIGHT_SCALE * textWeights[i]) / Math.sqrt(at[i + 1] - at[i]))
    for (let n = at[i]; n < at[i + 1]; n++) {
      const place = next[features[n]]++
      owners[place] = classes[i]
      parts[place] = part
    }
  }
  return { starts, owners, parts }
}
