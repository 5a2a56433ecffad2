/** The phrases that records are known by, each once, with the record that is its best home. */

import { foldedPhrase, type Language, normalised } from '../src/catalog/suggest.js'
import { PHRASE_BYTES_MAX } from '../src/catalog/suggest-runs.js'
import { LINKING_WORDS } from '../src/catalog/word-lists.js'
import { SUGGEST_CHARS_MAX } from '../src/limits.js'
import { words } from '../src/text/fold.js'
import { stem } from '../src/text/terms.js'
import type { Families } from './families.js'
import type { BuildRecord } from './hierarchy.js'
import { headOf } from './phrases.js'

/** How a phrase came to us. */
export type Kind = 'keyword' | 'opening' | 'cut word'

export interface Phrase {
  /** As shown. */
  text: string
  /** As typed: folded words, one space between two. */
  folded: string
  terms: string[]
  head: number
  home: number
  homeScore: number
  family: number
  kind: Kind
}

const OPENING_WORDS_MAX = 4
const OPENING_CHARS_MAX = 40
const CUT_WORD_HEADS_MIN = 8
/** A description's opening ends here. */
// regexp-ignore: a description has at most 1,000 characters
const OPENING_ENDS = /\s*[(,،;؛:]/u
const ARABIC = /[\u0600-\u06ff]/u
const LETTERS = /\p{L}{2}/u
// regexp-ignore: a phrase has at most 1,000 characters
const HYPHENATED = /\p{L}+-\p{L}/u

/** What a home of so many digits counts; lines count alike. */
const LEVEL_WORTH: Record<number, number> = { 2: 0.6, 4: 1, 6: 0.95 }
const LINE_WORTH = 0.8
const HEADING_DIGITS = 4
const SUBHEADING_DIGITS = 6
/** What a home counts without any evidence of its family. */
const HOMELESS = 0.15
/** A chapter speaks of much: it is the home only where nothing below it is. */
const CHAPTER_SHARE = 0.5
const BESIDE = 0.5
/** What a home counts by how it speaks of the phrase. */
const KIND_WORTH: Record<Kind, number> = { keyword: 1, opening: 0.85, 'cut word': 0.5 }
/** Cover and share in the families of the index. */
const STEPS = 255

/** As the families of the index number headings and chapters. */
const familyNumber = (code: string) => Number(code.slice(0, HEADING_DIGITS).padEnd(HEADING_DIGITS, '0'))

export const isLine = ({ code }: BuildRecord) => code.length > SUBHEADING_DIGITS

/** What a description says first, where that is short; '' otherwise. */
function openingOf(description: string): string {
  const opening = (description.split(OPENING_ENDS, 1)[0] as string).trim()
  const isShort = opening.length <= OPENING_CHARS_MAX && opening.split(/\s+/).length <= OPENING_WORDS_MAX
  if (!isShort || !LETTERS.test(opening)) return ''
  // written as keywords are: "Tea" is the start of a sentence, "PVC" and "LED lamps" are not
  return /^\p{Lu}\p{Ll}/u.test(opening) ? (opening[0] as string).toLowerCase() + opening.slice(1) : opening
}

/** How far headings and chapters are the homes of terms, from 0 to 1, by the families of the index. */
export class FamilyFinder {
  readonly #place: Map<string, number>
  readonly #families: Families

  constructor(vocabulary: string, families: Families) {
    this.#place = new Map(vocabulary.split('\n').map((term, place) => [term, place]))
    this.#families = families
  }

  /** The homes of a term, as their first four digits. */
  homes(term: string): number[] {
    const place = this.#place.get(term)
    if (place === undefined) return []
    const { familyAt, families } = this.#families
    return Array.from(families.subarray(familyAt[place], familyAt[place + 1]), packed => packed >>> 16)
  }

  worth(term: string, number: number): number {
    const place = this.#place.get(term)
    if (place === undefined) return 0
    const { familyAt, families } = this.#families
    for (let i = familyAt[place] as number; i < (familyAt[place + 1] as number); i++) {
      const packed = families[i] as number
      if (packed >>> 16 === number) return Math.sqrt(((packed >>> 8) & STEPS) * (packed & STEPS)) / STEPS
    }
    return 0
  }
}

/** The phrases of one language, each folded text once. */
class Gathered {
  readonly phrases = new Map<string, Phrase>()
  readonly #records: readonly BuildRecord[]
  readonly #headings: ReadonlyMap<number, number>
  readonly #families: FamilyFinder
  readonly #isArabic: boolean
  /** How many keywords each term names the good in. */
  readonly #heads = new Map<string, number>()

  constructor(
    language: Language,
    records: readonly BuildRecord[],
    headings: ReadonlyMap<number, number>,
    families: FamilyFinder,
  ) {
    this.#isArabic = language === 'ar'
    this.#records = records
    this.#headings = headings
    this.#families = families
  }

  keyword(text: string, home: number): void {
    const list = words(text)
    if (list.length === 0) return
    const head = stem(list[headOf(text, list)] as string)
    this.#heads.set(head, (this.#heads.get(head) ?? 0) + 1)
    this.#take(text, list, home, 'keyword')
  }

  /**
   * After all keywords: an opening that more follows may be an adjective ("Hot-rolled, in coils"), unless it names a good in
   * one of them; one word is so often one that it must name many, and not in a line.
   */
  opening(description: string, home: number): void {
    const text = openingOf(description)
    const list = words(text)
    if (list.every(word => LINKING_WORDS.has(word))) return
    const isCut = text.length < description.length
    const isCutWord = isCut && list.length === 1
    if (isCutWord && isLine(this.#records[home] as BuildRecord)) return
    const named = this.#heads.get(stem(list[headOf(text, list)] as string)) ?? 0
    if (isCut && named < (isCutWord ? CUT_WORD_HEADS_MIN : 1)) return
    this.#take(text, list, home, isCutWord ? 'cut word' : 'opening')
  }

  #take(text: string, list: readonly string[], home: number, kind: Kind): void {
    if (this.#isArabic !== ARABIC.test(text) || [...text].length > SUGGEST_CHARS_MAX) return
    this.#file(text, foldedPhrase(list), home, kind)
    // people type "tshirt" and "ebike"
    if (HYPHENATED.test(text)) this.#file(text, normalised(text.replaceAll('-', '')), home, kind)
  }

  #file(text: string, folded: string, told: number, kind: Kind): void {
    let known = this.phrases.get(folded)
    if (known === undefined) {
      if (Buffer.byteLength(folded) > PHRASE_BYTES_MAX) return
      const list = folded.split(' ')
      const head = Math.min(headOf(text, list), list.length - 1)
      known = { text, folded, terms: list.map(stem), head, home: -1, homeScore: -1, family: 0, kind }
      this.phrases.set(folded, known)
    }
    const home = this.#homeNear(told, known)
    const record = this.#records[home] as BuildRecord
    const isChapter = record.code.length < HEADING_DIGITS
    const family = this.#worth(known, familyNumber(record.code)) * (isChapter ? CHAPTER_SHARE : 1)
    // by the level that says it: a heading's own word comes before one that its chapter says
    const level = (this.#records[told] as BuildRecord).code.length
    const homeScore = (HOMELESS + family) * (LEVEL_WORTH[level] ?? LINE_WORTH) * KIND_WORTH[kind]
    if (homeScore > known.homeScore) Object.assign(known, { home, homeScore, family })
  }

  /** What a chapter says of tyres belongs to the heading of tyres: the one that speaks of them more than the chapter does. */
  #homeNear(told: number, phrase: Phrase): number {
    const { code } = this.#records[told] as BuildRecord
    if (code.length >= HEADING_DIGITS) return told
    const chapter = familyNumber(code)
    let home = told
    let most = this.#worth(phrase, chapter)
    for (const term of phrase.terms) {
      for (const number of this.#families.homes(term)) {
        const heading = this.#headings.get(number)
        if (heading === undefined || number < chapter || number >= chapter + 100) continue
        const worth = this.#worth(phrase, number)
        if (worth <= most) continue
        home = heading
        most = worth
      }
    }
    return home
  }

  /** How far a family speaks of a phrase: of the word that names the good, and by half of those beside it. */
  #worth({ terms, head }: Phrase, number: number): number {
    let worth = 0
    let whole = 0
    terms.forEach((term, i) => {
      if (LINKING_WORDS.has(term)) return
      const part = i === head ? 1 : BESIDE
      worth += this.#families.worth(term, number) * part
      whole += part
    })
    return whole === 0 ? 0 : worth / whole
  }
}

/** The phrases of one language: what keywords say, then how descriptions open. */
export function gatherPhrases(
  language: Language,
  records: readonly BuildRecord[],
  finder: FamilyFinder,
): Phrase[] {
  const isOwn = (record: BuildRecord, i: number) => record.active && record.source === i
  const headings = new Map<number, number>()
  records.forEach((record, i) => {
    if (isOwn(record, i) && record.code.length === HEADING_DIGITS) headings.set(Number(record.code), i)
  })
  const gathered = new Gathered(language, records, headings, finder)
  records.forEach((record, i) => {
    if (!isOwn(record, i)) return
    for (const keyword of language === 'ar' ? record.keywordsAr : record.keywordsEn)
      gathered.keyword(keyword, i)
  })
  records.forEach((record, i) => {
    if (isOwn(record, i)) gathered.opening(record[language], i)
  })
  return [...gathered.phrases.values()]
}
