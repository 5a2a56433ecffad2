/** Search by words or digits: runs the stages, one per file, and cuts the page. */

import { codeInQuery } from '../../codes/in-text.js'
import type { Snapshot } from '../../snapshot/decode.js'
import type { Stemmer } from '../../text/terms.js'
import { LevelFinder } from './find-at-level.js'
import { CodeFinder } from './find-codes.js'
import { type Completer, type FoundTerms, neededWords, type QueryWord, TermFinder } from './find-terms.js'
import { CandidateGatherer, type Gathered } from './gather-candidates.js'
import { HeadingEvidence } from './heading-evidence.js'
import { PhraseJudge } from './judge-phrases.js'
import { type Matches, matchesOf } from './matches.js'
import { selectFirst, sortPart } from './order.js'
import { Postings } from './postings.js'
import { QueryReader } from './read-query.js'
import type { Steps } from './steps.js'
import type { Vocabulary } from './vocabulary.js'
import { orderByVotes, VOTERS, votesOf } from './votes.js'
import { FIRST_SUGGESTION, JUDGED_BY_SCORE, JUDGED_MAX, REPEAT_WEIGHT, REPEATS_MAX, VOTED_WORDS_MIN } from './weights.js'

export interface Found {
  records: readonly number[]
  /** Of all matches, not only this page. */
  total: number
}

export interface FindOptions {
  /** Further filters the list. */
  accepts?: ((record: number) => boolean) | undefined
  /** Called for every match, in no order. */
  count?: ((record: number) => void) | undefined
}

const NO_OPTIONS: FindOptions = {}

/** The first `ordered` records are final; the rest are sorted by score when needed. */
interface Tier {
  records: number[]
  score: Float64Array
  ordered: number
}

