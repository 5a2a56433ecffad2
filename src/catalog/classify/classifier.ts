/**
 * Classifies product titles: proposes codes with the words that matched, and checks whether a title agrees with a given code.
 */
import { HEADING_DIGITS, headingOf, SUBHEADING_DIGITS, subheadingOf } from '../../codes/levels.js'
import type { Bilingual } from '../../snapshot/country-format.js'
import type { Snapshot } from '../../snapshot/decode.js'
import type { Stemmer } from '../../text/terms.js'
import type { Names } from '../names.js'
import type { Records } from '../records.js'
import type { Search } from '../search/search.js'
import type { Vocabulary } from '../search/vocabulary.js'
import { Attributes } from './attributes.js'
import type { Candidate, Classified, ClassifyStatus, ClassifyTerms, Question, Verdict } from './classified.js'
import { type Evidence, EvidenceReader, type Scored } from './evidence.js'
import { Questions } from './questions.js'
import { VagueReader } from './vague.js'

/**
 * The first candidate is safe to propose if the probability of its heading is at least CLEAR_CONFIDENCE, and its own score
 * is more than CLEAR_SHARE of the heading's score.
 */
const CLEAR_CONFIDENCE = 0.88
const CLEAR_SHARE = 0.6
/**
 * The status is `unknown` if the score of the first candidate's heading, or the probability of that heading, is below these
 * limits. The probability does not count within given codes, or if a question can be asked about a brand.
 */
const UNKNOWN_CONFIDENCE = 0.28
const UNKNOWN_SCORE = 0.05
/**
 * The candidates that a question distinguishes: their maximum number, their minimum score relative to the first, and their
 * minimum total score.
 */
const RIVALS_MAX = 4
const RIVAL_MIN = 0.25
const RIVALS_SUM_MIN = 0.45
/** Number of subheadings whose lines are compared. */
const SUBHEADINGS_WITH_LINES = 8
/** Maximum number of words shown as matched, and their minimum weight relative to the strongest. */
const MATCHED_MAX = 6
const MATCHED_MIN = 0.1
/** A text agrees with a code whose score is at least this share of the best score. */
const AGREES_MIN = 0.3
/**
 * A text contradicts a code only if the code's heading scores less than CONTRADICTED_MAX and the best heading scores more than
 * CONTRADICTING_MIN.
 */
const CONTRADICTED_MAX = 0.05
const CONTRADICTING_MIN = 0.4

export class Classifier {
  readonly #level: Uint8Array
  readonly #firstChild: Uint32Array
  readonly #childCount: Uint32Array
  readonly #reader: EvidenceReader
  readonly #questions: Questions
  readonly #vague: VagueReader
  /** Cached, because callers verify the code of a text right after they ask for its candidates. */
  #last: { text: string; within: string; evidence: Evidence } | undefined

  constructor(
    snapshot: Snapshot,
    private readonly records: Records,
    private readonly vocabulary: Vocabulary,
    private readonly stemmer: Stemmer,
    search: Search,
    names: Names,
  ) {
    this.#level = snapshot.columns.level
    this.#firstChild = snapshot.columns.firstChild
    this.#childCount = snapshot.columns.childCount
    const attributes = new Attributes(snapshot.columns, snapshot.meta, records, stemmer)
    this.#reader = new EvidenceReader(snapshot, vocabulary, stemmer, search, attributes, records)
    this.#questions = new Questions(snapshot.columns, snapshot.meta, records, attributes, names)
    this.#vague = new VagueReader(snapshot.meta.vagueGoods, stemmer)
  }

  classify(text: string, { level, limit, within }: ClassifyTerms): Classified {
    const evidence = this.#read(text, within)
    const scored = this.#atLevel(evidence, level, this.#isWithin(within))
    const candidates = scored.slice(0, limit).map(one => this.#candidate(evidence, one))
    const answer = (status: ClassifyStatus, question?: Question, missing?: Bilingual) => ({
      status,
      candidates,
      question,
      missing,
    })
    const missing = this.#missingIn(evidence)
    const [first] = scored
    if (missing !== undefined) return answer('unknown', undefined, missing)
    if (first === undefined) return answer('unknown')
    const heading = evidence.headingOf(first.record)
    if (heading.score < UNKNOWN_SCORE) return answer('unknown')
    if (within.length === 0 && heading.confidence < UNKNOWN_CONFIDENCE) {
      const ofBrand = this.#questionOfBrand(evidence)
      return ofBrand === undefined ? answer('unknown') : answer('ask', ofBrand)
    }
    if (heading.confidence >= CLEAR_CONFIDENCE && first.score > CLEAR_SHARE * heading.score) return answer('clear')
    const question = this.#question(text, scored) ?? this.#questionOfHeadings(text, evidence, scored)
    return question === undefined ? answer('choose') : answer('ask', question)
  }

  /** If a text names only a brand with many kinds of goods, asks which kind it is. */
  #questionOfBrand({ text, headings }: Evidence): Question | undefined {
    if (text.brands.length === 0) return undefined
    return this.questionBetween(headings.slice(0, RIVALS_MAX).map(({ record }) => record))
  }

