/**
 * Finds records by words or by digits. FlexSearch made the postings when the dataset was compiled; here they are read
 * from the snapshot's columns, and what they are worth is decided.
 */
import type { Snapshot } from '../snapshot/load.js'
import { fold } from '../text/fold.js'
import { Candidates, type WeighedWord } from './candidates.js'
import { Families } from './families.js'
import { interpretWords, type QueryWord } from './query.js'
import { PhraseJudge } from './rerank.js'
import { partitionAt, selectTop } from './select.js'
import type { Vocabulary } from './vocabulary.js'
import type { Work } from './work.js'

/** The best so many are looked at once more, word order and all. Fixed, so that pages agree on the order. */
const JUDGED_MAX = 40

export interface Found {
  /** Record numbers, best first. */
  records: Uint32Array
  /** Of all matches, not only these. */
  total: number
}

/** Codes as numbers have so many digits, see the column `sortKey`. */
const KEY_DIGITS = 14

const DIGITS = /^[0-9]+$/
/** A code as people print it: 8523.21, 8523 21 00 */
const DOTTED_CODE = /^[0-9]{2,4}(?:[. ][0-9]{2,4})+$/
/** … and as they write about it: "hs 8471.30", "HS8471", "chapter 64", "رمز 8471" */
const NAMED_CODE =
  /^(?:(?:hs|hts|hscode|gcc|code|codes|heading|subheading|chapter|tariff|number|no|رمز|كود|بند|فصل|رقم|التعرفه|تعرفه|الجمركي|جمركي|النظام|المنسق)[\s:#.-]*)+([0-9][0-9. ]*[0-9])$/

/** The digits of a query that is nothing but a code. */
function codeIn(folded: string): string | undefined {
  if (DIGITS.test(folded)) return folded
  const written = DOTTED_CODE.test(folded) ? folded : NAMED_CODE.exec(folded)?.[1]
  return written?.replace(/[. ]/g, '')
}

export class Search {
  readonly #vocabulary: Vocabulary
  readonly #judge: PhraseJudge
  readonly #level: Uint8Array
  readonly #source: Uint32Array
  readonly #firstChild: Uint32Array
  readonly #childCount: Uint32Array
  readonly #codeOrder: Uint32Array
  readonly #sortKey: Float64Array
  readonly #documents: number
  readonly #candidates: Candidates
  readonly #families: Families
  readonly #work: Work
  /** The matches of the query at hand, best first as far as asked for. */
  readonly #found: Uint32Array
  #total = 0
  /** The codes asked about, as numbers, and how long they are at least. */
  #lowest = 0
  #highest = 0
  #digitsMin = 0

  constructor({ columns, meta }: Snapshot, vocabulary: Vocabulary, work: Work) {
    this.#work = work
    this.#level = columns.level
    this.#source = columns.source
    this.#firstChild = columns.firstChild
    this.#childCount = columns.childCount
    this.#codeOrder = columns.codeOrder
    this.#sortKey = columns.sortKey
    this.#vocabulary = vocabulary
    this.#judge = new PhraseJudge(columns, this.#vocabulary.size, this.#work)
    this.#candidates = new Candidates(columns, meta.records, this.#work)
    this.#families = new Families(columns)
    this.#documents = meta.records
    this.#found = new Uint32Array(meta.records)
  }

  /** What the last query cost. */
  get steps(): number {
    return this.#work.steps
  }

  /**
   * The matches from `offset` on, at most `limit` of them, and the exact number of all. `level` 0 asks for all code
   * lengths, and `within` '' for all codes. The order depends on the query alone, so pages tile.
   */
  find(query: string, level: number, offset: number, limit: number, within = ''): Found {
    this.#total = 0
    this.#digitsMin = within.length
    this.#lowest = Number(within.padEnd(KEY_DIGITS, '0'))
    this.#highest = Number(within.padEnd(KEY_DIGITS, '9'))
    this.#work.steps = 0
    const folded = fold(query.trim())
    const code = codeIn(folded)
    if (code !== undefined) this.#byDigits(code, level)
    if (this.#total === 0) this.#byWords(folded, level, offset, limit)
    const end = Math.min(offset + limit, this.#total)
    return { records: this.#found.slice(Math.min(offset, end), end), total: this.#total }
  }

  #byDigits(prefix: string, level: number): void {
    if (prefix.length > 14) return
    const low = Number(prefix.padEnd(14, '0'))
    const high = Number(prefix.padEnd(14, '9'))
    const order = this.#codeOrder
    let from = 0
    let to = order.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#sortKey[order[middle] as number] as number) < low) from = middle + 1
      else to = middle
    }
    for (let i = from; i < order.length; i++) {
      const record = order[i] as number
      if ((this.#sortKey[record] as number) > high) break
      const digits = this.#level[record] as number
      // 85 and 8500 share a sort key; only the longer one starts with 8500
      if (digits < prefix.length || (level !== 0 && digits !== level) || !this.#isWithin(record)) continue
      this.#found[this.#total++] = record
    }
    this.#work.steps += this.#total
  }

  #byWords(folded: string, level: number, offset: number, limit: number): void {
    const words = interpretWords(folded, this.#vocabulary, this.#used).map(word => this.#weigh(word))
    if (words.length === 0) return
    const candidates = this.#candidates
    if (words.length === 1) candidates.takeOne(words[0] as WeighedWord)
    else candidates.takeMost(words)
    this.#families.gather(words)
    let fullTotal = 0
    for (let i = 0; i < candidates.count; i++) {
      const record = candidates.records[i] as number
      candidates.score[record] = (candidates.score[record] as number) * this.#families.worth(record)
      this.#keep(record, level)
      if (i < candidates.fullCount) fullTotal = this.#total
    }
    this.#families.clear()
    this.#work.steps += candidates.count
    const full = this.#found.subarray(0, fullTotal)
    const others = this.#found.subarray(fullTotal, this.#total)
    if (offset < fullTotal) this.#order(full, offset, limit, words)
    if (offset + limit > fullTotal && others.length > 0)
      this.#order(
        others,
        Math.max(0, offset - fullTotal),
        Math.max(0, Math.min(limit, offset + limit - fullTotal)),
        words,
      )
  }

  readonly #used = (place: number) => this.#candidates.size(place)

  #weigh({ places, factors, areNeighbours, weight }: QueryWord): WeighedWord {
    let size = 0
    for (const place of places) size += this.#candidates.size(place)
    const rarity = weight * Math.log(1 + this.#documents / (size + 1))
    return { places, ...(factors && { factors }), areNeighbours, weight, size, rarity }
  }

  /** Puts the page where it belongs in the list; what stands before and behind it need not be in order. */
  #order(found: Uint32Array, offset: number, limit: number, words: WeighedWord[]): void {
    const total = found.length
    if (offset >= total) return
    const { score } = this.#candidates
    const judged = Math.min(JUDGED_MAX, total)
    if (offset >= judged) {
      this.#work.steps += partitionAt(found, total, offset, score)
      const count = total - offset
      this.#selectTop(found.subarray(offset, total), count, Math.min(limit, count))
    } else {
      this.#selectTop(found, total, Math.min(Math.max(offset + limit, judged), total))
      this.#judge.reorder(found, judged, score, this.#source, this.#level, words)
    }
  }

  #selectTop(list: Uint32Array, count: number, want: number): void {
    selectTop(list, count, want, this.#candidates.score)
    this.#work.steps += count + want * Math.ceil(Math.log2(want))
  }

  #keep(record: number, level: number): void {
    const shown = level === 0 ? record : this.#lineAt(record, level)
    if (shown < 0 || (this.#digitsMin > 0 && !this.#isWithin(shown))) return
    if (shown !== record) {
      const { score } = this.#candidates
      score[shown] = score[record] as number
    }
    this.#found[this.#total++] = shown
  }

  #isWithin(record: number): boolean {
    const key = this.#sortKey[record] as number
    return key >= this.#lowest && key <= this.#highest && (this.#level[record] as number) >= this.#digitsMin
  }

  /** The record itself, or the line that padding added under it, at a given number of digits; -1 without. */
  #lineAt(record: number, level: number): number {
    let at = record
    while ((this.#level[at] as number) < level && this.#childCount[at] === 1) {
      const child = this.#firstChild[at] as number
      if (this.#source[child] !== record) return -1
      at = child
    }
    return this.#level[at] === level ? at : -1
  }
}
