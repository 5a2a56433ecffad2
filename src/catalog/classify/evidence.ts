/**
 * Evidence that a text gives for headings and subheadings: the models' scores, the most similar phrase, the votes of a search,
 * and pointers to other headings. Each source recognises goods that the others miss.
 */
import type { Snapshot } from '../../snapshot/decode.js'
import { withoutExclusions } from '../../text/exclusions.js'
import { words as wordsOf } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'
import { Brands, type FoundBrand } from '../brands.js'
import type { Records } from '../records.js'
import { selectFirst } from '../search/order.js'
import type { Search } from '../search/search.js'
import type { Vocabulary } from '../search/vocabulary.js'
import { votesOf } from '../search/votes.js'
import type { Attributes } from './attributes.js'
import { BrandEvidence } from './brand-evidence.js'
import { cleanTitle } from './clean-title.js'
import { featuresOf } from './features.js'
import { Likeness, PhraseRarity } from './likeness.js'
import { type Measured, measuresIn } from './measures.js'
import { Model, WEIGHT_SCALE } from './model.js'
import { PointerEvidence } from './pointer-evidence.js'
import { RecordLimits } from './record-limits.js'
import type { Statement } from './statements.js'
import { type TextTerms, textTerms } from './text-terms.js'

/** Number of headings that are compared phrase by phrase, the most expensive step. */
const HEADINGS_MAX = 12
/** Weights of the most similar phrase and of the votes, which are added to a model's score. */
const HEADING_LIKENESS = 4
const SUBHEADING_LIKENESS = 4
const HEADING_VOTES = 2.5
/**
 * Weight of the share of the text's features that are evidence for a heading: several words count more than one strong word.
 */
const HEADING_SUPPORT = 2
/** There is no model for lines; they are compared by their phrases. */
const LINE_LIKENESS = 6
const LINE_COVERAGE = 5
/**
 * A larger spread makes the scores more alike. Chosen so that eight in ten candidates with a score of 0.8 are right: see
 * docs/classify.md.
 */
const HEADING_SPREAD = 2
const SUBHEADING_SPREAD = 1.5
/** Subtracted for each attribute of the text that a code contradicts, and if a measure is outside the limits of the code. */
const HEADING_PENALTIES = { contradiction: 4, silence: 2, outside: 4 }
const SUBHEADING_PENALTIES = { contradiction: 3, silence: 3, outside: 3 }
/** See `confidenceOf`. */
const SCORE_BOUND = 0.9999
const CONFIDENCE_BASE = -0.51
const CONFIDENCE_OF_SCORE = 0.65
const CONFIDENCE_OF_LIKENESS = 1.95
/** The score of a code that excludes what the text states is multiplied by this. */
const EXCLUDED_SHARE = 0.3
/** The search reads only this many characters of a text. */
const SEARCH_CHARS_MAX = 300

/** A record, and how likely it is that its code is right, 0 to 1. */
export interface Scored {
  record: number
  score: number
}

/** The evidence that one text gives, best first. */
export class Evidence {
  constructor(
    readonly text: TextTerms,
    readonly headings: readonly Scored[],
    /** Subheadings of `headings` only. */
    readonly subheadings: readonly Scored[],
    private readonly headingOfRecord: (record: number) => number,
    private readonly likeness: Likeness,
    private readonly against: (records: readonly number[]) => number[],
  ) {}

  /** The score of a record's heading, and how likely it is that the heading is right. */
  headingOf(record: number): { score: number; confidence: number } {
    const heading = this.headingOfRecord(record)
    const score = this.headings.find(one => one.record === heading)?.score ?? 0
    return { score, confidence: confidenceOf(score, this.likeness.atOrBelow(heading)) }
  }

  /** Divides a code's score among lines or other codes below it. */
  among(records: readonly number[], score: number): Scored[] {
    const against = this.against(records)
    const evidence = records.map(
      (record, i) =>
        LINE_LIKENESS * this.likeness.atOrBelow(record) + LINE_COVERAGE * this.likeness.coverage(record) - against[i],
    )
    return divided(score, records, evidence, SUBHEADING_SPREAD)
  }
}

export class EvidenceReader {
  readonly #columns: Snapshot['columns']
  readonly #headings: Model
  readonly #subheadings: Model
  readonly #phrases: PhraseRarity
  readonly #pointers: PointerEvidence
  readonly #brands: Brands
  readonly #brandEvidence: BrandEvidence
  readonly #limits: RecordLimits
  /** By record: index of its heading in `headingRecord`, and of its subheading in `subheadingRecord`; -1 for none. */
  readonly #headingOf: Int32Array
  readonly #subheadingOf: Int32Array

