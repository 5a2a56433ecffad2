import type { Catalog } from '../catalog/catalog.js'
import type { Candidate, Classified, ClassifyLevel, Question, Verdict } from '../catalog/classify/classified.js'
import type { Classifier } from '../catalog/classify/classifier.js'
import type { CountryView } from '../catalog/countries.js'
import type { DecisionKeys } from '../catalog/decisions.js'
import { CLASSIFY_CHARS_MAX, CLASSIFY_CHARS_MIN } from '../limits.js'
import { withDecision } from './classify.js'

/** Cells of each candidate; the names of the second candidate's cells end in _2. */
const CANDIDATE_CELLS = ['code', 'description_en', 'description_ar', 'rate', 'score'] as const
/** These cells come first if the words are compared with a code. */
const VERDICT_CELLS = ['verdict', 'better_code'] as const
/** Number of candidates that may contain a better code. */
const VERIFY_CANDIDATES = 5
/**
 * Maximum number of cached texts: tables repeat texts. With the longest texts and all candidates, the cache takes some 20 MB.
 */
const CACHED_MAX = 4_096
const SCORE_PLACES = 3

/** SKU and GTIN of the row; '' if the row has none. */
export type ProductIds = Omit<DecisionKeys, 'text'>

const NO_IDS: ProductIds = { sku: '', gtin: '' }

/** The result for a text with too few characters. */
const UNREAD: Classified = { status: 'unknown', candidates: [], question: undefined }

export interface WordsOptions {
  level: ClassifyLevel
  /** Number of candidates for each row. */
  candidates: number
  /** Whether to compare the words with the code of the row. */
  withVerdict: boolean
  /** The list whose rates are shown, and the country of decisions; undefined for the common tariff. */
  view?: CountryView | undefined
}

/** Names of the added cells, in their order. */
export function wordsCells({ candidates, withVerdict }: WordsOptions): string[] {
  const numbered = Array.from({ length: candidates }, (_, i) =>
    CANDIDATE_CELLS.map(name => `words_${name}${i === 0 ? '' : `_${i + 1}`}`),
  )
  return [...(withVerdict ? VERDICT_CELLS : []), 'words_status', ...numbered.flat(), 'words_question_en', 'words_question_ar']
}

/** Proposes codes for the texts of a table one by one, and counts the outcomes. */
export class WordsEnricher {
  readonly #catalog: Catalog
  readonly #classifier: Pick<Classifier, 'classify' | 'verify'>
  readonly #options: WordsOptions
  readonly #blank: readonly string[]
  readonly #cache = new Map<string, readonly string[]>()
  /** Number of rows by status; a row without words counts as blank. */
  readonly counts = new Map<string, number>()
  readonly verdicts = new Map<Verdict['status'], number>()
  /** Number of rows whose text was cut. */
  cut = 0

  constructor(catalog: Catalog, options: WordsOptions, classifier: Pick<Classifier, 'classify' | 'verify'> = catalog.classifier) {
    this.#catalog = catalog
    this.#classifier = classifier
    this.#options = options
    this.#blank = wordsCells(options).map(() => '')
  }

  /**
   * The cells that `wordsCells` names. `record`: the code of the row, or -1. `ids` and text find a company's own decision.
   * A repeated text may return the same array.
   */
  enrich(written: string, record: number, ids: ProductIds = NO_IDS): readonly string[] {
    const text = this.#bounded(written.trim())
    const { sku, gtin } = this.#catalog.decisions === undefined ? NO_IDS : ids
    if (text === '' && sku === '' && gtin === '') {
      count(this.counts, 'blank')
      return this.#blank
    }
    const compared = this.#options.withVerdict ? this.#atLevel(record) : -1
    const key = [compared, text, sku, gtin].join('\0')
    let cells = this.#cache.get(key)
    if (cells === undefined) {
      cells = this.#cells({ text, sku, gtin }, compared)
      if (this.#cache.size >= CACHED_MAX) this.#cache.clear()
      this.#cache.set(key, cells)
    }
    this.#count(cells)
    return cells
  }

  #count(cells: readonly string[]): void {
    const status = cells[this.#options.withVerdict ? VERDICT_CELLS.length : 0]
    count(this.counts, status === '' ? 'blank' : status)
    if (!this.#options.withVerdict) return
    if (cells[0] !== '') count(this.verdicts, cells[0] as Verdict['status'])
  }

  /** Cuts a long text between two code points. */
  #bounded(text: string): string {
    if (text.length <= CLASSIFY_CHARS_MAX) return text
    const points = [...text.slice(0, 2 * CLASSIFY_CHARS_MAX + 1)]
    if (points.length <= CLASSIFY_CHARS_MAX) return text
    this.cut++
    return points.slice(0, CLASSIFY_CHARS_MAX).join('')
  }

  /** Shortens the code to the number of digits that the candidates have. */
  #atLevel(record: number): number {
    const { level, parent } = this.#catalog
    let at = record
    while (at >= 0 && level[at] > this.#options.level) at = parent[at]
    return at
  }

  #cells(keys: DecisionKeys, record: number): readonly string[] {
    const { level, candidates: limit, withVerdict, view } = this.#options
    const { text } = keys
    const verdict = withVerdict ? this.#verdictCells(text, record) : []
    const proposed = text.length < CLASSIFY_CHARS_MIN ? UNREAD : this.#classifier.classify(text, { level, limit, within: [] })
    const { status, candidates, question, decision } = withDecision(this.#catalog, proposed, keys, limit, view)
    const withoutCandidates = (shownStatus: string) => [...verdict, shownStatus, ...this.#blank.slice(verdict.length + 1)]
    // a decision that no longer applies is left to a person
    if (decision?.problem) return withoutCandidates(`${status}: ${decision.problem}`)
    if (decision === undefined && proposed === UNREAD) return withoutCandidates(text === '' ? '' : status)
    const shown = Array.from({ length: limit }, (_, i) => this.#candidateCells(candidates[i]))
    return [...verdict, status, ...shown.flat(), ...questionCells(question)]
  }

  #verdictCells(text: string, record: number): readonly string[] {
    if (record < 0 || text.length < CLASSIFY_CHARS_MIN) return VERDICT_CELLS.map(() => '')
    const { level } = this.#options
    const { status, against } = this.#classifier.verify(text, record, { level, limit: VERIFY_CANDIDATES, within: [] })
    return [status, against.length === 0 ? '' : this.#catalog.records.code(against[0].record)]
  }

  #candidateCells(candidate: Candidate | undefined): readonly string[] {
    if (candidate === undefined) return CANDIDATE_CELLS.map(() => '')
    const { records } = this.#catalog
    const { record, score } = candidate
    const { en, ar } = records.description(record)
    return [
      records.code(record),
      en,
      ar,
      (this.#options.view ?? this.#catalog).rateText(record),
      String(Number(score.toFixed(SCORE_PLACES))),
    ]
  }
}

/** The question in both languages: "Knitted? Yes: 6109; No: 6211 6212". */
function questionCells(question: Question | undefined): readonly string[] {
  if (question === undefined) return ['', '']
  const { text, answers } = question
  const cell = (language: 'en' | 'ar', separator: string) =>
    `${text[language]} ${answers.map(answer => `${answer.text[language]}: ${answer.within.join(' ')}`).join(separator)}`
  return [cell('en', '; '), cell('ar', '؛ ')]
}

function count<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
