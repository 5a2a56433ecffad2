/**
 * Finds records by words or by digits. FlexSearch made the postings when the dataset was compiled; here they are read
 * from the snapshot's columns, and what they are worth is decided.
 */
import { CODE_DIGITS_MAX } from '../limits.js'
import type { Snapshot } from '../snapshot/decode.js'
import { fold } from '../text/fold.js'
import { Candidates } from './candidates.js'
import { ExactPhrases } from './exact-phrases.js'
import { Families } from './families.js'
import { Homes } from './homes.js'
import { Matches } from './matches.js'
import { Materials } from './materials.js'
import { interpretWords, type QueryWord } from './query.js'
import { PhraseJudge } from './rerank.js'
import { TermUse } from './term-use.js'
import type { Vocabulary } from './vocabulary.js'
import type { Work } from './work.js'
import { codeIn } from './written-code.js'

/** The best so many are looked at once more, word order and all. Fixed, so that pages agree on the order. */
export const JUDGED_MAX = 30

export interface Found {
  /** Record numbers, best first. No typed array: a page is too long for one to lie on the heap, and memory beside it is dear. */
  records: readonly number[]
  /** Of all matches, not only these. */
  total: number
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
  readonly #exact: ExactPhrases
  readonly #terms: TermUse
  readonly #families: Families
  readonly #materials: Materials
  readonly #work: Work
  /** The matches of the query at hand, best first as far as asked for: those with all the words, then the others. */
  readonly #full: Matches
  readonly #others: Matches
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
    const homes = new Homes(columns)
    this.#families = new Families(columns, homes)
    this.#candidates = new Candidates(columns, this.#families, this.#work)
    this.#materials = new Materials(columns, this.#work)
    this.#judge = new PhraseJudge(columns, homes, vocabulary.size, this.#work)
    this.#exact = new ExactPhrases(columns)
    this.#terms = new TermUse(columns)
    this.#documents = meta.records
    this.#full = new Matches(meta.records)
    this.#others = new Matches(meta.records)
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
    this.#digitsMin = within.length
    if (within !== '') {
      this.#lowest = Number(within.padEnd(CODE_DIGITS_MAX, '0'))
      this.#highest = Number(within.padEnd(CODE_DIGITS_MAX, '9'))
    }
    const full = this.#full
    const others = this.#others
    full.count = 0
    others.count = 0
    this.#work.steps = 0
    const folded = fold(query.trim())
    const code = codeIn(folded)
    if (code !== undefined) this.#byDigits(code, level)
    if (within !== '') this.#keepWithin(full)
    if (full.count === 0) this.#byWords(folded, level, offset, limit)
    const total = full.count + others.count
    const end = Math.min(offset + limit, total)
    const records = new Array<number>(Math.max(0, end - offset))
    for (let i = offset; i < end; i++)
      records[i - offset] = i < full.count ? full.record(i) : others.record(i - full.count)
    return { records, total }
  }

  #byDigits(prefix: string, level: number): void {
    if (prefix.length > CODE_DIGITS_MAX) return
    const low = Number(prefix.padEnd(CODE_DIGITS_MAX, '0'))
    const high = Number(prefix.padEnd(CODE_DIGITS_MAX, '9'))
    const order = this.#codeOrder
    let from = 0
    let to = order.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#sortKey[order[middle] as number] as number) < low) from = middle + 1
      else to = middle
    }
    const found = this.#full
    for (let i = from; i < order.length; i++) {
      const record = order[i] as number
      if ((this.#sortKey[record] as number) > high) break
      const digits = this.#level[record] as number
      // 85 and 8500 share a sort key; only the longer one starts with 8500
      if (digits < prefix.length || (level !== 0 && digits !== level)) continue
      found.set(found.count++, record, 0)
    }
    this.#work.steps += found.count
  }

  #byWords(folded: string, level: number, offset: number, limit: number): void {
    const words = interpretWords(folded, this.#vocabulary, this.#terms)
    if (words.length === 0) return
    for (let i = 0; i < words.length; i++) this.#weigh(words[i] as QueryWord)
    const full = this.#full
    const others = this.#others
    this.#exact.find(words)
    this.#take(words, level, true)
    // where none of the many is of the level or below the code that was asked for, the others may be
    if (this.#candidates.isNarrowed && full.count === 0) this.#take(words, level, false)
    if (offset < full.count) this.#order(full, offset, limit, words)
    if (offset + limit > full.count)
      this.#order(
        others,
        Math.max(0, offset - full.count),
        Math.max(0, Math.min(limit, offset + limit - full.count)),
        words,
      )
  }

  #take(words: readonly QueryWord[], level: number, mayNarrow: boolean): void {
    const full = this.#full
    const others = this.#others
    this.#families.gather(words)
    if (words.length === 1) this.#candidates.takeOne(words[0] as QueryWord, full)
    else {
      this.#candidates.takeMost(words, full, others, mayNarrow)
      if (!this.#candidates.isNarrowed) this.#materials.add(words, full, others)
    }
    this.#families.clear()
    if (level !== 0) {
      this.#keepLevel(full, level)
      this.#keepLevel(others, level)
    }
    if (this.#digitsMin > 0) {
      this.#keepWithin(full)
      this.#keepWithin(others)
    }
  }

  #weigh(word: QueryWord): void {
    let size = 0
    for (let n = 0; n < word.places.length; n++) size += this.#terms.used(word.places[n] as number)
    word.size = size
    word.rarity = word.weight * Math.log(1 + this.#documents / (size + 1))
  }

  /** Puts the page where it belongs in the list; what stands before and behind it need not be in order. */
  #order(list: Matches, offset: number, limit: number, words: readonly QueryWord[]): void {
    const total = list.count
    if (offset >= total) return
    const end = Math.min(offset + limit, total)
    let judged = Math.min(JUDGED_MAX, total)
    let looked = judged
    if (judged < total) {
      looked += list.part(0, total, judged) + total
      judged = this.#bringIn(list, judged)
    }
    if (offset < judged) this.#judge.reorder(list, judged, words)
    const from = Math.max(offset, judged)
    if (from < end) {
      if (from > judged) looked += list.part(judged, total, from)
      if (end < total) looked += list.part(from, total, end)
      list.sort(from, end)
      looked += end - from
    }
    this.#work.steps += looked
  }

  /** Puts what has the query as a phrase behind the first so many, and tells how many these are then. */
  #bringIn(list: Matches, first: number): number {
    let left = this.#exact.mark()
    let end = first
    for (let i = 0; i < list.count && left > 0; i++) {
      if (!this.#exact.isMarked(this.#source[list.record(i)] as number)) continue
      left--
      if (i >= first) list.swap(end++, i)
    }
    this.#exact.unmark()
    return end
  }

  /** Keeps the records of a number of digits, and such lines that padding added under the others. */
  #keepLevel(list: Matches, level: number): void {
    let kept = 0
    for (let i = 0; i < list.count; i++) {
      const shown = this.#lineAt(list.record(i), level)
      if (shown >= 0) list.set(kept++, shown, list.score(i))
    }
    list.count = kept
  }

  /** Keeps the records at or below the code that was asked about. */
  #keepWithin(list: Matches): void {
    let kept = 0
    for (let i = 0; i < list.count; i++) {
      const record = list.record(i)
      const key = this.#sortKey[record] as number
      if (key < this.#lowest || key > this.#highest || (this.#level[record] as number) < this.#digitsMin)
        continue
      list.move(i, kept++)
    }
    list.count = kept
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
