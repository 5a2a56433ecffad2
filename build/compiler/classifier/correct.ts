/**
 * Corrects a model with the texts that it classifies wrongly: a perceptron with a margin. Uses whole numbers and a fixed order,
 * so that results are reproducible.
 */
import { WEIGHT_SCALE, type Weights } from '../../../src/catalog/classify/model.js'
import { GrowingArray } from '../growing-array.js'
import type { Examples } from './examples.js'

const ROUNDS = 2
/** The score of the right class must exceed the next score by this margin. */
const MARGIN = 2 * WEIGHT_SCALE
/** Size of a correction. It is divided among the features of the text. */
const STEP = 0.2 * WEIGHT_SCALE
const WEIGHT_MAX = 32_767

export function correct(
  model: Weights,
  examples: Examples,
  classes: Int32Array,
  textWeights: Uint8Array,
  classCount: number,
): void {
  const { at, features } = examples
  const scores = new Int32Array(classCount)
  const scored = new GrowingArray()
  const order = shuffled(classes.length)
  for (let round = 0; round < ROUNDS; round++)
    for (const text of order) {
      const right = classes[text]
      addUp(model, features, at[text], at[text + 1], scores, scored)
      const rival = bestExcept(right, scores, scored)
      const lead = rival < 0 ? MARGIN : scores[right] - scores[rival]
      clear(scores, scored)
      if (lead >= MARGIN) continue
      const step = Math.round((STEP * textWeights[text]) / Math.sqrt(at[text + 1] - at[text]))
      for (let n = at[text]; n < at[text + 1]; n++) moveWeight(model, features[n], right, rival, step)
    }
}

/** Adds up the scores of the features in `[from, to)`; `scored` lists the classes, some of them twice. */
function addUp(
  { at, classes, weights }: Weights,
  features: Uint32Array,
  from: number,
  to: number,
  scores: Int32Array,
  scored: GrowingArray,
): void {
  for (let n = from; n < to; n++) {
    const end = at[features[n] + 1]
    for (let entry = at[features[n]]; entry < end; entry++) {
      const one = classes[entry]
      if (scores[one] === 0) scored.push(one)
      scores[one] += weights[entry]
    }
  }
}

/** -1 if no other class was scored. */
function bestExcept(right: number, scores: Int32Array, { values, length }: GrowingArray): number {
  let best = -1
  for (let n = 0; n < length; n++) if (values[n] !== right && (best < 0 || scores[values[n]] > scores[best])) best = values[n]
  return best
}

function clear(scores: Int32Array, scored: GrowingArray): void {
  for (let n = 0; n < scored.length; n++) scores[scored.values[n]] = 0
  scored.clear()
}

/** Raises the right class and lowers its rival for one feature. Adds no entries. */
function moveWeight({ at, classes, weights }: Weights, feature: number, right: number, rival: number, step: number): void {
  const end = at[feature + 1]
  for (let entry = at[feature]; entry < end; entry++) {
    if (classes[entry] === right) weights[entry] = Math.min(WEIGHT_MAX, weights[entry] + step)
    else if (classes[entry] === rival) weights[entry] = Math.max(-WEIGHT_MAX, weights[entry] - step)
  }
}

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