  constructor(
    { columns, meta }: Snapshot,
    private readonly vocabulary: Vocabulary,
    private readonly stemmer: Stemmer,
    private readonly search: Search,
    private readonly attributes: Attributes,
    private readonly records: Records,
  ) {
    const { headingRecord, subheadingRecord, parent } = columns
    this.#columns = columns
    this.#headings = new Model(
      { at: columns.headingWeightAt, classes: columns.headingClass, weights: columns.headingWeight },
      headingRecord.length,
    )
    this.#subheadings = new Model(
      { at: columns.subheadingWeightAt, classes: columns.subheadingClass, weights: columns.subheadingWeight },
      subheadingRecord.length,
    )
    this.#phrases = new PhraseRarity(columns, this.#headings, vocabulary.size, headingRecord.length)
    this.#headingOf = inherited(headingRecord, parent)
    this.#subheadingOf = inherited(subheadingRecord, parent)
    this.#pointers = new PointerEvidence(columns, this.#headingOf)
    this.#brands = new Brands(meta.brands)
    this.#brandEvidence = new BrandEvidence(records, columns)
    this.#limits = new RecordLimits(columns, records, attributes.materials)
  }

  /** `isWithin`: whether a code, or a code below it, may be a candidate. */
  read(written: string, isWithin?: (record: number) => boolean): Evidence {
    const text = cleanTitle(written)
    const read = this.#readTerms(withoutExclusions(text))
    const features = featuresOf(read.terms, this.#columns.classifyPair, this.vocabulary.size)
    const rough = this.#rough(read, features)
    this.#brandEvidence.addTo(rough, read)
    const classes = this.#best(rough, isWithin)
    const likeness = new Likeness(this.#phrases, read.terms, read.head)
    const pointed = this.#pointers.of(read.terms)
    const records = classes.map(one => this.#columns.headingRecord[one])
    const measured = measuresIn(text, this.attributes.materials, this.stemmer)
    const stated = this.attributes.valuesIn(text, measured.main)
    const against = (compared: readonly number[], isWithinHeading: boolean) =>
      this.#against(stated, measured, compared, isWithinHeading)
    const contradicted = against(records, false)
    const evidence = classes.map(
      (one, i) =>
        rough[one] +
        HEADING_SUPPORT * this.#headings.support(features, one) +
        HEADING_LIKENESS * likeness.atOrBelow(records[i]) +
        (pointed.get(one) ?? 0) -
        contradicted[i],
    )
    const headings = divided(1, records, evidence, HEADING_SPREAD)
    const subheadingScores = this.#subheadings.scores(features)
    const ofBrands = this.#brandEvidence.subheadings(read.brands)
    const amongSubheadings = (compared: readonly number[]) => against(compared, true)
    const subheadings = headings.flatMap(heading =>
      this.#below(heading, subheadingScores, likeness, ofBrands, amongSubheadings, isWithin),
    )
    const kept = stated.size === 0 ? subheadings : this.#withoutExcluded(subheadings, stated)
    return new Evidence(read, headings, kept.sort(byScore), this.#headingRecordOf, likeness, amongSubheadings)
  }

  /** Lowers the scores of codes that exclude what the text states, and raises all other scores, also under other headings. */
  #withoutExcluded(scored: readonly Scored[], stated: ReadonlyMap<number, Statement>): Scored[] {
    const lowered = scored.map(({ record, score }) => ({
      record,
      score: this.attributes.isExcluded(stated, record) ? EXCLUDED_SHARE * score : score,
    }))
    const total = lowered.reduce((sum, { score }) => sum + score, 0)
    return lowered.map(({ record, score }) => ({ record, score: score / total }))
  }

  /**
   * The other words of a text decide which goods of a brand are meant, and whether a word that may be a brand is read as a
   * brand.
   */
  #readTerms(text: string): TextTerms {
    const reading = {
      vocabulary: this.vocabulary,
      stemmer: this.stemmer,
      brands: this.#brands,
      isOfGoods: (term: number, brand: FoundBrand) => this.#brandEvidence.isOfGoods(term, brand, this.#headings),
    }
    const read = textTerms(text, reading)
    const words = this.#brands.find(wordsOf(text)).filter(({ brand }) => brand.kind === 'word')
    if (words.length === 0) return read
    const others = textTerms(text, reading, () => false)
    const rough = this.#rough(others, featuresOf(others.terms, this.#columns.classifyPair, this.vocabulary.size))
    const isOrdinary = (found: FoundBrand) => found.brand.kind === 'word' && !this.#brandEvidence.isSupported(found, rough)
    return textTerms(text, reading, isOrdinary)
  }

  /** By class: the model's score plus the votes of a search. */
  #rough(read: TextTerms, features: readonly number[]): Float64Array {
    const rough = new Float64Array(this.#headings.scores(features))
    for (let one = 0; one < rough.length; one++) rough[one] /= WEIGHT_SCALE
    const votes = votesOf(this.search.voters(read.words.join(' ').slice(0, SEARCH_CHARS_MAX)), this.#headingOf)
    for (const [one, vote] of votes) rough[one] += HEADING_VOTES * Math.sqrt(vote)
    return rough
  }

  /** By record: what is subtracted because the record contradicts stated attributes or measures. */
  #against(
    stated: ReadonlyMap<number, Statement>,
    measured: Measured,
    records: readonly number[],
    isWithinHeading: boolean,
  ): number[] {
    const penalties = isWithinHeading ? SUBHEADING_PENALTIES : HEADING_PENALTIES
    const contradicted = this.attributes.contradictions(stated, records, isWithinHeading, penalties)
    return contradicted.map((sum, i) => sum + (this.#limits.exclude(records[i], measured) ? penalties.outside : 0))
  }

  readonly #headingRecordOf = (record: number): number => this.#columns.headingRecord[this.#headingOf[record]]

  /** What a term adds to the score of a heading or subheading. */
  weight(term: number, record: number): number {
    const heading = this.#headings.weight(term, this.#headingOf[record])
    const subheading = this.#subheadingOf[record]
    return subheading < 0 ? heading : heading + this.#subheadings.weight(term, subheading)
  }

  /** The best classes among those with evidence. */
  #best(evidence: Float64Array, isWithin?: (record: number) => boolean): number[] {
    const { headingRecord } = this.#columns
    const found: number[] = []
    for (let one = 0; one < evidence.length; one++)
      if (evidence[one] > 0 && (isWithin === undefined || isWithin(headingRecord[one]))) found.push(one)
    selectFirst(found, evidence, HEADINGS_MAX)
    return found.slice(0, HEADINGS_MAX)
  }

  /** The subheadings of a heading, with its score divided among them. */
  #below(
    { record, score }: Scored,
    scores: Int32Array,
    likeness: Likeness,
    ofBrands: ReadonlyMap<string, number>,
    against: (records: readonly number[]) => number[],
    isWithin?: (record: number) => boolean,
  ): Scored[] {
    const { firstChild, childCount } = this.#columns
    const records: number[] = []
    const evidence: number[] = []
    for (let child = firstChild[record]; child < firstChild[record] + childCount[record]; child++) {
      if (isWithin !== undefined && !isWithin(child)) continue
      const subheading = this.#subheadingOf[child]
      const modelled = subheading < 0 ? 0 : scores[subheading] / WEIGHT_SCALE
      records.push(child)
      const ofBrand = ofBrands.size === 0 ? 0 : (ofBrands.get(this.records.code(child)) ?? 0)
      evidence.push(modelled + SUBHEADING_LIKENESS * likeness.atOrBelow(child) + ofBrand)
    }
    against(records).forEach((penalty, i) => {
      evidence[i] -= penalty
    })
    return records.length === 0 ? [{ record, score }] : divided(score, records, evidence, SUBHEADING_SPREAD)
  }
}

/**
 * The probability that a heading is right, from its score and the most similar phrase below it: a logistic regression over
 * titles that were not used for training. The score alone is not enough: it can be as high for a title with only one known
 * word.
 */
function confidenceOf(score: number, likeness: number): number {
  const bounded = Math.min(SCORE_BOUND, Math.max(1 - SCORE_BOUND, score))
  const sum = CONFIDENCE_BASE + CONFIDENCE_OF_SCORE * Math.log(bounded / (1 - bounded)) + CONFIDENCE_OF_LIKENESS * likeness
  return 1 / (1 + Math.exp(-sum))
}

const byScore = (a: Scored, b: Scored): number => b.score - a.score

/** Divides a score among records in proportion to e^(evidence / spread); the best record comes first. */
function divided(score: number, records: readonly number[], evidence: readonly number[], spread: number): Scored[] {
  const best = Math.max(...evidence)
  const powers = evidence.map(one => Math.exp((one - best) / spread))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return records.map((record, i) => ({ record, score: (score * powers[i]) / total })).sort(byScore)
}

/** By record: the index in `classes` of the record itself or of the nearest record above it; -1 for none. */
function inherited(classes: Uint32Array, parent: Int32Array): Int32Array {
  const found = new Int32Array(parent.length).fill(-1)
  classes.forEach((record, i) => {
    found[record] = i
  })
  // a parent comes before its children
  for (let record = 0; record < parent.length; record++)
    if (found[record] < 0 && parent[record] >= 0) found[record] = found[parent[record]]
  return found
}
