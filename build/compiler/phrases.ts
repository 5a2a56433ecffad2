/** The phrases that name a record: its descriptions, their part before brackets, its keywords, and synonyms of these. */
import { slotOfPhrase } from '../../src/catalog/search/slots.js'
import { withoutExclusions } from '../../src/text/exclusions.js'
import { fold } from '../../src/text/fold.js'
import { GrowingArray } from './growing-array.js'
import type { BuildRecord } from './hierarchy.js'
import type { Lexicon } from './lexicon.js'
import { NO_KEYWORD, type Phrases, PhraseTable } from './phrase-table.js'
import type { Synonym, SynonymFinder } from './synonym-finder.js'
import type { Readings, TextReader } from './text-reader.js'

export interface ReadRecords {
  /** Padded records have no phrases. */
  phrases: Phrases
  /** The English keywords of each record, then its Arabic ones, as word numbers in their written order. */
  keywords: Readings
}

/** The part of a keyword before a comma ranks like a phrase of this many words. */
const BEFORE_COMMA_WORDS = 4

const ONE_LETTER_COMPOUND = /\b([A-Za-z])-(\p{L}{3,})/gu
const HYPHEN = /[-\ufe63\uff0d]/
// regexp-ignore: dataset text, a description or a phrase has at most 1,000 characters
const HYPHENATED = /\p{L}+(?:-\p{L}+)+/gu
const COMMA = /[,،]/

/** Reads every text of the dataset once. */
export function readRecords(
  records: readonly BuildRecord[],
  lexicon: Lexicon,
  texts: TextReader,
  synonyms: SynonymFinder,
): ReadRecords {
  const reader = new RecordReader(lexicon, texts, synonyms)
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
  readonly #keywordsAt = new GrowingArray()
  readonly #wordsAt = new GrowingArray()
  readonly #words = new GrowingArray()
  readonly #wordsToHead = new GrowingArray()

  constructor(lexicon: Lexicon, texts: TextReader, synonyms: SynonymFinder) {
    this.#lexicon = lexicon
    this.#texts = texts
    this.#synonyms = synonyms
  }

  read({ en, ar, keywordsEn, keywordsAr }: BuildRecord, isOwn: boolean): void {
    this.#table.beginRecord()
    this.#keywordsAt.push(this.#wordsToHead.length)
    if (!isOwn) return
    const first = this.#table.count
    for (const text of [en, ar, beforeBracket(en), beforeBracket(ar)]) {
      this.#texts.read(text)
      this.#addPhrase(text, NO_KEYWORD)
    }
    const keywords = [...keywordsEn, ...keywordsAr]
    const firstKeyword = this.#wordsToHead.length
    for (const keyword of keywords) this.#addKeyword(keyword)
    keywords.forEach((keyword, n) => {
      this.#addBeforeComma(keyword, firstKeyword + n)
    })
    this.#addSynonymPhrases(first)
  }

  #addKeyword(text: string): void {
    const texts = this.#texts
    texts.read(text)
    this.#wordsAt.push(this.#words.length)
    for (let i = 0; i < texts.count; i++) this.#words.push(texts.words[i])
    this.#wordsToHead.push(texts.wordsToHead)
    this.#addPhrase(text, this.#wordsToHead.length - 1)
  }

  /** Adds the last text read, without its exclusions. `keyword` is its number, or `NO_KEYWORD` for a description. */
  #addPhrase(written: string, keyword: number, slotWords?: number): void {
    const texts = this.#texts
    const text = withoutExclusions(written)
    if (text !== written) texts.read(text)
    const { wordsToHead } = texts
    const hasHyphen = HYPHEN.test(text)
    // read "t-shirt" as one word, because T-shirts are not shirts in the tariff
    if (hasHyphen) texts.read(text.replace(ONE_LETTER_COMPOUND, '$1$2'))
    for (let i = 0; i < texts.count; i++) {
      const word = texts.words[i]
      this.#table.addTerm(this.#lexicon.termOf(word))
      this.#addParticleTerm(word)
    }
    const slot = slotOfPhrase(slotWords ?? texts.count, keyword !== NO_KEYWORD)
    const head = texts.headOf(texts.words, 0, texts.count, wordsToHead)
    if (hasHyphen) this.#addJoined(text)
    this.#table.endPhrase(slot, head, keyword)
  }

  #addParticleTerm(word: number): void {
    const rest = this.#lexicon.particleTerm(word)
    if (rest !== undefined) this.#table.addExtraTerm(rest.term, !rest.isAnd)
  }

  /** Adds each hyphenated word as one word without hyphens: people type "tshirt" and "cdrom". */
  #addJoined(text: string): void {
    for (const [word] of fold(text).matchAll(HYPHENATED))
      this.#table.addExtraTerm(this.#lexicon.termOf(this.#lexicon.word(word.replaceAll('-', ''))), false)
  }

  /** Adds the part before the comma, "sofas" of "sofas, upholstered". It ranks lower, because it is not the whole name. */
  #addBeforeComma(keyword: string, number: number): void {
    const at = keyword.search(COMMA)
    if (at <= 0) return
    const text = keyword.slice(0, at)
    this.#texts.read(text)
    this.#addPhrase(text, number, BEFORE_COMMA_WORDS)
  }

  /**
   * Adds synonyms of whole phrases: a record with "mobile phones" also gets "cellphones". `first`: the record's first phrase.
   */
  #addSynonymPhrases(first: number): void {
    const table = this.#table
    const own = table.count
    for (let phrase = first; phrase < own; phrase++) {
      const others = this.#synonyms.othersForWhole(table.terms, table.termsStart(phrase), table.termsEnd(phrase))
      for (const other of others) if (!this.#hasPhrase(other, first)) this.#addSynonym(other, table.keywordOf(phrase))
    }
  }

  #hasPhrase({ terms }: Synonym, first: number): boolean {
    const table = this.#table
    for (let phrase = first; phrase < table.count; phrase++) {
      const start = table.termsStart(phrase)
      const isSame = table.termsEnd(phrase) - start === terms.length
      if (isSame && terms.every((term, i) => table.terms[start + i] === term)) return true
    }
    return false
  }

  #addSynonym({ terms, words, head }: Synonym, keyword: number): void {
    for (const term of terms) this.#table.addTerm(term)
    for (const word of words) this.#addParticleTerm(word)
    this.#table.endPhrase(slotOfPhrase(terms.length, true), head, keyword)
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

/** Brackets at the end of a text or before a comma or semicolon, not in the middle of a phrase. */
// regexp-ignore: dataset text, a description has at most 1,000 characters
const ENDING_BRACKETS = / \([^()]*\)(?=$|[,،;])/

/** The part of a description before its examples in brackets, which is a phrase too; '' if there is no such part. */
function beforeBracket(text: string): string {
  const at = text.search(ENDING_BRACKETS)
  return at > 0 && text.indexOf(' (') === at ? text.slice(0, at) : ''
}