  /** The detail that is missing from a vague text. */
  #missingIn({ text }: Evidence): Bilingual | undefined {
    if (text.brands.length > 0 || text.purposes.length > 0) return undefined
    return this.#vague.missingIn(text.words, word => this.vocabulary.find(this.stemmer.stem(word)) >= 0)
  }

  /** A question that decides between headings; undefined if its answers do not include both of the best two codes. */
  #questionOfHeadings(text: string, { headings }: Evidence, scored: readonly Scored[]): Question | undefined {
    const question = this.#question(text, headings)
    const answers = question?.answers.flatMap(({ within }) => within) ?? []
    const isIncluded = ({ record }: Scored) => answers.some(code => areNested(code, this.records.code(record)))
    return scored.slice(0, 2).every(isIncluded) ? question : undefined
  }

  /** Undefined if one of the codes includes all others, or if more codes are likely than a question can tell apart. */
  #question(text: string, scored: readonly Scored[]): Question | undefined {
    const rivals = scored.slice(0, RIVALS_MAX).filter(({ score }) => score >= RIVAL_MIN * scored[0].score)
    const sum = rivals.reduce((total, { score }) => total + score, 0)
    if (sum < RIVALS_SUM_MIN) return undefined
    return this.questionBetween(
      rivals.map(({ record }) => record),
      text,
    )
  }

  /**
   * The question that decides between codes, which are given best first; undefined if one of them includes all others. `isOwn`:
   * answers name these codes, not codes above them.
   */
  questionBetween(records: readonly number[], text = '', isOwn = false): Question | undefined {
    return this.#questions.between(records, text, isOwn)
  }

  /** The question about an attribute that every text states; undefined if there is no such attribute. */
  questionStatedBy(texts: readonly string[]): Question['text'] | undefined {
    return this.#questions.statedByAll(texts)
  }

  /** `record`: the code to check. Lines are compared by their subheading, because lines of one subheading are too similar. */
  verify(text: string, record: number, { level, limit, within }: ClassifyTerms): Verdict {
    const evidence = this.#read(text, within)
    const code = this.records.code(record)
    const compared = code.length < SUBHEADING_DIGITS ? evidence.headings : evidence.subheadings
    const [best] = compared
    if (best === undefined || best.score < UNKNOWN_SCORE || this.#missingIn(evidence) !== undefined)
      return { status: 'doubtful', against: [] }
    const own = this.#sumWithin(compared, subheadingOf(code))
    if (own >= AGREES_MIN * best.score) return { status: 'agrees', against: [] }
    const ofHeading = this.#sumWithin(evidence.headings, headingOf(code))
    const [bestHeading] = evidence.headings
    const isSure = evidence.headingOf(bestHeading.record).confidence >= UNKNOWN_CONFIDENCE
    const isContradicted = ofHeading < CONTRADICTED_MAX && bestHeading.score > CONTRADICTING_MIN && isSure
    const better = compared.filter(({ score }) => score > own).map(({ record }) => this.records.code(record))
    const against = this.#atLevel(evidence, level, this.#isWithin(within)).filter(scored => {
      const other = this.records.code(scored.record)
      return !areNested(other, code) && better.some(one => areNested(other, one))
    })
    return {
      status: isContradicted ? 'contradicts' : 'doubtful',
      against: against.slice(0, limit).map(scored => this.#candidate(evidence, scored)),
    }
  }

  /** Total score of the codes at or below a code. */
  #sumWithin(scored: readonly Scored[], code: string): number {
    return scored.reduce((sum, { record, score }) => (this.records.code(record).startsWith(code) ? sum + score : sum), 0)
  }

  #read(text: string, within: readonly string[]): Evidence {
    const key = within.join()
    if (this.#last?.text !== text || this.#last.within !== key)
      this.#last = { text, within: key, evidence: this.#reader.read(text, this.#isWithin(within)) }
    return this.#last.evidence
  }

  /** Whether a code is at, below or above one of `within`; undefined if `within` is empty. */
  #isWithin(within: readonly string[]): ((record: number) => boolean) | undefined {
    if (within.length === 0) return undefined
    return record => {
      const code = this.records.code(record)
      return within.some(one => areNested(code, one))
    }
  }

  #atLevel(evidence: Evidence, level: number, isWithin?: (record: number) => boolean): readonly Scored[] {
    const { headings, subheadings } = evidence
    if (level === HEADING_DIGITS) return headings
    if (level === SUBHEADING_DIGITS) return subheadings
    const lines = subheadings.slice(0, SUBHEADINGS_WITH_LINES).flatMap(({ record, score }) => {
      const below = this.#linesBelow(record, level)
      const kept = isWithin === undefined ? below : below.filter(isWithin)
      return evidence.among(kept.length === 0 ? [record] : kept, score)
    })
    return lines.sort((a, b) => b.score - a.score)
  }

  /** Codes of `level` digits below a record; where a branch ends earlier, its last code. */
  #linesBelow(record: number, level: number): number[] {
    if (this.#level[record] >= level || this.#childCount[record] === 0) return [record]
    const children = Array.from({ length: this.#childCount[record] }, (_, i) => this.#firstChild[record] + i)
    return children.flatMap(child => this.#linesBelow(child, level))
  }

  #candidate({ text }: Evidence, { record, score }: Scored): Candidate {
    const weights = text.terms.map(term => this.#reader.weight(term, record))
    const most = Math.max(0, ...weights)
    const words = text.written.filter((_, i) => weights[i] > 0 && weights[i] >= MATCHED_MIN * most)
    return { record, score, matched: [...new Set(words)].slice(0, MATCHED_MAX) }
  }
}

/** Whether two codes are equal or one contains the other. */
const areNested = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a)
