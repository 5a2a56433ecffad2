/**
 * A linear classifier over sparse features: weights by counting (complement naive Bayes), then corrected by the examples that it gets
 * wrong (a perceptron with a margin). All in whole numbers, so that every machine trains the same model.
 */
import type { Weights } from '../../../src/catalog/classify/model.js'
import type { Examples } from './examples.js'

/** Weights are in units of 1 / SCALE. */
const SCALE = 256
/** How much a class lacks of a feature at least, in examples: keeps rare features from deciding alone. */
const SMOOTHING = 1
const EPOCHS = 4
/** By how much the right class must lead. */
const MARGIN = 2 * SCALE
/** Of a correction by an example of one feature; more features share it. */
const STEP = 0.2 * SCALE
const WEIGHT_MAX = 32_767

export function train(examples: Examples, classCount: number): Weights {
  const model = countedWeights(examples, classCount)
  const order = shuffled(examples.classes.length)
  for (let epoch = 0; epoch < EPOCHS; epoch++) correct(model, examples, classCount, order)
  return model
}

/** For each class that has a feature, the logarithm of how much rarer the feature is without it. */
function countedWeights({ at, features, classes, weights, featureCount }: Examples, classCount: number): Weights {
  const perFeature = new Uint32Array(featureCount + 1)
  for (const feature of features) perFeature[feature + 1]++
  for (let f = 0; f < featureCount; f++) perFeature[f + 1] += perFeature[f]
  // by feature: the class and the count of each example that has it
  const fill = perFeature.slice(0, -1)
  const owner = new Uint16Array(features.length)
  const share = new Uint16Array(features.length)
  for (let i = 0; i < classes.length; i++) {
    const length = at[i + 1] - at[i]
    const count = Math.round((SCALE * weights[i]) / Math.sqrt(length))
    for (let n = at[i]; n < at[i + 1]; n++) {
      const place = fill[features[n]]++
      owner[place] = classes[i]
      share[place] = count
    }
  }
  const counts = new Uint32Array(classCount)
  const outAt = new Uint32Array(featureCount + 1)
  const outClass: number[] = []
  const outWeight: number[] = []
  for (let f = 0; f < featureCount; f++) {
    let total = 0
    const found: number[] = []
    for (let n = perFeature[f]; n < perFeature[f + 1]; n++) {
      if (counts[owner[n]] === 0) found.push(owner[n])
      counts[owner[n]] += share[n]
      total += share[n]
    }
    for (const one of found.sort((a, b) => a - b)) {
      const rest = total - counts[one]
      outClass.push(one)
      outWeight.push(Math.round(SCALE * Math.log((total + SMOOTHING * SCALE) / (rest + SMOOTHING * SCALE))))
      counts[one] = 0
    }
    outAt[f + 1] = outClass.length
  }
  return { at: outAt, classes: Uint16Array.from(outClass), weights: Int16Array.from(outWeight) }
}

function correct(model: Weights, examples: Examples, classCount: number, order: Uint32Array): void {
  const { at, features, classes, weights } = examples
  const score = new Int32Array(classCount)
  const touched = new Uint16Array(classCount)
  for (const i of order) {
    const right = classes[i]
    let count = 0
    for (let n = at[i]; n < at[i + 1]; n++) {
      const f = features[n]
      for (let entry = model.at[f]; entry < model.at[f + 1]; entry++) {
        const one = model.classes[entry]
        if (score[one] === 0) touched[count++] = one
        score[one] += model.weights[entry]
        // a sum that comes to nothing again must stay touched once only
        if (score[one] === 0) score[one] = 1
      }
    }
    let best = -1
    for (let n = 0; n < count; n++) if (touched[n] !== right && (best < 0 || score[touched[n]] > score[best])) best = touched[n]
    if (best >= 0 && score[right] - score[best] < MARGIN) {
      const step = Math.round((STEP * weights[i]) / Math.sqrt(at[i + 1] - at[i]))
      for (let n = at[i]; n < at[i + 1]; n++) {
        add(model, features[n], right, step)
        add(model, features[n], best, -step)
      }
    }
    for (let n = 0; n < count; n++) score[touched[n]] = 0
  }
}

/** A class without an entry for the feature stays without. */
function add({ at, classes, weights }: Weights, feature: number, one: number, step: number): void {
  let low = at[feature]
  let high = at[feature + 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (classes[middle] < one) low = middle + 1
    else high = middle
  }
  if (low === at[feature + 1] || classes[low] !== one) return
  weights[low] = Math.max(-WEIGHT_MAX, Math.min(WEIGHT_MAX, weights[low] + step))
}

/** The same order each time. */
function shuffled(length: number): Uint32Array {
  const order = Uint32Array.from({ length }, (_, i) => i)
  let state = 1
  for (let i = length - 1; i > 0; i--) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    const j = Math.floor((state / 0x1_0000_0000) * (i + 1))
    const kept = order[i]
    order[i] = order[j]
    order[j] = kept
  }
  return order
}
