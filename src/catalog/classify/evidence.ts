/**
 * What a text says for headings and subheadings: the models' scores, the most similar phrase, the votes of a search, and pointers to
 * other headings. Each misses goods that another finds.
 */
import type { Snapshot } from '../../snapshot/decode.js'
import type { Stemmer } from '../../text/terms.js'
import { selectFirst } from '../search/order.js'
import type { Search } from '../search/search.js'
import type { Vocabulary } from '../search/vocabulary.js'
import { votesOf } from '../search/votes.js'
import { Elsewhere } from './elsewhere.js'
import { featuresOf } from './features.js'
import { Likeness } from './likeness.js'
import { Model, WEIGHT_SCALE } from './model.js'
import { type TextTerms, textTerms } from './text-terms.js'

/** Headings that are looked at closely. */
const HEADINGS_MAX = 12
/** What the most similar phrase and the votes count beside a model's score. */
const HEADING_LIKENESS = 2
const SUBHEADING_LIKENESS = 4
const HEADING_VOTES = 3
/** The wider, the more alike are the scores. Chosen so that of candidates with 0.8 eight in ten are right, see docs/classify.md. */
const HEADING_SPREAD = 1.75
const SUBHEADING_SPREAD = 1.5
/** The search reads no more of a text. */
const SEARCH_CHARS_MAX = 300

/** A code with the share of the evidence that is for it, 0 to 1. */
export interface Share {
  record: number
  share: number
}

export interface Evidence {
  text: TextTerms
  /** Best first. */
  headings: readonly Share[]
  /** Of those headings, best first. */
  subheadings: readonly Share[]
}

export class EvidenceReader {
  readonly #columns: Snapshot['columns']
  readonly #headings: Model
  readonly #subheadings: Model
  readonly #likeness: Likeness
  readonly #elsewhere: Elsewhere
  /** By class: evidence without likeness, which costs the most. */
  readonly #rough: Float64Array
  /** By record: index into `headingRecord` of its heading, and into `subheadingRecord`; -1 for none. */
  readonly #headingOf: Int32Array
  readonly #subheadingOf: Int32Array

  constructor(
    { columns }: Snapshot,
    private readonly vocabulary: Vocabulary,
    private readonly stemmer: Stemmer,
    private readonly search: Search,
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
    this.#likeness = new Likeness(columns, this.#headings, vocabulary.size, headingRecord.length)
    this.#rough = new Float64Array(headingRecord.length)
    this.#headingOf = inherited(headingRecord, parent)
    this.#subheadingOf = inherited(subheadingRecord, parent)
    this.#elsewhere = new Elsewhere(columns, this.#headingOf)
  }

  /** `isWithin`: whether a code may be a candidate, or lead to one. */
  read(text: string, isWithin?: (record: number) => boolean): Evidence {
    const read = textTerms(text, this.vocabulary, this.stemmer)
    const features = featuresOf(read.terms, this.#columns.classifyPair, this.vocabulary.size)
    const votes = votesOf(this.search.voters(text.slice(0, SEARCH_CHARS_MAX)), record => this.#headingOf[record])
    const scores = this.#headings.scores(features)
    const classes = this.#likely(scores, votes, isWithin)
    this.#likeness.read(read.terms)
    const elsewhere = this.#elsewhere.evidence(read.terms)
    const { headingRecord } = this.#columns
    const evidence = classes.map(one => {
      const likeness = this.#likeness.atOrBelow(headingRecord[one])
      const pointed = elsewhere.get(one) ?? 0
      return scores[one] / WEIGHT_SCALE + HEADING_LIKENESS * likeness + HEADING_VOTES * (votes.get(one) ?? 0) + pointed
    })
    const headings = shared(
      classes.map(one => headingRecord[one]),
      evidence,
      1,
      HEADING_SPREAD,
    )
    const subheadingScores = this.#subheadings.scores(features)
    const subheadings = headings.flatMap(heading => this.#below(heading, subheadingScores, isWithin))
    return { text: read, headings, subheadings: subheadings.sort(byShare) }
  }

  /** Lines of a subheading or other codes below one, with their shares of its own. */
  among(records: readonly number[], share: number): Share[] {
    return shared(
      records,
      records.map(record => SUBHEADING_LIKENESS * this.#likeness.atOrBelow(record)),
      share,
      SUBHEADING_SPREAD,
    )
  }

  /** What a term says for a heading or subheading. */
  weight(term: number, record: number): number {
    const heading = this.#headings.weight(term, this.#headingOf[record])
    const subheading = this.#subheadingOf[record]
    return subheading < 0 ? heading : heading + this.#subheadings.weight(term, subheading)
  }

  /** Classes with something for them, the best of them. */
  #likely(scores: Int32Array, votes: ReadonlyMap<number, number>, isWithin?: (record: number) => boolean): number[] {
    const { headingRecord } = this.#columns
    const found: number[] = []
    for (let one = 0; one < scores.length; one++) this.#rough[one] = scores[one] / WEIGHT_SCALE
    for (const [one, vote] of votes) this.#rough[one] += HEADING_VOTES * vote
    for (let one = 0; one < scores.length; one++)
      if (this.#rough[one] > 0 && (isWithin === undefined || isWithin(headingRecord[one]))) found.push(one)
    selectFirst(found, this.#rough, HEADINGS_MAX)
    return found.slice(0, HEADINGS_MAX)
  }

  #below({ record, share }: Share, scores: Int32Array, isWithin?: (record: number) => boolean): Share[] {
    const { firstChild, childCount } = this.#columns
    const records: number[] = []
    const evidence: number[] = []
    for (let child = firstChild[record]; child < firstChild[record] + childCount[record]; child++) {
      if (isWithin !== undefined && !isWithin(child)) continue
      const subheading = this.#subheadingOf[child]
      const score = subheading < 0 ? 0 : scores[subheading] / WEIGHT_SCALE
      records.push(child)
      evidence.push(score + SUBHEADING_LIKENESS * this.#likeness.atOrBelow(child))
    }
    return records.length === 0 ? [{ record, share }] : shared(records, evidence, share, SUBHEADING_SPREAD)
  }
}

const byShare = (a: Share, b: Share): number => b.share - a.share

/** Divides a share in proportion to e^(evidence / spread), best first. */
function shared(records: readonly number[], evidence: readonly number[], share: number, spread: number): Share[] {
  const best = Math.max(...evidence)
  const powers = evidence.map(one => Math.exp((one - best) / spread))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return records.map((record, i) => ({ record, share: (share * powers[i]) / total })).sort(byShare)
}

/** By record: the index of the one in `classes` that it is or is below; -1 for none. */
function inherited(classes: Uint32Array, parent: Int32Array): Int32Array {
  const found = new Int32Array(parent.length).fill(-1)
  classes.forEach((record, i) => {
    found[record] = i
  })
  // parents come before their children
  for (let record = 0; record < parent.length; record++)
    if (found[record] < 0 && parent[record] >= 0) found[record] = found[parent[record]]
  return found
}
