/** The distinct phrases of records, each with the record that it leads to. */

import { CHAPTER_EVIDENCE, NON_HEAD_WORD } from '../../src/catalog/search/weights.js'
import type { Language } from '../../src/catalog/suggest.js'
import { PHRASE_BYTES_MAX } from '../../src/catalog/suggest-runs.js'
import { HEADING_DIGITS, headingOf, isLine } from '../../src/codes/levels.js'
import { SUGGEST_CHARS_MAX } from '../../src/limits.js'
import type { EvidenceFinder } from './evidence-finder.js'
import { GrowingArray } from './growing-array.js'
import type { BuildRecord } from './hierarchy.js'
import type { Lexicon } from './lexicon.js'
import { SequenceTable, UNKNOWN } from './sequence-table.js'
import type { Readings, TextReader } from './text-reader.js'

/** Where a phrase comes from: a keyword, the start of a description, or a single word at the start of a description. */
export type Kind = 'keyword' | 'opening' | 'cut word'

/** Phrases, numbered in the order in which they are found. */
export interface SuggestionPhrases {
  /** As displayed. */
  texts: string[]
  kinds: Kind[]
  /** Per phrase, where its words begin; one more entry ends the last. */
  wordsAt: Uint32Array
  /** As typed: folded words. */
  words: Uint32Array
  /** The phrase of each keyword number. Keywords that are not suggested are left out. */
  phraseOfKeyword: Map<number, number>
  /** Per phrase: the record that it leads to, how well the record fits, and the evidence for its heading. */
  records: number[]
  recordScores: number[]
  evidence: number[]
}

