/** Finds records by words or by digits. FlexSearch holds the postings; what they are worth is decided here. */
import { Index } from 'flexsearch'
import type { Snapshot } from '../snapshot/load.js'
import { fold, words } from '../text/fold.js'
import { stem, stemUnderParticle } from '../text/terms.js'
import { SLOT_WEIGHT, SLOTS } from './ranking.js'
import { selectTop } from './select.js'

/** A query longer than this in words is judged by its first ones: it bounds the work of a hostile query. */
const QUERY_TERMS_MAX = 24
/** How many words of the index one unfinished word may stand for. */
const PREFIX_TERMS_MAX = 64
const PREFIX_WEIGHT = 0.5

type Postings = readonly (readonly number[] | undefined)[]

const DIGITS = /^[0-9]+$/
/** A code as people print it: 8523.21, 8523 21 00 */
const DOTTED_CODE = /^[0-9]{2,4}(?:[. ][0-9]{2,4})+$/

export class Search {
  readonly #index: Index
  readonly #vocabulary: string[]
  readonly #level: Uint8Array
  readonly #source: Uint32Array
  readonly #firstChild: Uint32Array
  readonly #childCount: Uint32Array
  readonly #codeOrder: Uint32Array
  readonly #sortKey: Float64Array
  readonly #documents: number
  readonly #score: Float32Array
  readonly #hits: Uint8Array
  /** The last query word that was counted for a record. */
  readonly #counted: Uint8Array
  readonly #touched: Uint32Array
  #touchedCount = 0
  /** The records found by the last `run`, best first as far as asked for; `total` counts them all. */
  readonly found: Uint32Array
  total = 0

  constructor({ columns, flex, vocabulary, meta }: Snapshot) {
    this.#level = columns.level as Uint8Array
    this.#source = columns.source as Uint32Array
    this.#firstChild = columns.firstChild as Uint32Array
    this.#childCount = columns.childCount as Uint32Array
    this.#codeOrder = columns.codeOrder as Uint32Array
    this.#sortKey = columns.sortKey as Float64Array
    this.#vocabulary = vocabulary.split('\n')
    this.#index = new Index({ tokenize: 'strict', resolution: SLOTS, encode: (term: string) => [term] })
    for (const [key, data] of flex) this.#index.import(key, data)
    this.#documents = meta.records
    this.#score = new Float32Array(meta.records)
    this.#hits = new Uint8Array(meta.records)
    this.#counted = new Uint8Array(meta.records)
    this.#touched = new Uint32Array(meta.records)
    this.found = new Uint32Array(meta.records)
  }

  /**
   * Puts the best `want` records into `found` and the exact number of matches into `total`.
   * `level` 0 asks for all lengths. The order depends on the query alone, so pages tile.
   */
  run(query: string, level: number, want: number): void {
    const folded = fold(query.trim())
    if (DIGITS.test(folded)) this.#byDigits(folded, level)
    else if (DOTTED_CODE.test(folded)) this.#byDigits(folded.replace(/[. ]/g, ''), level)
    else this.#byWords(query, level, want)
  }

  #byDigits(prefix: string, level: number): void {
    this.total = 0
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
      if (digits < prefix.length || (level !== 0 && digits !== level)) continue
      this.found[this.total++] = record
    }
  }

  #postings(term: string): Postings {
    const { result } = this.#index.search(term, { resolve: false }) as unknown as { result: Postings }
    return result
  }

  #byWords(query: string, level: number, want: number): void {
    for (let i = 0; i < this.#touchedCount; i++) {
      const record = this.#touched[i] as number
      this.#score[record] = 0
      this.#hits[record] = 0
      this.#counted[record] = 0
    }
    this.#touchedCount = 0
    this.total = 0
    const list = words(query).slice(0, QUERY_TERMS_MAX)
    const seen = new Set<string>()
    let asked = 0
    for (const word of list) {
      const term = stem(word)
      if (seen.has(term)) continue
      seen.add(term)
      asked++
      let postings = this.#postings(term)
      if (postings.length === 0) {
        const under = stemUnderParticle(word)
        if (under !== '') postings = this.#postings(under)
      }
      if (postings.length > 0) this.#add(postings, asked, 1)
      else this.#addPrefixed(term, asked)
    }
    this.#collect(level)
    selectTop(this.found, this.total, Math.min(want, this.total), this.#score)
  }

  /** Words of the index that begin with an unfinished one. */
  #addPrefixed(prefix: string, asked: number): void {
    const vocabulary = this.#vocabulary
    let from = 0
    let to = vocabulary.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((vocabulary[middle] as string) < prefix) from = middle + 1
      else to = middle
    }
    const end = Math.min(from + PREFIX_TERMS_MAX, vocabulary.length)
    for (let i = from; i < end && (vocabulary[i] as string).startsWith(prefix); i++) {
      this.#add(this.#postings(vocabulary[i] as string), asked, PREFIX_WEIGHT)
    }
  }

  /** Adds one query word's score to every record that has it; `hits` counts the distinct words of a record. */
  #add(postings: Postings, asked: number, weight: number): void {
    let frequency = 0
    for (const list of postings) frequency += list?.length ?? 0
    const rarity = weight * Math.log(1 + this.#documents / (frequency + 1))
    const score = this.#score
    const hits = this.#hits
    for (let slot = 0; slot < postings.length; slot++) {
      const list = postings[slot]
      if (!list) continue
      const gain = rarity * (SLOT_WEIGHT[slot] as number)
      for (let i = 0; i < list.length; i++) {
        const record = list[i] as number
        if (hits[record] === 0) this.#touched[this.#touchedCount++] = record
        // a record is credited once per query word, however many expansions of it match
        if (this.#counted[record] !== asked) {
          this.#counted[record] = asked
          hits[record] = (hits[record] as number) + 1
        }
        score[record] = (score[record] as number) + gain
      }
    }
  }

  /** Records with all the words, or else those with the most of them. */
  #collect(level: number): void {
    let best = 0
    for (let i = 0; i < this.#touchedCount; i++) {
      const hits = this.#hits[this.#touched[i] as number] as number
      if (hits > best) best = hits
    }
    for (let i = 0; i < this.#touchedCount; i++) {
      const record = this.#touched[i] as number
      if (this.#hits[record] !== best) continue
      const shown = level === 0 ? record : this.#lineAt(record, level)
      if (shown < 0) continue
      if (shown !== record) this.#score[shown] = this.#score[record] as number
      this.found[this.total++] = shown
    }
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
