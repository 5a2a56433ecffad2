/** Codes for the words of a product: what the trained models say, and the headings that most results of a search stand under. */
import type { Columns } from '../../snapshot/schema.js'
import type { Stemmer } from '../../text/terms.js'
import type { Search } from '../search/search.js'
import type { Vocabulary } from '../search/vocabulary.js'
import { featuresOf, Model } from './model.js'

/** Results of a search that vote. */
const VOTERS = 50
/** The first result's vote is 1 / RANK_OFFSET. */
const RANK_OFFSET = 2
/** Share of the model in a score; the rest are votes. */
const MODEL_SHARE = 0.5
const HEADING_DIGITS = 4
const SUBHEADING_DIGITS = 6

export interface Ranked {
  record: number
  /** From 0 to 1; 1 where model and votes agree on it. */
  score: number
}

export interface Classified {
  /** Best first. */
  headings: Ranked[]
  /** Best first, by their own score and that of their heading. */
  subheadings: Ranked[]
}

interface Parts {
  columns: Columns
  vocabulary: Vocabulary
  stemmer: Stemmer
  search: Search
}

/** By record. */
type Scores = Map<number, number>

export class Classifier {
  readonly #parts: Parts
  readonly #headings: Model
  readonly #subheadings: Model

  constructor(parts: Parts) {
    this.#parts = parts
    const { columns } = parts
    this.#headings = new Model(
      columns.headingModelAt,
      columns.headingModelClass,
      columns.headingModelWeight,
      columns.classHeading,
    )
    this.#subheadings = new Model(
      columns.subheadingModelAt,
      columns.subheadingModelClass,
      columns.subheadingModelWeight,
      columns.classSubheading,
    )
  }

  classify(text: string): Classified {
    const { columns, search, vocabulary } = this.#parts
    const features = featuresOf(this.#termsOf(text), columns.classPair, vocabulary.size)
    const voters = search.find(text, 0, 0, VOTERS).records
    const headings = mixed(this.#headings.scores(features), this.#votes(voters, HEADING_DIGITS))
    const own = mixed(this.#subheadings.scores(features), this.#votes(voters, SUBHEADING_DIGITS))
    const subheadings: Scores = new Map()
    for (const [record, score] of own) subheadings.set(record, (score + (headings.get(columns.parent[record]) ?? 0)) / 2)
    return { headings: ranked(headings), subheadings: ranked(subheadings) }
  }

  #termsOf(text: string): number[] {
    const { stemmer, vocabulary } = this.#parts
    return stemmer
      .terms(text)
      .map(term => vocabulary.find(term))
      .filter(place => place >= 0)
  }

  #votes(voters: readonly number[], digits: number): Scores {
    const { level, parent } = this.#parts.columns
    const votes: Scores = new Map()
    for (const [rank, voter] of voters.entries()) {
      let record = voter
      while (record >= 0 && level[record] > digits) record = parent[record]
      if (record >= 0 && level[record] === digits) votes.set(record, (votes.get(record) ?? 0) + 1 / (RANK_OFFSET + rank))
    }
    return votes
  }
}

/** Each side relative to its best. */
function mixed(model: Scores, votes: Scores): Scores {
  const scores: Scores = new Map()
  const add = (side: Scores, share: number) => {
    let best = 0
    for (const score of side.values()) best = Math.max(best, score)
    if (best === 0) return
    for (const [record, score] of side) scores.set(record, (scores.get(record) ?? 0) + (share * score) / best)
  }
  add(model, MODEL_SHARE)
  add(votes, 1 - MODEL_SHARE)
  return scores
}

function ranked(scores: Scores): Ranked[] {
  return [...scores].map(([record, score]) => ({ record, score })).sort((a, b) => b.score - a.score || a.record - b.record)
}
