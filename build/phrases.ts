/** What a record is called, phrase by phrase: its descriptions, what they say before brackets, its keywords, and those in other words. */
import { slotOfPhrase } from '../src/catalog/ranking.js'
import { fold } from '../src/text/fold.js'
import { Growing } from './growing.js'
import type { BuildRecord } from './hierarchy.js'
import type { Lexicon } from './lexicon.js'
import { type NewPhrase, type Phrases, PhraseTable } from './phrase-table.js'
import type { Synonym, SynonymFinder } from './synonym-finder.js'
import { type Reading, type Readings, TextReader } from './text-reader.js'

export interface ReadRecords {
  /** None for a record that padding added. */
  phrases: Phrases
  /** The English keywords of each record, then its Arabic ones, word by word as they are written. */
  keywords: Readings
}

/** A keyword that is narrowed counts as one of so many words. */
const NARROWED_WORDS = 4

const ONE_LETTER_COMPOUND = /\b([A-Za-z])-(\p{L}{3,})/gu
const HYPHEN = /[-\ufe63\uff0d]/
const HYPHENATED = /\p{L}+(?:-\p{L}+)+/gu
const COMMA = /[,،]/

/** Reads every text of the dataset, once. */
export function readRecords(
  records: readonly BuildRecord[],
  lexicon: Lexicon,
  synonyms: SynonymFinder,
): ReadRecords {
  const reader = new RecordReader(lexicon, synonyms)
  records.forEach((record, i) => {
    reader.read(record, record.source === i)
  })
  return reader.finish()
}

class RecordReader {
  readonly #lexicon: Lexicon
  readonly #texts: TextReader
  readonly #synonyms: SynonymFinder
  readonly #table = new PhraseTable()
  readonly #keywordsAt = new Growing()
  readonly #wordsAt = new Growing()
  readonly #words = new Growing()
  readonly #wordsToHead = new Growing()

  constructor(lexicon: Lexicon, synonyms: SynonymFinder) {
    this.#lexicon = lexicon
    this.#texts = new TextReader(lexicon)
    this.#synonyms = synonyms
  }

  read(record: BuildRecord, isOwn: boolean): void {
    this.#table.beginRecord()
    this.#keywordsAt.push(this.#wordsToHead.length)
    if (!isOwn) return
    const own: NewPhrase[] = []
    const add = (phrase: NewPhrase) => {
      if (phrase.terms.length > 0) own.push(phrase)
    }
    const { en, ar, keywordsEn, keywordsAr } = record
    for (const text of [en, ar, beforeBracket(en), beforeBracket(ar)])
      if (text !== '') add(this.#phrase(text, false, this.#texts.read(text)))
    for (const keywords of [keywordsEn, keywordsAr])
      for (const keyword of keywords) add(this.#keyword(keyword))
    for (const keywords of [keywordsEn, keywordsAr])
      for (const keyword of keywords) {
        const at = keyword.search(COMMA)
        if (at > 0) add(this.#beforeComma(keyword.slice(0, at)))
      }
    for (const phrase of own) this.#table.add(phrase)
    for (const phrase of this.#inOtherWords(own)) this.#table.add(phrase)
  }

  #keyword(text: string): NewPhrase {
    const reading = this.#texts.read(text)
    this.#wordsAt.push(this.#words.length)
    for (const word of reading.words) this.#words.push(word)
    this.#wordsToHead.push(reading.wordsToHead)
    return this.#phrase(text, true, reading)
  }

  #phrase(text: string, isKeyword: boolean, reading: Reading): NewPhrase {
    const hasHyphen = HYPHEN.test(text)
    // a t-shirt is no shirt: it is known as one word
    const words = hasHyphen
      ? this.#lexicon.words(fold(text.replace(ONE_LETTER_COMPOUND, '$1$2')))
      : reading.words
    const terms: number[] = []
    const asides: number[] = []
    for (const word of words) {
      terms.push(this.#lexicon.termOf(word))
      this.#addParticleTerm(word, asides)
    }
    if (hasHyphen) this.#addJoined(text, asides)
    return {
      terms,
      asides,
      slot: slotOfPhrase(terms.length, isKeyword),
      head: this.#texts.headOf(words, reading.wordsToHead),
    }
  }

  #addParticleTerm(word: number, asides: number[]): void {
    const under = this.#lexicon.particleTerm(word)
    if (under !== undefined) asides.push(2 * under.term + (under.isAnd ? 0 : 1))
  }

  /** Words with a hyphen, joined: people type "tshirt" and "cdrom". */
  #addJoined(text: string, asides: number[]): void {
    for (const [word] of fold(text).matchAll(HYPHENATED))
      asides.push(2 * this.#lexicon.termOf(this.#lexicon.word(word.replaceAll('-', ''))))
  }

  /** What a keyword says before it narrows it, "sofas" of "sofas, upholstered"; but the record is not known by that alone. */
  #beforeComma(text: string): NewPhrase {
    return { ...this.#phrase(text, true, this.#texts.read(text)), slot: slotOfPhrase(NARROWED_WORDS, true) }
  }

  /** What phrases that are nothing but a synonym say in other words: whoever has "mobile phones" has "cellphones" as well. */
  #inOtherWords(own: readonly NewPhrase[]): NewPhrase[] {
    const added: NewPhrase[] = []
    const isKnown = ({ terms }: Synonym) =>
      own.some(phrase => areSame(phrase.terms, terms)) || added.some(phrase => areSame(phrase.terms, terms))
    for (const phrase of own)
      for (const other of this.#synonyms.othersForWhole(phrase.terms))
        if (!isKnown(other)) added.push(this.#otherWords(other))
    return added
  }

  #otherWords({ terms, words, head }: Synonym): NewPhrase {
    const asides: number[] = []
    for (const word of words) this.#addParticleTerm(word, asides)
    return { terms, asides, slot: slotOfPhrase(terms.length, true), head }
  }

  finish(): ReadRecords {
    this.#keywordsAt.push(this.#wordsToHead.length)
    this.#wordsAt.push(this.#words.length)
    return {
      phrases: this.#table.finish(),
      keywords: {
        recordAt: this.#keywordsAt.column(),
        wordsAt: this.#wordsAt.column(),
        words: this.#words.column(),
        wordsToHead: this.#wordsToHead.column(),
      },
    }
  }
}

function areSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number, i) => number === b[i])
}

/** Brackets that end what is said, and not one word of it. */
const ENDING_BRACKETS = / \([^()]*\)(?=$|[,،;])/

/** What a description says before its examples in brackets is a phrase of its own. */
function beforeBracket(text: string): string {
  const at = text.search(ENDING_BRACKETS)
  return at > 0 && text.indexOf(' (') === at ? text.slice(0, at) : ''
}
