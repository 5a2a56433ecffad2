/** The findings of a search as plain values: which words matched, and the evidence by heading. */
import { fromNumber, HEADING_DIGITS } from '../../codes/levels.js'
import type { QueryWord } from './find-terms.js'
import type { CandidateGatherer } from './gather-candidates.js'
import type { HeadingEvidence } from './heading-evidence.js'
import type { Postings } from './postings.js'
import type { Vocabulary } from './vocabulary.js'

/** A query word and the index term it matched. */
export interface MatchedTerm {
  word: string
  term: string
}

export interface Candidate {
  record: number
  score: number
  /** In query order; words found only in codes around the record are left out. */
  matched: MatchedTerm[]
}

export interface HeadingWorth {
  /** Four digits; a chapter is two and two zeros. */
  heading: string
  /** Strength of the evidence, 0 to 1. */
  evidence: number
}

export interface Matches {
  /** Folded. */
  words: string[]
  candidates: Candidate[]
  headings: HeadingWorth[]
}

/** For records of the last search. Too slow for every request: looks up each term of each record. */
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
    headings: evidence.headings().map(found => ({
      heading: fromNumber(found.heading, HEADING_DIGITS),
      evidence: found.evidence,
    })),
  }
}
