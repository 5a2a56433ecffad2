/**
 * Finds records by words or by digits. FlexSearch made the postings when the dataset was compiled; here they are read
 * from the snapshot's columns, and what they are worth is decided.
 */
import type { Snapshot } from '../snapshot/load.js'
import { fold } from '../text/fold.js'
import { interpretWords, type QueryWord } from './query.js'
import { SLOT_WEIGHT, SLOTS } from './ranking.js'
import { PhraseJudge } from './rerank.js'
import { selectTop } from './select.js'
import { Vocabulary } from './vocabulary.js'

/** The best so many are looked at once more, word order and all. Fixed, so that pages agree on the order. */
const JUDGED_MAX = 40
/** Above this many postings per candidate it is cheaper to look into the candidates than through the list. */
const LIST_PER_CANDIDATE_MAX = 3
/** Without all the words: the rarest ones that make up this share of the query must lead to a record. */
const LEADING_SHARE = 0.75
/** … and a record must have this share of what the best one has. */
const KEPT_SHARE = 0.4

/** Slots of a record's own words; the rest is context. */
const OWN_SLOTS = SLOTS - 1
const OWN_WEIGHT_MIN = SLOT_WEIGHT[OWN_SLOTS - 1] as number

interface Word extends QueryWord {
  /** How telling the word is. */
  rarity: number
  /** Postings of all its terms. */
  size: number
}

export interface Found {
  /** Record numbers, best first. */
  records: Uint32Array
  /** Of all matches, not only these. */
  total: number
}

const DIGITS = /^[0-9]+$/
/** A code as people print it: 8523.21, 8523 21 00 */
const DOTTED_CODE = /^[0-9]{2,4}(?:[. ][0-9]{2,4})+$/

export class Search {
  readonly #vocabulary: Vocabulary
  readonly #judge: PhraseJudge
  readonly #level: Uint8Array
  readonly #source: Uint32Array
  readonly #firstChild: Uint32Array
  readonly #childCount: Uint32Array
  readonly #codeOrder: Uint32Array
  readonly #sortKey: Float64Array
  readonly #postingsAt: Uint32Array
  readonly #postings: Uint32Array
  readonly #termsAt: Uint32Array
  readonly #termSlots: Uint32Array
  readonly #documents: number
  readonly #score: Float32Array
  /** How many words of the query, taken in turn, a record has. */
  readonly #matched: Uint8Array
  /** Share of the query that a record has, by rarity; only where not all words are found together. */
  readonly #mass: Float32Array
  readonly #touched: Uint32Array
  #touchedCount = 0
  /** The matches of the query at hand, best first as far as asked for. */
  readonly #found: Uint32Array
  #total = 0

  constructor({ columns, vocabulary, meta }: Snapshot) {
    this.#level = columns.level
    this.#source = columns.source
    this.#firstChild = columns.firstChild
    this.#childCount = columns.childCount
    this.#codeOrder = columns.codeOrder
    this.#sortKey = columns.sortKey
    this.#postingsAt = columns.postingsAt
    this.#postings = columns.postings
    this.#termsAt = columns.termsAt
    this.#termSlots = columns.termSlots
    this.#vocabulary = new Vocabulary(vocabulary)
    this.#judge = new PhraseJudge(columns, this.#vocabulary.size)
    this.#documents = meta.records
    this.#score = new Float32Array(meta.records)
    this.#matched = new Uint8Array(meta.records)
    this.#mass = new Float32Array(meta.records)
    this.#touched = new Uint32Array(meta.records)
    this.#found = new Uint32Array(meta.records)
  }

