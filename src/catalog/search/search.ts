/** Search by words or digits: runs the stages, one per file, and returns one page of the results. */

import { codeInQuery } from '../../codes/in-text.js'
import type { Snapshot } from '../../snapshot/decode.js'
import type { Stemmer } from '../../text/terms.js'
import { BrandQuery } from './brand-query.js'
import { LevelFinder } from './find-at-level.js'
import { CodeFinder } from './find-codes.js'
import { type Completer, type FoundTerms, TermFinder } from './find-terms.js'
import { CandidateGatherer } from './gather-candidates.js'
import { HeadingEvidence } from './heading-evidence.js'
import { PhraseJudge } from './judge-phrases.js'
import { Postings } from './postings.js'
import type { Ranking } from './ranking.js'
import { QueryReader } from './read-query.js'
import { spreadHeadings } from './spread-headings.js'
import type { Steps } from './steps.js'
import type { Vocabulary } from './vocabulary.js'
import { voteForHeadings, votersOf } from './votes.js'
import { VOTED_WORDS_MIN, VOTERS } from './weights.js'

export interface Found {
  records: readonly number[]
  /** Number of all matches, not only those on this page. */
  total: number
}

type Filter = (record: number) => boolean

export interface FindOptions {
  /** A filter in addition to `within`. */
  accepts?: Filter | undefined
  /** Called for every match, in no particular order. */
  count?: ((record: number) => void) | undefined
}

const NO_OPTIONS: FindOptions = {}
/** The last word of a title is complete: if unknown, it is not treated as the start of a known word. */
const WHOLE_WORDS = true

export class Search {
  readonly #codes: CodeFinder
  readonly #brands: BrandQuery
  readonly #reader: QueryReader
  readonly #terms: TermFinder
  readonly #evidence: HeadingEvidence
  readonly #candidates: CandidateGatherer
  readonly #judge: PhraseJudge
  readonly #levels: LevelFinder
  readonly #level: Uint8Array
  readonly #steps: Steps

  constructor({ columns, meta }: Snapshot, vocabulary: Vocabulary, stemmer: Stemmer, completer: Completer, steps: Steps) {
    const postings = new Postings(columns)
    this.#codes = new CodeFinder(columns)
    this.#brands = new BrandQuery(meta.brands, vocabulary, stemmer)
    this.#reader = new QueryReader(stemmer, meta.words)
    this.#terms = new TermFinder(vocabulary, postings, stemmer, completer, meta.records, steps)
    this.#evidence = new HeadingEvidence(columns, steps)
    this.#candidates = new CandidateGatherer(columns, postings, this.#evidence, steps)
    this.#judge = new PhraseJudge(columns, vocabulary.size, steps)
    this.#levels = new LevelFinder(columns, steps)
    this.#level = columns.level
    this.#steps = steps
  }

  /** Number of steps that the last query took. */
  get steps(): number {
    return this.#steps.used
  }

  /** One page of the matches. `level` 0 means all code lengths. A filter only selects among the matches. */
  find(text: string, level: number, offset: number, limit: number, within = '', options = NO_OPTIONS): Found {
    const { accepts, count } = options
    this.#steps.reset()
    const isWithin = this.#codes.isWithin(within)
    const isShown = accepts === undefined ? isWithin : (record: number) => isWithin(record) && accepts(record)
    const code = codeInQuery(text)
    const { codes, rest } = code === undefined ? this.#brands.read(text) : { codes: [], rest: text }
    const byCode = (code === undefined ? codes : [code]).flatMap(one => this.#codes.withPrefix(one))
    if (byCode.length > 0) {
      const shown = byCode.filter(record => (level === 0 || this.#level[record] === level) && isShown(record))
      if (count !== undefined) shown.forEach(count)
      return { records: shown.slice(offset, offset + limit), total: shown.length }
    }
    const found = this.#terms.find(rest, this.#reader.read(rest))
    const isFiltered = within !== '' || accepts !== undefined
    const ranking = this.#rank(found, level, Math.max(offset + limit, VOTERS), isFiltered ? isShown : undefined)
    if (found.words.length >= VOTED_WORDS_MIN && found.suggested < 0) voteForHeadings(ranking, this.#evidence.headingOf)
    if (count !== undefined) for (const { records } of ranking.tiers) records.forEach(count)
    return { records: ranking.page(offset, limit), total: ranking.total }
  }

  /**
   * For each record of a search, the phrase most similar to the query, or -1. A query that is found by a code, or by a brand
   * that has codes, matches no phrase.
   */
  matchedPhrases(text: string, records: readonly number[]): number[] {
    this.#steps.reset()
    const code = codeInQuery(text)
    if (code !== undefined && this.#codes.withPrefix(code).length > 0) return records.map(() => -1)
    const { codes, rest } = this.#brands.read(text)
    if (codes.length > 0) return records.map(() => -1)
    const { words } = this.#terms.find(rest, this.#reader.read(rest))
    return this.#judge.bestPhrases(records, words)
  }

  /** The results that vote for the headings of a text, ordered by their own score. */
  voters(text: string): number[] {
    this.#steps.reset()
    return votersOf(this.#rank(this.#terms.find(text, this.#reader.read(text), WHOLE_WORDS), 0, VOTERS)).flat()
  }

  /** Runs all stages before the votes, and puts at least `needed` results in order. */
  #rank({ words, suggested }: FoundTerms, level: number, needed: number, accepts?: Filter): Ranking {
    const gathered = this.#candidates.gather(words)
    const ranking =
      level === 0 ? this.#judged(gathered, suggested, needed, accepts) : this.#atLevel(gathered, suggested, level, accepts)
    let before = 0
    for (const tier of ranking.tiers) {
      if (before < needed) spreadHeadings(ranking, tier, this.#evidence.headingOf)
      before += tier.size
    }
    return ranking
  }

  /** Judges the best accepted records, so that a filtered list is ranked as carefully as the whole list. */
  #judged(gathered: Ranking, suggested: number, needed: number, accepts?: Filter): Ranking {
    let ranking = accepts === undefined ? gathered : gathered.restrictedTo(accepts)
    this.#judge.judge(ranking, ranking.full)
    if (suggested >= 0 && (accepts === undefined || accepts(suggested))) ranking = ranking.withFirst(suggested)
    if (ranking.full.size < needed) this.#judge.judge(ranking, ranking.partial)
    return ranking
  }

  /** Judges all candidates that affect accepted codes, because the score of a code depends on the codes above and below it. */
  #atLevel(gathered: Ranking, suggested: number, level: number, accepts?: Filter): Ranking {
    const found = this.#levels.find(gathered, suggested, level)
    const codes = accepts === undefined ? found : found.filter(accepts)
    const candidates = this.#judged(gathered, suggested, Infinity, this.#levels.dependsOn(codes, level))
    return this.#levels.rank(codes, candidates, level)
  }
}
