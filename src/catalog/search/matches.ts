/** What the stages of a search found, as plain values: for answers that say why, and for classifying. */
import type { QueryWord } from './find-terms.js'
import type { CandidateGatherer } from './gather-candidates.js'
import type { HeadingEvidence } from './heading-evidence.js'
import type { Postings } from './postings.js'
import type { Vocabulary } from './vocabulary.js'

/** A word of the query and a term of the index that stands for it in a record. */
export interface MatchedTerm {
  word: string
  term: string
}

export interface Candidate {
  record: number
  score: number
  /** In the order of the query; words that only codes around the record say are not among them. */
  matched: MatchedTerm[]
}

export interface HeadingWorth {
  /** Four digits; of a chapter two and two zeros. */
  heading: string
  /** How far it is about the query, from 0 to 1. */
  worth: number
}

export interface Matches {
  /** The words that were searched for, folded. */
  words: string[]
  /** The best first. */
  candidates: Candidate[]
  /** The evidence by heading, most first. */
  headings: HeadingWorth[]
}

const HEADING_DIGITS = 4

/** Describes records that were just gathered. Not for every request: it looks up each term of each record. */
export function matchesOf(
  records: readonly number[],
  words: readonly QueryWord[],
  { score }: Pick<CandidateGatherer, 'score'>,
  evidence: HeadingEvidence,
  postings: Postings,
  vocabulary: Vocabulary,
): Matches {
  const matchedIn = (record: number): MatchedTerm[] =>
    words.flatMap(({ text, termIds }) =>
      termIds.filter(termId => postings.has(termId, record)).map(termId => ({ word: text, term: vocabulary.term(termId) })),
    )
  return {
    words: words.map(({ text }) => text),
    candidates: records.map(record => ({
      record,
      score: score[record],
      matched: matchedIn(record),
    })),
    headings: evidence.headings().map(({ heading, worth }) => ({
      heading: String(heading).padStart(HEADING_DIGITS, '0'),
      worth,
    })),
  }
}