  /**
   * The matches from `offset` on, at most `limit` of them, and the exact number of all. `level` 0 asks for all code
   * lengths. The order depends on the query alone, so pages tile.
   */
  find(query: string, level: number, offset: number, limit: number): Found {
    this.#total = 0
    const want = offset + limit
    const folded = fold(query.trim())
    if (DIGITS.test(folded)) this.#byDigits(folded, level)
    else if (DOTTED_CODE.test(folded)) this.#byDigits(folded.replace(/[. ]/g, ''), level)
    else this.#byWords(folded, level, want)
    const end = Math.min(want, this.#total)
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
      if (digits < prefix.length || (level !== 0 && digits !== level)) continue
      this.#found[this.#total++] = record
    }
  }

  #byWords(folded: string, level: number, want: number): void {
    const list = interpretWords(folded, this.#vocabulary).map(word => this.#withPostings(word))
    if (list.length === 0) return
    // the rarest first: it leaves the fewest candidates for the others
    const byRarity = [...list].sort((a, b) => a.size - b.size)
    this.#clear()
    this.#requireAll(byRarity)
    if (!this.#collectAll(byRarity.length, level) && byRarity.length > 1) {
      this.#clear()
      this.#requireMost(byRarity)
      this.#collectMost(level)
    }
    if (this.#total === 0) return
    const judged = Math.min(JUDGED_MAX, this.#total)
    selectTop(this.#found, this.#total, Math.min(Math.max(want, judged), this.#total), this.#score)
    this.#judge.reorder(this.#found, judged, this.#score, this.#source, this.#level, list)
  }

  #withPostings({ places, weight }: QueryWord): Word {
    let size = 0
    for (const place of places)
      size += (this.#postingsAt[(place + 1) * SLOTS] as number) - (this.#postingsAt[place * SLOTS] as number)
    const rarity = weight * Math.log(1 + this.#documents / (size + 1))
    return { places, weight, size, rarity }
  }

  #clear(): void {
    for (let i = 0; i < this.#touchedCount; i++) {
      const record = this.#touched[i] as number
      this.#score[record] = 0
      this.#matched[record] = 0
      this.#mass[record] = 0
    }
    this.#touchedCount = 0
  }

  /** Leaves `matched` equal to the number of words at the records that have them all. */
  #requireAll(list: Word[]): void {
    list.forEach((word, i) => {
      if (i === 0) this.#open(word, 1)
      else if (word.size > this.#touchedCount * LIST_PER_CANDIDATE_MAX) this.#narrowByLooking(word, i)
      else this.#narrowByList(word, i)
    })
  }

  /** Every record with a word becomes a candidate; of several terms for the word the best counts. */
  #open(word: Word, matched: number): void {
    const score = this.#score
    const postingsAt = this.#postingsAt
    const postings = this.#postings
    for (const place of word.places) {
      for (let slot = 0; slot < OWN_SLOTS; slot++) {
        const end = postingsAt[place * SLOTS + slot + 1] as number
        const gain = word.rarity * (SLOT_WEIGHT[slot] as number)
        for (let i = postingsAt[place * SLOTS + slot] as number; i < end; i++) {
          const record = postings[i] as number
          if (this.#matched[record] === 0) {
            this.#matched[record] = matched
            this.#touched[this.#touchedCount++] = record
          }
          if (gain > (score[record] as number)) score[record] = gain
        }
      }
    }
  }

  #narrowByList(word: Word, before: number): void {
    const postingsAt = this.#postingsAt
    const postings = this.#postings
    for (const place of word.places) {
      for (let slot = 0; slot < OWN_SLOTS; slot++) {
        const end = postingsAt[place * SLOTS + slot + 1] as number
        const gain = word.rarity * (SLOT_WEIGHT[slot] as number)
        for (let i = postingsAt[place * SLOTS + slot] as number; i < end; i++) {
          const record = postings[i] as number
          if (this.#matched[record] !== before) continue
          this.#matched[record] = before + 1
          this.#score[record] = (this.#score[record] as number) + gain
        }
      }
    }
  }

  #narrowByLooking(word: Word, before: number): void {
    for (let i = 0; i < this.#touchedCount; i++) {
      const record = this.#touched[i] as number
      if (this.#matched[record] !== before) continue
      const weight = this.#weightIn(record, word)
      if (weight < OWN_WEIGHT_MIN) continue
      this.#matched[record] = before + 1
      this.#score[record] = (this.#score[record] as number) + word.rarity * weight
    }
  }

  /** What a word is worth in a record: 0 where it has none of its terms. */
  #weightIn(record: number, word: Word): number {
    const from = this.#termsAt[record] as number
    const to = this.#termsAt[record + 1] as number
    let best = 0
    for (const place of word.places) {
      let low = from
      let high = to
      const first = place * SLOTS
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((this.#termSlots[middle] as number) < first) low = middle + 1
        else high = middle
      }
      const packed = low < to ? (this.#termSlots[low] as number) : -1
      if (packed >= first && packed < first + SLOTS) {
        const weight = SLOT_WEIGHT[packed - first] as number
        if (weight > best) best = weight
      }
    }
    return best
  }

  #collectAll(words: number, level: number): boolean {
    let any = false
    for (let i = 0; i < this.#touchedCount; i++) {
      const record = this.#touched[i] as number
      if (this.#matched[record] !== words) continue
      any = true
      this.#keep(record, level)
    }
    return any
  }

  /** No record has all the words: candidates come from the most telling ones, the others add to them. */
  #requireMost(list: Word[]): void {
    const byWorth = [...list].sort((a, b) => b.rarity - a.rarity || a.size - b.size)
    const whole = byWorth.reduce((sum, word) => sum + word.rarity, 0)
    let led = 0
    byWorth.forEach((word, i) => {
      if (led < whole * LEADING_SHARE) this.#addList(word, i + 1)
      else this.#addByLooking(word)
      led += word.rarity
    })
    for (let i = 0; i < this.#touchedCount; i++) {
      const record = this.#touched[i] as number
      const share = (this.#mass[record] as number) / whole
      this.#mass[record] = share
      this.#score[record] = (this.#score[record] as number) * share
    }
  }

  /** A leading word brings in every record that has it; `turn` tells its second term for a record from its first. */
  #addList(word: Word, turn: number): void {
    const postingsAt = this.#postingsAt
    const postings = this.#postings
    for (const place of word.places) {
      for (let slot = 0; slot < SLOTS; slot++) {
        const end = postingsAt[place * SLOTS + slot + 1] as number
        const weight = SLOT_WEIGHT[slot] as number
        for (let i = postingsAt[place * SLOTS + slot] as number; i < end; i++) {
          const record = postings[i] as number
          if (this.#matched[record] === turn) continue
          if (this.#matched[record] === 0) this.#touched[this.#touchedCount++] = record
          this.#matched[record] = turn
          this.#add(record, word.rarity, weight)
        }
      }
    }
  }

  #addByLooking(word: Word): void {
    for (let i = 0; i < this.#touchedCount; i++) {
      const record = this.#touched[i] as number
      const weight = this.#weightIn(record, word)
      if (weight > 0) this.#add(record, word.rarity, weight)
    }
  }

  #add(record: number, rarity: number, weight: number): void {
    this.#score[record] = (this.#score[record] as number) + rarity * weight
    // a word that only the context has says little about the record itself
    this.#mass[record] = (this.#mass[record] as number) + rarity * Math.min(1, 0.5 + weight)
  }

  #collectMost(level: number): void {
    let best = 0
    for (let i = 0; i < this.#touchedCount; i++) {
      const mass = this.#mass[this.#touched[i] as number] as number
      if (mass > best) best = mass
    }
    for (let i = 0; i < this.#touchedCount; i++) {
      const record = this.#touched[i] as number
      if ((this.#mass[record] as number) >= best * KEPT_SHARE) this.#keep(record, level)
    }
  }

  #keep(record: number, level: number): void {
    const shown = level === 0 ? record : this.#lineAt(record, level)
    if (shown < 0) return
    if (shown !== record) this.#score[shown] = this.#score[record] as number
    this.#found[this.#total++] = shown
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
