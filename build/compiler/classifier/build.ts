/** Turns the phrases of records and the titles of a dataset into the columns of the classifier. */

import { WEIGHT_SCALE } from '../../../src/catalog/classify/model.js'
import { HEADING_DIGITS, SUBHEADING_DIGITS } from '../../../src/codes/levels.js'
import type { Columns } from '../../../src/snapshot/schema.js'
import type { TitleRow } from '../../dataset/titles.js'
import type { BuildRecord } from '../hierarchy.js'
import type { PhraseColumns } from '../phrase-columns.js'
import { correct } from './correct.js'
import { countWeights } from './count.js'
import { readExamples, Texts } from './examples.js'

/** Weight of a title. Titles resemble the texts to classify more than phrases do, and there are fewer titles than phrases. */
const TITLE_WEIGHT = 3
/** Features that occur in more classes are left out. */
const HEADINGS_MAX = 135
const SUBHEADINGS_MAX = 150
/** See `Counted.rarityShare`. A subheading is compared only with few others, so rarity does not help there. */
const HEADING_RARITY_SHARE = 0.1
/** A tenth of a unit. Smaller weights are left out, because they do not change the order of candidates. */
const SUBHEADING_WEIGHT_MIN = Math.round(WEIGHT_SCALE / 10)

export type ClassifierColumns = Pick<
  Columns,
  | 'classifyPair'
  | 'headingRecord'
  | 'headingWeightAt'
  | 'headingClass'
  | 'headingWeight'
  | 'subheadingRecord'
  | 'subheadingWeightAt'
  | 'subheadingClass'
  | 'subheadingWeight'
>

/** `termsOf`: places of a text's words in the vocabulary, in order; unknown words are left out. */
export function buildClassifier(
  records: readonly BuildRecord[],
  phrases: PhraseColumns,
  titles: readonly TitleRow[],
  termCount: number,
  termsOf: (text: string) => number[],
): ClassifierColumns {
  const headings = new Classes(records, HEADING_DIGITS)
  const subheadings = new Classes(records, SUBHEADING_DIGITS)
  const texts = new Texts()
  const take = (code: string, weight: number, terms: ArrayLike<number>, from = 0, to = terms.length) => {
    const heading = headings.find(code)
    if (heading >= 0 && to > from) texts.add({ heading, subheading: subheadings.find(code), weight }, terms, from, to)
  }
  eachPhrase(records, phrases, (code, from, to) => take(code, 1, phrases.phraseTerm, from, to))
  for (const { hs_code, title } of titles) take(hs_code, TITLE_WEIGHT, termsOf(title))

  const examples = readExamples(texts, termCount)
  const textWeights = Uint8Array.from(texts.weights)
  const headingClasses = Int32Array.from(texts.headings)
  const headingModel = countWeights({
    examples,
    classes: headingClasses,
    textWeights,
    groups: new Int32Array(headings.size),
    groupCount: 1,
    classesMax: HEADINGS_MAX,
    // corrections may raise a small weight
    weightMin: 0,
    rarityShare: HEADING_RARITY_SHARE,
  })
  correct(headingModel, examples, headingClasses, textWeights, headings.size)
  const subheadingModel = countWeights({
    examples,
    classes: Int32Array.from(texts.subheadings),
    textWeights,
    groups: Int32Array.from(subheadings.records, record => headings.find(records[record].code)),
    groupCount: headings.size,
    classesMax: SUBHEADINGS_MAX,
    weightMin: SUBHEADING_WEIGHT_MIN,
    rarityShare: 0,
  })
  return {
    classifyPair: examples.pairs,
    headingRecord: headings.records,
    headingWeightAt: headingModel.at,
    headingClass: headingModel.classes,
    headingWeight: headingModel.weights,
    subheadingRecord: subheadings.records,
    subheadingWeightAt: subheadingModel.at,
    subheadingClass: subheadingModel.classes,
    subheadingWeight: subheadingModel.weights,
  }
}

/** The codes of one length, numbered in the order of their records. */
class Classes {
  readonly records: Uint32Array
  readonly #classOf = new Map<string, number>()

  constructor(
    records: readonly BuildRecord[],
    private readonly digits: number,
  ) {
    this.records = Uint32Array.from(records.keys()).filter(record => records[record].code.length === digits)
    this.records.forEach((record, i) => {
      this.#classOf.set(records[record].code, i)
    })
  }

  get size(): number {
    return this.records.length
  }

  /** -1 if the code belongs to no class. */
  find(code: string): number {
    return this.#classOf.get(code.slice(0, this.digits)) ?? -1
  }
}

/** Calls `take` for each phrase, with its terms in `phraseTerm` from `from` to `to`. */
function eachPhrase(
  records: readonly BuildRecord[],
  { phrasesAt, phraseTermsAt, phraseLength }: PhraseColumns,
  take: (code: string, from: number, to: number) => void,
): void {
  for (const [record, { code }] of records.entries()) {
    let from = phraseTermsAt[record]
    for (let phrase = phrasesAt[record]; phrase < phrasesAt[record + 1]; phrase++) {
      take(code, from, from + phraseLength[phrase])
      from += phraseLength[phrase]
    }
  }
}