const OPENING_WORDS_MAX = 4
const OPENING_CHARS_MAX = 40
const CUT_WORD_HEADS_MIN = 8
/** Marks that end the opening of a description. */
// regexp-ignore: dataset text, a description has at most 1,000 characters
const OPENING_ENDS = /\s*[(,،;؛:]/u
const ARABIC = /[\u0600-\u06ff]/u
const LETTERS = /\p{L}{2}/u
// regexp-ignore: dataset text, a phrase has at most 1,000 characters
const HYPHENATED = /\p{L}+-\p{L}/u

/** Factor for a record's score, by its number of digits. */
const LEVEL_WEIGHT: Record<number, number> = { 2: 0.6, 4: 1, 6: 0.95 }
const LINE_WEIGHT = 0.8
/** Added to the evidence, so that a record without evidence also has a score. */
const EVIDENCE_BASE = 0.15
const KIND_WEIGHT: Record<Kind, number> = { keyword: 1, opening: 0.85, 'cut word': 0.5 }

/** Same scale as in the columns of heading evidence. */
const headingNumber = (code: string) => Number(headingOf(code).padEnd(HEADING_DIGITS, '0'))

/** The start of a description if it is short; '' otherwise. */
function openingOf(description: string): string {
  const opening = description.split(OPENING_ENDS, 1)[0].trim()
  const isShort = opening.length <= OPENING_CHARS_MAX && opening.split(/\s+/).length <= OPENING_WORDS_MAX
  if (!isShort || !LETTERS.test(opening)) return ''
  // written like a keyword: "Tea" loses the capital that only starts a sentence; "PVC" and "LED lamps" keep theirs
  return /^\p{Lu}\p{Ll}/u.test(opening) ? opening[0].toLowerCase() + opening.slice(1) : opening
}

export interface PhraseSource {
  records: readonly BuildRecord[]
  lexicon: Lexicon
  reader: TextReader
  /** The English keywords of each record, then its Arabic ones. */
  keywords: Readings
  evidence: EvidenceFinder
  /** Words that only link other words. */
  linking: ReadonlySet<string>
}

/** The phrases of one language: keywords, then openings of descriptions. */
export function gatherPhrases(language: Language, source: PhraseSource): SuggestionPhrases {
  const { records, keywords } = source
  const gatherer = new PhraseGatherer(language, source)
  const isOwn = (record: BuildRecord, i: number) => record.active && record.source === i
  records.forEach((record, i) => {
    if (!isOwn(record, i)) return
    const texts = language === 'ar' ? record.keywordsAr : record.keywordsEn
    const first = keywords.recordAt[i] + (language === 'ar' ? record.keywordsEn.length : 0)
    texts.forEach((text, n) => {
      gatherer.addKeyword(text, first + n, keywordAt(keywords, first + n), i)
    })
  })
  records.forEach((record, i) => {
    if (isOwn(record, i)) gatherer.addOpening(record[language], i)
  })
  return gatherer.finish()
}

/** A text that was read: `words` from `from` to `to`. */
interface Reading {
  words: Uint32Array
  from: number
  to: number
  wordsToHead: number
}

function keywordAt({ words, wordsAt, wordsToHead }: Readings, text: number): Reading {
  return {
    words,
    from: wordsAt[text],
    to: wordsAt[text + 1],
    wordsToHead: wordsToHead[text],
  }
}

/** Keeps each sequence of folded words once. */
class PhraseGatherer {
  readonly #records: readonly BuildRecord[]
  readonly #lexicon: Lexicon
  readonly #reader: TextReader
  readonly #finder: EvidenceFinder
  readonly #isArabic: boolean
  /** Records of the headings, by heading number. */
  readonly #headings: ReadonlyMap<number, number>
  readonly #linking: ReadonlySet<string>
  readonly #linkingTerms: ReadonlySet<number>
  /** By term: number of keywords in which it is the head noun. */
  readonly #headCounts = new Map<number, number>()
  readonly #numbers = new SequenceTable()
  readonly #wordsAt = new GrowingArray()
  readonly #words = new GrowingArray()
  readonly #heads: number[] = []
  readonly #texts: string[] = []
  readonly #kinds: Kind[] = []
  readonly #recordOf: number[] = []
  readonly #scores: number[] = []
  readonly #evidence: number[] = []
  readonly #phraseOfKeyword = new Map<number, number>()

  constructor(language: Language, { records, lexicon, reader, evidence, linking }: PhraseSource) {
    this.#linking = linking
    this.#isArabic = language === 'ar'
    this.#records = records
    this.#lexicon = lexicon
    this.#reader = reader
    this.#finder = evidence
    this.#linkingTerms = new Set([...linking].map(word => lexicon.term(word)))
    const headings = new Map<number, number>()
    records.forEach(({ code, active, source }, i) => {
      if (active && source === i && code.length === HEADING_DIGITS) headings.set(Number(code), i)
    })
    this.#headings = headings
  }

  addKeyword(text: string, keyword: number, reading: Reading, record: number): void {
    if (reading.from === reading.to) return
    const head = this.#headTerm(reading)
    this.#headCounts.set(head, (this.#headCounts.get(head) ?? 0) + 1)
    const phrase = this.#addPhrase(text, reading, record, 'keyword')
    if (phrase !== UNKNOWN) this.#phraseOfKeyword.set(keyword, phrase)
  }

  /**
   * Must be called after all keywords are added. An opening may be cut to an adjective ("Hot-rolled, in coils"), so its
   * head noun must also be the head noun of a keyword. A single word is usually an adjective, so it must be the head noun of
   * many keywords and must not come from a line.
   */
  addOpening(description: string, record: number): void {
    const text = openingOf(description)
    if (text === '') return
    this.#reader.read(text)
    const reading = this.#readingOfLastText(this.#reader.wordsToHead)
    if (this.#hasOnlyLinkingWords(reading)) return
    const isCut = text.length < description.length
    const isCutWord = isCut && reading.to === 1
    if (isCutWord && isLine(this.#records[record].code)) return
    const named = this.#headCounts.get(this.#headTerm(reading)) ?? 0
    if (isCut && named < (isCutWord ? CUT_WORD_HEADS_MIN : 1)) return
    this.#addPhrase(text, reading, record, isCutWord ? 'cut word' : 'opening')
  }

  #readingOfLastText(wordsToHead: number): Reading {
    return { words: this.#reader.words, from: 0, to: this.#reader.count, wordsToHead }
  }

  #hasOnlyLinkingWords({ words, from, to }: Reading): boolean {
    for (let i = from; i < to; i++) if (!this.#linking.has(this.#lexicon.wordTexts[words[i]])) return false
    return true
  }

  #head({ words, from, to, wordsToHead }: Reading): number {
    return this.#reader.headOf(words, from, to, wordsToHead)
  }

  #headTerm(reading: Reading): number {
    return this.#lexicon.termOf(reading.words[reading.from + this.#head(reading)])
  }

  /** The number of the phrase, or `UNKNOWN` if it is not suggested. */
  #addPhrase(text: string, reading: Reading, record: number, kind: Kind): number {
    if (this.#isArabic !== ARABIC.test(text) || isTooLong(text)) return UNKNOWN
    if (!text.includes('-')) return this.#addReading(text, reading, record, kind)
    const phrase = this.#addReading(text, this.#withoutHyphens(reading), record, kind)
    // people type "tshirt" and "ebike"
    if (!HYPHENATED.test(text)) return phrase
    this.#reader.read(text.replaceAll('-', ''))
    this.#addReading(text, this.#readingOfLastText(reading.wordsToHead), record, kind)
    return phrase
  }

  /** A CAS number is one word with hyphens, but three words while it is typed. */
  #withoutHyphens({ words, from, to, wordsToHead }: Reading): Reading {
    const parts: number[] = []
    for (let i = from; i < to; i++)
      for (const part of this.#lexicon.wordTexts[words[i]].split('-')) parts.push(this.#lexicon.word(part))
    return { words: Uint32Array.from(parts), from: 0, to: parts.length, wordsToHead }
  }

  #addReading(text: string, reading: Reading, record: number, kind: Kind): number {
    const { words, from, to } = reading
    let phrase = this.#numbers.find(words, from, to)
    if (phrase === UNKNOWN) {
      if (this.#bytesOf(reading) > PHRASE_BYTES_MAX) return UNKNOWN
      phrase = this.#numbers.add(words, from, to)
      this.#wordsAt.push(this.#words.length)
      for (let i = from; i < to; i++) this.#words.push(words[i])
      this.#heads.push(this.#head(reading))
      this.#texts.push(text)
      this.#kinds.push(kind)
      this.#recordOf.push(-1)
      this.#scores.push(-1)
      this.#evidence.push(0)
    }
    this.#considerRecord(phrase, record, kind)
    return phrase
  }

  /** Bytes of the words as typed, with single spaces. */
  #bytesOf({ words, from, to }: Reading): number {
    let bytes = to - from - 1
    for (let i = from; i < to; i++) bytes += Buffer.byteLength(this.#lexicon.wordTexts[words[i]])
    return bytes
  }

  /** `origin`: the record that has the phrase. */
  #considerRecord(phrase: number, origin: number, kind: Kind): void {
    const record = this.#bestRecordFor(phrase, origin)
    const { code } = this.#records[record]
    const isChapter = code.length < HEADING_DIGITS
    const evidence = this.#evidenceFor(phrase, headingNumber(code)) * (isChapter ? CHAPTER_EVIDENCE : 1)
    // scored by the level of the origin, so that a heading's own word ranks above a word of the chapter that contains the
    // heading
    const level = this.#records[origin].code.length
    const score = (EVIDENCE_BASE + evidence) * (LEVEL_WEIGHT[level] ?? LINE_WEIGHT) * KIND_WEIGHT[kind]
    if (score <= this.#scores[phrase]) return
    this.#recordOf[phrase] = record
    this.#scores[phrase] = score
    this.#evidence[phrase] = evidence
  }

  /** The word "tyres" of a chapter leads to the heading for tyres if the heading has more evidence than the chapter. */
  #bestRecordFor(phrase: number, origin: number): number {
    const { code } = this.#records[origin]
    if (code.length >= HEADING_DIGITS) return origin
    const chapter = headingNumber(code)
    let best = origin
    let most = this.#evidenceFor(phrase, chapter)
    for (let i = this.#start(phrase); i < this.#end(phrase); i++) {
      for (const number of this.#finder.headings(this.#lexicon.termOf(this.#words.values[i]))) {
        const heading = this.#headings.get(number)
        if (heading === undefined || number < chapter || number >= chapter + 100) continue
        const evidence = this.#evidenceFor(phrase, number)
        if (evidence <= most) continue
        best = heading
        most = evidence
      }
    }
    return best
  }

  #start(phrase: number): number {
    return this.#wordsAt.values[phrase]
  }

  #end(phrase: number): number {
    return phrase + 1 < this.#wordsAt.length ? this.#start(phrase + 1) : this.#words.length
  }

  /** Mean over the words of the phrase; words other than the head noun count less. */
  #evidenceFor(phrase: number, heading: number): number {
    const head = this.#start(phrase) + this.#heads[phrase]
    const end = this.#end(phrase)
    let sum = 0
    let whole = 0
    for (let i = this.#start(phrase); i < end; i++) {
      const term = this.#lexicon.termOf(this.#words.values[i])
      if (this.#linkingTerms.has(term)) continue
      const part = i === head ? 1 : NON_HEAD_WORD
      sum += this.#finder.evidence(term, heading) * part
      whole += part
    }
    return whole === 0 ? 0 : sum / whole
  }

  finish(): SuggestionPhrases {
    this.#wordsAt.push(this.#words.length)
    return {
      texts: this.#texts,
      kinds: this.#kinds,
      wordsAt: this.#wordsAt.column(),
      words: this.#words.column(),
      phraseOfKeyword: this.#phraseOfKeyword,
      records: this.#recordOf,
      recordScores: this.#scores,
      evidence: this.#evidence,
    }
  }
}

/** Whether the text has at most this many code points. A text never has more code points than code units. */
function isTooLong(text: string): boolean {
  return text.length > SUGGEST_CHARS_MAX && [...text].length > SUGGEST_CHARS_MAX
}