export class Search {
  readonly #vocabulary: Vocabulary
  readonly #postings: Postings
  readonly #codes: CodeFinder
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
    this.#vocabulary = vocabulary
    this.#postings = postings
    this.#codes = new CodeFinder(columns)
    this.#reader = new QueryReader(stemmer, meta.words)
    this.#terms = new TermFinder(vocabulary, postings, stemmer, completer, meta.records, steps)
    this.#evidence = new HeadingEvidence(columns, steps)
    this.#candidates = new CandidateGatherer(columns, postings, this.#evidence, steps)
    this.#judge = new PhraseJudge(columns, vocabulary.size, steps)
    this.#levels = new LevelFinder(columns, this.#candidates, steps)
    this.#level = columns.level
    this.#steps = steps
  }

  /** Steps of the last query. */
  get steps(): number {
    return this.#steps.used
  }

  /** One page of the matches. `level` 0 means all code lengths; `within` only filters the list. */
  find(text: string, level: number, offset: number, limit: number, within = '', options = NO_OPTIONS): Found {
    const { accepts, count } = options
    this.#steps.reset()
    const isWithin = this.#codes.isWithin(within)
    const isShown = accepts === undefined ? isWithin : (record: number) => isWithin(record) && accepts(record)
    const code = codeInQuery(text)
    const byCode = code === undefined ? [] : this.#codes.withPrefix(code)
    if (byCode.length > 0) {
      const shown = byCode.filter(record => (level === 0 || this.#level[record] === level) && isShown(record))
      if (count !== undefined) shown.forEach(count)
      return { records: shown.slice(offset, offset + limit), total: shown.length }
    }
    const isFiltered = within !== '' || accepts !== undefined
    const found = this.#terms.find(text, this.#reader.read(text))
    return this.#findByWords(found, level, offset, limit, isFiltered ? isShown : undefined, count)
  }

  /** The best records and why they matched. */
  matches(text: string, limit: number): Matches {
    this.#steps.reset()
    const found = this.#terms.find(text, this.#reader.read(text))
    const { records } = this.#findByWords(found, 0, 0, limit)
    return matchesOf(records, found.words, this.#candidates, this.#evidence, this.#postings, this.#vocabulary)
  }

  /** By record of a search: the indexed phrase most similar to the query, or -1. A query that is a code matches no phrase. */
  matchedPhrases(text: string, records: readonly number[]): number[] {
    this.#steps.reset()
    const code = codeInQuery(text)
    if (code !== undefined && this.#codes.withPrefix(code).length > 0) return records.map(() => -1)
    const { words } = this.#terms.find(text, this.#reader.read(text))
    return this.#judge.bestPhrases(records, words)
  }

  /** The results that vote for the headings of a text, by their own score. */
  voters(text: string): number[] {
    this.#steps.reset()
    return this.#voters(this.#tiers(this.#terms.find(text, this.#reader.read(text)), 0, VOTERS)).flat()
  }

  #findByWords(
    found: FoundTerms,
    level: number,
    offset: number,
    limit: number,
    isShown?: (record: number) => boolean,
    count?: (record: number) => void,
  ): Found {
    // what is filtered, or voted on, may need more than the page
    const needed = isShown === undefined ? Math.max(offset + limit, VOTERS) : Infinity
    const tiers = this.#tiers(found, level, needed)
    if (found.words.length >= VOTED_WORDS_MIN && found.suggested < 0) this.#vote(tiers)
    const page: number[] = []
    let total = 0
    for (const tier of tiers) {
      const shown = isShown === undefined ? tier : restricted(tier, isShown)
      if (count !== undefined) shown.records.forEach(count)
      takePage(shown, offset - total, offset + limit - total, page)
      total += shown.records.length
    }
    return { records: page, total }
  }

  /** Records with all words, then those with some, as far in order as `needed` results ask for. */
  #tiers({ words, suggested }: FoundTerms, level: number, needed: number): Tier[] {
    const gathered = this.#candidates.gather(words)
    this.#judgeBest(gathered.full, words)
    if (suggested >= 0) this.#putFirst(suggested, gathered)
    const { score } = level === 0 ? this.#candidates : this.#levels
    const { full, partial } = level === 0 ? gathered : this.#atLevel(gathered, words, level)
    let before = 0
    return [full, partial].map(records => {
      const isNeeded = before < needed
      before += records.length
      if (isNeeded && level === 0 && records === partial) this.#judgeBest(records, words)
      return { records, score, ordered: isNeeded ? this.#orderFirst(records, score) : 0 }
    })
  }

  /** Each tier is ordered by the votes of the first results of both. */
  #vote(tiers: readonly Tier[]): void {
    const voters = this.#voters(tiers)
    const headingOf = (record: number) => this.#evidence.headingOf(record)
    const votes = votesOf(voters.flat(), headingOf)
    for (const [i, { records }] of tiers.entries())
      for (const [place, record] of orderByVotes(voters[i], votes, headingOf).entries()) records[place] = record
  }

  #voters(tiers: readonly Tier[]): number[][] {
    let left = VOTERS
    return tiers.map(tier => {
      const count = Math.min(left, tier.records.length)
      left -= count
      orderUpTo(tier, count)
      return tier.records.slice(0, count)
    })
  }

  /** All rescoring happens first, because a code lends its score to the codes around it. */
  #atLevel(gathered: Gathered, words: readonly QueryWord[], level: number): Gathered {
    this.#judgeBest(gathered.partial, words)
    const found = this.#levels.find(gathered, neededWords(words), level)
    for (const records of [found.full, found.partial]) selectFirst(records, this.#levels.score, JUDGED_MAX)
    return found
  }

  /** Moves the best to the front, unordered, and rescores them by their phrases. */
  #judgeBest(records: number[], words: readonly QueryWord[]): void {
    const { score, worth } = this.#candidates
    selectFirst(records, score, JUDGED_BY_SCORE)
    selectFirst(records, worth, JUDGED_MAX, JUDGED_BY_SCORE)
    this.#judge.judge(records.slice(0, JUDGED_MAX), words, score)
  }

  /** While the last word is unfinished, the first suggestion's record is the first result. */
  #putFirst(record: number, { full, partial }: Gathered): void {
    const { score } = this.#candidates
    let best = 0
    for (const other of full) best = Math.max(best, score[other])
    if (best === 0) for (const other of partial) best = Math.max(best, score[other])
    const at = partial.indexOf(record)
    if (at >= 0) partial.splice(at, 1)
    const known = full.indexOf(record)
    if (known >= 0) full.splice(known, 1)
    full.unshift(record)
    score[record] = best * FIRST_SUGGESTION
    selectFirst(full, score, JUDGED_MAX)
  }

  /** Puts the best in final order and returns how many they are. */
  #orderFirst(records: number[], score: Float64Array): number {
    const count = Math.min(JUDGED_MAX, records.length)
    sortPart(records, score, 0, count)
    this.#spreadHeadings(records.slice(0, count), score)
    sortPart(records, score, 0, count)
    return count
  }

  /** Each further code of a heading scores less. */
  #spreadHeadings(records: readonly number[], score: Float64Array): void {
    const shown = new Map<number, number>()
    for (const record of records) {
      const heading = this.#evidence.headingOf(record)
      const repeats = shown.get(heading) ?? 0
      shown.set(heading, repeats + 1)
      score[record] = score[record] * REPEAT_WEIGHT ** Math.min(repeats, REPEATS_MAX)
    }
  }
}

function restricted(tier: Tier, isIncluded: (record: number) => boolean): Tier {
  const { records, ordered } = tier
  const first = records.slice(0, ordered).filter(isIncluded)
  return { ...tier, records: [...first, ...records.slice(ordered).filter(isIncluded)], ordered: first.length }
}

/** Puts the first `end` records in final order. */
function orderUpTo(tier: Tier, end: number): void {
  const { records, score, ordered } = tier
  if (ordered >= end) return
  selectFirst(records, score, end, ordered)
  sortPart(records, score, ordered, end)
  tier.ordered = end
}

/** Appends a tier's records in `[from, to)`, which may extend beyond the tier. */
function takePage({ records, score, ordered }: Tier, from: number, to: number, page: number[]): void {
  const end = Math.min(to, records.length)
  const rest = Math.max(from, ordered)
  if (rest < end) {
    selectFirst(records, score, rest, ordered)
    selectFirst(records, score, end, rest)
    sortPart(records, score, rest, end)
  }
  for (let i = Math.max(0, from); i < end; i++) page.push(records[i])
}
