/** Training texts: terms with heading and subheading, turned into features. */
import { pairKey, TERMS_MAX } from '../../../src/catalog/classify/features.js'
import { GrowingArray } from '../growing-array.js'

/** Pairs that occur fewer times are left out. */
const PAIR_USES_MIN = 2

/** Texts with their classes, in columns, because creating 250,000 objects would take longer than counting. */
export class Texts {
  readonly #terms = new GrowingArray()
  readonly #ends = new GrowingArray()
  readonly headings: number[] = []
  /** -1 if a text belongs to a heading as a whole. */
  readonly subheadings: number[] = []
  /** How much each text counts. */
  readonly weights: number[] = []

  get count(): number {
    return this.headings.length
  }

  /** Adds the terms from `from` to `to`, which are indices into the vocabulary, in order. */
  add(
    text: { heading: number; subheading: number; weight: number },
    terms: ArrayLike<number>,
    from = 0,
    to = terms.length,
  ): void {
    const end = Math.min(to, from + TERMS_MAX)
    for (let n = from; n < end; n++) this.#terms.push(terms[n])
    this.#ends.push(this.#terms.length)
    this.headings.push(text.heading)
    this.subheadings.push(text.subheading)
    this.weights.push(text.weight)
  }

  /** Terms of text i are `terms[at[i]]` up to `terms[at[i + 1]]`. */
  columns(): { at: Uint32Array; terms: Uint32Array } {
    const at = new Uint32Array(this.count + 1)
    at.set(this.#ends.column(), 1)
    return { at, terms: this.#terms.column() }
  }
}

/** Features of text i are `features[at[i]]` up to `features[at[i + 1]]`: terms first, then pairs. */
export interface Examples {
  at: Uint32Array
  features: Uint32Array
  featureCount: number
  /** Keys of the pairs, ascending. */
  pairs: Uint32Array
}

export function readExamples(texts: Texts, termCount: number): Examples {
  const { at: termsAt, terms } = texts.columns()
  const pairs = frequentPairs(termsAt, terms)
  const places = new PairPlaces(pairs)
  const at = new Uint32Array(termsAt.length)
  const features = new GrowingArray()
  const seenIn = new Int32Array(termCount + pairs.length).fill(-1)
  for (let text = 0; text < texts.count; text++) {
    const take = (feature: number) => {
      if (seenIn[feature] !== text) features.push(feature)
      seenIn[feature] = text
    }
    for (let n = termsAt[text]; n < termsAt[text + 1]; n++) {
      take(terms[n])
      const pair = n === termsAt[text] ? -1 : places.find(pairKey(terms[n - 1], terms[n]))
      if (pair >= 0) take(termCount + pair)
    }
    at[text + 1] = features.length
  }
  return { at, features: features.column(), featureCount: termCount + pairs.length, pairs }
}

function frequentPairs(at: Uint32Array, terms: Uint32Array): Uint32Array {
  const keys = new GrowingArray()
  for (let text = 0; text < at.length - 1; text++)
    for (let n = at[text] + 1; n < at[text + 1]; n++) keys.push(pairKey(terms[n - 1], terms[n]))
  const sorted = keys.column().sort()
  return sorted.filter((key, i) => key !== sorted[i - 1] && key === sorted[i + PAIR_USES_MIN - 1])
}

/** Finds pairs by hash, because a binary search for each pair of each text would be the slowest step. */
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

  /** The slot of a key, or the empty slot where it would go. */
  #slotOf(key: number): number {
    let slot = key & this.#mask
    while (this.#slots[slot] >= 0 && this.pairs[this.#slots[slot]] !== key) slot = (slot + 1) & this.#mask
    return slot
  }
}
