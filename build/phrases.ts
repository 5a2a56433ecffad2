/** What a record is called, phrase by phrase: its descriptions, what they say before brackets, its keywords, and those in other words. */
import { slotOfPhrase } from '../src/catalog/search/slots.js'
import { withoutExclusions } from '../src/text/exclusions.js'
import { fold, isArabic, words } from '../src/text/fold.js'
import type { BuildRecord } from './hierarchy.js'
import type { IndexedPhrase } from './phrase-columns.js'
import type { SynonymFinder } from './synonyms.js'
import { type Under, WordForms } from './word-forms.js'

export interface Phrase extends IndexedPhrase {
  terms: string[]
  slot: number
  /** Folded words with a hyphen, joined: people type "tshirt" and "cdrom". */
  joined: string[]
  /** Arabic words without their particles. */
  under: Under[]
}

/** A keyword that is narrowed counts as one of so many words. */
const NARROWED_WORDS = 4

const ONE_LETTER_COMPOUND = /\b([A-Za-z])-(\p{L}{3,})/gu
const HYPHENATED = /\p{L}+(?:-\p{L}+)+/gu

export class PhraseReader {
  readonly #forms = new WordForms()
  readonly #synonyms: SynonymFinder

  constructor(synonyms: SynonymFinder) {
    this.#synonyms = synonyms
  }

  phrasesOf(record: BuildRecord): Phrase[] {
    const own = [
      this.#read(record.en, false),
      this.#read(record.ar, false),
      this.#read(beforeBracket(record.en), false),
      this.#read(beforeBracket(record.ar), false),
      ...record.keywordsEn.map(keyword => this.#read(keyword, true)),
      ...record.keywordsAr.map(keyword => this.#read(keyword, true)),
      ...[...record.keywordsEn, ...record.keywordsAr].map(keyword => this.#beforeComma(keyword)),
    ].filter(({ terms }) => terms.length > 0)
    const seen = new Set(own.map(({ terms }) => terms.join(' ')))
    for (const other of own.flatMap(one => this.#inOtherWords(one))) {
      const key = other.terms.join(' ')
      if (seen.has(key)) continue
      seen.add(key)
      own.push(other)
    }
    return own
  }

  #read(written: string, isKeyword: boolean): Phrase {
    const text = withoutExclusions(written)
    // a t-shirt is no shirt: it is known as one word
    const list = words(text.replace(ONE_LETTER_COMPOUND, '$1$2'))
    const hyphenated = [...fold(text).matchAll(HYPHENATED)]
    return {
      terms: list.map(word => this.#forms.stem(word)),
      under: this.#underOf(list),
      slot: slotOfPhrase(list.length, isKeyword),
      joined: hyphenated.map(([word]) => this.#forms.stem(word.replaceAll('-', ''))),
      head: headOf(text, list),
    }
  }

  #underOf(list: readonly string[]): Under[] {
    return list.flatMap(word => this.#forms.under(word) ?? [])
  }

  /** What a keyword says before it narrows it, "sofas" of "sofas, upholstered"; but the record is not known by that alone. */
  #beforeComma(keyword: string): Phrase {
    const at = keyword.search(/[,،]/)
    return {
      ...this.#read(keyword.slice(0, Math.max(0, at)), true),
      slot: slotOfPhrase(NARROWED_WORDS, true),
    }
  }

  /** What a phrase that is nothing but a synonym says in other words: whoever has "mobile phones" has "cellphones" as well. */
  #inOtherWords({ terms }: Phrase): Phrase[] {
    return this.#synonyms.othersForWhole(terms).map(other => ({
      terms: other,
      under: this.#underOf(other),
      slot: slotOfPhrase(other.length, true),
      joined: [],
      head: isArabic(other[0] as string) ? 0 : other.length - 1,
    }))
  }
}

/** What comes before any of these, in English, ends with the good: "jugs of porcelain", "parts, of iron" */
const HEAD_ENDS =
  /[,;:(]| (?:of|for|with|without|in|from|by|to|on|under|over|not|other|than|used|having|containing|whether|and|or|as|at|made) /

/** English names a good last, Arabic first. */
export function headOf(text: string, list: readonly string[]): number {
  if (list.length === 0 || isArabic(list[0] as string)) return 0
  const before = HEAD_ENDS.exec(`${fold(text)} `)
  const count = before === null ? list.length : words(text.slice(0, before.index)).length
  return Math.max(0, Math.min(list.length, count) - 1)
}

/** Brackets that end what is said, and not one word of it. */
const ENDING_BRACKETS = / \([^()]*\)(?=$|[,،;])/

/** What a description says before its examples in brackets is a phrase of its own. */
function beforeBracket(text: string): string {
  const at = text.search(ENDING_BRACKETS)
  return at > 0 && text.indexOf(' (') === at ? text.slice(0, at) : ''
}
