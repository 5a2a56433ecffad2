/** What the classifier learns from: texts as terms, each with its heading and subheading, read into features. */
import { pairKey, TERMS_MAX } from '../../../src/catalog/classify/features.js'
import { Growing } from '../growing.js'

/** Pairs that fewer texts have are not worth their room. */
const PAIR_TEXTS_MIN = 2

export interface TextExample {
  /** Places of the vocabulary, in order. */
  terms: readonly number[] | Uint32Array
  heading: number
  /** -1 where the text belongs to a heading as a whole. */
  subheading: number
  /** How much the text counts. */
  weight: number
}

/** Features of text i are `features[at[i]]` up to `features[at[i + 1]]`: terms first, then pairs. */
export interface Examples {
  at: Uint32Array
  features: Uint32Array
  featureCount: number
  /** Ascending, as keys. */
  pairs: Uint32Array
}

export function readExamples(texts: readonly TextExample[], termCount: number): Examples {
  const pairs = frequentPairs(texts)
  const places = new PairPlaces(pairs)
  const at = new Uint32Array(texts.length + 1)
  const features = new Growing()
  const seenIn = new Int32Array(termCount + pairs.length).fill(-1)
  for (const [i, { terms }] of texts.entries()) {
    const take = (feature: number) => {
      if (seenIn[feature] !== i) features.push(feature)
      seenIn[feature] = i
    }
    for (let n = 0; n < Math.min(terms.length, TERMS_MAX); n++) {
      take(terms[n])
      const pair = n === 0 ? -1 : places.find(pairKey(terms[n - 1], terms[n]))
      if (pair >= 0) take(termCount + pair)
    }
    at[i + 1] = features.length
  }
  return { at, features: features.column(), featureCount: termCount + pairs.length, pairs }
}

function frequentPairs(texts: readonly TextExample[]): Uint32Array {
  const keys = new Growing()
  for (const { terms } of texts)
    for (let n = 1; n < Math.min(terms.length, TERMS_MAX); n++) keys.push(pairKey(terms[n - 1], terms[n]))
  const sorted = keys.column().sort()
  return sorted.filter((key, i) => key !== sorted[i - 1] && key === sorted[i + PAIR_TEXTS_MIN - 1])
}

/** Finds pairs by hash: a search by halves for each pair of each text would take longer than all the rest. */
class PairPlaces {
  readonly #slots: Int32Array
  readonly #mask: number

  constructor(private readonly pairs: Uint32Array) {
    let size = 2
    while (size < 2 * pairs.length) size *= 2
    this.#mask = size - 1
    this.#slots = new Int32Array(size).fill(-1)
    pairs.forEach((key, place) => {
      this.#slots[this.#slotOf(key)] = place
    })
  }

  /** -1 if unknown. */
  find(key: number): number {
    return this.#slots[this.#slotOf(key)]
  }

  /** The slot of a key, or the empty one where it would be. */
  #slotOf(key: number): number {
    let slot = key & this.#mask
    while (this.#slots[slot] >= 0 && this.pairs[this.#slots[slot]] !== key) slot = (slot + 1) & this.#mask
    return slot
  }
}
