/**
 * What a search box offers while someone types: the phrases that records are known by, each once, with the record that
 * is its best home and how well known it is. `src/catalog/suggest.ts` reads the columns.
 */
import { LINKING_WORDS } from '../src/catalog/ranking.js'
import {
  Best,
  foldedPhrase,
  type Language,
  normalised,
  PHRASE_BYTES_MAX,
  RANGE_SCANNED_MAX,
} from '../src/catalog/suggest.js'
import { LANGUAGES, SUGGEST_CHARS_MAX } from '../src/limits.js'
import type { Columns } from '../src/snapshot/schema.js'
import { words } from '../src/text/fold.js'
import { stem } from '../src/text/terms.js'
import type { Families } from './families.js'
import type { BuildRecord } from './hierarchy.js'
import { headOf } from './search-index.js'
import type { SynonymGroup } from './synonyms.js'

export type Suggestions = Pick<
  Columns,
  | 'suggestFolded'
  | 'suggestFoldedAt'
  | 'suggestShown'
  | 'suggestShownAt'
  | 'suggestRecord'
  | 'suggestWeight'
  | 'suggestAlike'
  | 'suggestInner'
  | 'suggestInnerStart'
  | 'suggestParts'
  | 'suggestRanges'
  | 'suggestBest'
>

/** How a phrase came to us. */
type Kind = 'keyword' | 'opening' | 'cut word'

interface Phrase {
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
const OPENING_ENDS = /\s*[(,،;؛:]/u
const ARABIC = /[\u0600-\u06ff]/u
const LETTERS = /\p{L}{2}/u
const HYPHENATED = /\p{L}+-\p{L}/u
/** A run of so many words is counted; longer phrases are hardly part of others. */
const RUN_WORDS_MAX = 3

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

const WORDS_WORTH = [0, 1, 0.7, 0.45, 0.3]
const MORE_WORDS_WORTH = 0.2
/** A thousand phrases that contain it make a word as well known as any. */
const KNOWN_LOG2 = 10
const SHARE_OF = { known: 0.5, family: 0.15, words: 0.15, everyday: 0.2 }
/** What a family says of a word that fewer phrases have may be chance. */
const EVIDENCE_PHRASES = 8
/** What a home counts by how it speaks of the phrase. */
const KIND_WORTH: Record<Kind, number> = { keyword: 1, opening: 0.85, 'cut word': 0.5 }
const OPENING_WEIGHT = 0.85
const COMMA_WEIGHT = 0.7
const LINE_WEIGHT = 0.85
const STEPS = 255

/** As the families of the index number headings and chapters. */
const familyNumber = (code: string) => Number(code.slice(0, HEADING_DIGITS).padEnd(HEADING_DIGITS, '0'))

const isLine = ({ code }: BuildRecord) => code.length > SUBHEADING_DIGITS

/** What a description says first, where that is short; '' otherwise. */
function openingOf(description: string): string {
  const opening = (description.split(OPENING_ENDS, 1)[0] as string).trim()
  const isShort = opening.length <= OPENING_CHARS_MAX && opening.split(/\s+/).length <= OPENING_WORDS_MAX
  if (!isShort || !LETTERS.test(opening)) return ''
  // written as keywords are: "Tea" is the start of a sentence, "PVC" and "LED lamps" are not
  return /^\p{Lu}\p{Ll}/u.test(opening) ? (opening[0] as string).toLowerCase() + opening.slice(1) : opening
}

/** How far headings and chapters are the homes of terms, from 0 to 1, by the families of the index. */
class FamilyFinder {
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

/** How many phrases contain each run of words, itself included. */
function countRuns(phrases: Iterable<Phrase>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { terms } of phrases) {
    const runs = new Set<string>()
    for (let from = 0; from < terms.length; from++)
      for (let to = from + 1; to <= Math.min(terms.length, from + RUN_WORDS_MAX); to++)
        runs.add(terms.slice(from, to).join(' '))
    for (const run of runs) counts.set(run, (counts.get(run) ?? 0) + 1)
  }
  return counts
}

function weightOf({ text, terms, family, kind }: Phrase, contained: number, isEveryday: boolean): number {
  const known = Math.min(1, Math.log2(contained) / KNOWN_LOG2)
  const evidence = Math.min(1, contained / EVIDENCE_PHRASES)
  const short = WORDS_WORTH[terms.length] ?? MORE_WORDS_WORTH
  const worth =
    known * SHARE_OF.known +
    family * evidence * SHARE_OF.family +
    short * SHARE_OF.words +
    (isEveryday ? SHARE_OF.everyday : 0)
  const form = (kind === 'keyword' ? 1 : OPENING_WEIGHT) * (/[,،]/u.test(text) ? COMMA_WEIGHT : 1)
  return STEPS * worth * form
}

/** Joined, so that "note books" and "notebook" read alike, too. */
const alikeKey = ({ terms }: Phrase) => terms.join('')

interface Row {
  phrase: Phrase
  bytes: string
  weight: number
}

/** What reads alike leads to one home, the best of theirs, and is shown as it is said there. */
function agree(rows: readonly Row[], records: readonly BuildRecord[]): void {
  const best = new Map<string, Row>()
  for (const row of rows) {
    const known = best.get(alikeKey(row.phrase))
    if (known === undefined || row.phrase.homeScore > known.phrase.homeScore)
      best.set(alikeKey(row.phrase), row)
  }
  for (const row of rows) {
    const first = best.get(alikeKey(row.phrase)) as Row
    row.phrase.home = first.phrase.home
    first.weight = Math.max(first.weight, row.weight)
  }
  for (const row of best.values()) {
    const weight = row.weight * (isLine(records[row.phrase.home] as BuildRecord) ? LINE_WEIGHT : 1)
    row.weight = Math.max(1, Math.round(weight))
  }
  for (const row of rows) {
    const first = best.get(alikeKey(row.phrase)) as Row
    if (row !== first) row.weight = first.weight - 1
  }
}

/** UTF-8, a character for each byte: sorts as the bytes do. */
const byteText = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

interface Inner {
  phrase: number
  start: number
  rest: string
}

export function buildSuggestions(
  records: BuildRecord[],
  groups: SynonymGroup[],
  vocabulary: string,
  families: Families,
): Suggestions {
  const finder = new FamilyFinder(vocabulary, families)
  const isOwn = (record: BuildRecord, i: number) => record.active && record.source === i
  const headings = new Map<number, number>()
  records.forEach((record, i) => {
    if (isOwn(record, i) && record.code.length === HEADING_DIGITS) headings.set(Number(record.code), i)
  })
  // what has a synonym is said by people, not by the nomenclature alone
  const everyday = new Set(groups.flatMap(group => group.map(member => member.join(' '))))
  const sorted: Row[] = []
  /** How many phrases, and beginnings within them, the languages have so far. */
  const phraseEnds: number[] = []
  for (const language of LANGUAGES) {
    const gathered = new Gathered(language, records, headings, finder)
    records.forEach((record, i) => {
      if (!isOwn(record, i)) return
      for (const keyword of language === 'ar' ? record.keywordsAr : record.keywordsEn)
        gathered.keyword(keyword, i)
    })
    records.forEach((record, i) => {
      if (isOwn(record, i)) gathered.opening(record[language], i)
    })
    const phrases = [...gathered.phrases.values()]
    const counts = countRuns(phrases)
    const rows = phrases.map(phrase => {
      const run = phrase.terms.join(' ')
      const weight = weightOf(phrase, counts.get(run) ?? 1, everyday.has(run))
      return { phrase, bytes: byteText(phrase.folded), weight }
    })
    agree(rows, records)
    rows.sort((a, b) => (a.bytes < b.bytes ? -1 : 1))
    for (const row of rows) sorted.push(row)
    phraseEnds.push(sorted.length)
  }

  const inner: Inner[] = []
  const innerEnds = phraseEnds.map((end, n) => {
    const list: Inner[] = []
    for (let phrase = phraseEnds[n - 1] ?? 0; phrase < end; phrase++) {
      const { bytes } = sorted[phrase] as Row
      for (let at = bytes.indexOf(' '); at >= 0; at = bytes.indexOf(' ', at + 1))
        list.push({ phrase, start: at + 1, rest: bytes.slice(at + 1) })
    }
    list.sort((a, b) => (a.rest === b.rest ? a.phrase - b.phrase : a.rest < b.rest ? -1 : 1))
    for (const entry of list) inner.push(entry)
    return sorted.length + inner.length
  })

  const alikes = new Map<string, number>()
  const alike = Uint32Array.from(sorted, ({ phrase }) => {
    const key = alikeKey(phrase)
    const known = alikes.get(key) ?? alikes.size
    alikes.set(key, known)
    return known
  })
  const weight = Uint8Array.from(sorted, row => row.weight)
  const folded = pack(sorted.map(({ bytes }) => bytes))
  const shown = pack(
    sorted.map(({ phrase: { text, folded } }) =>
      text === folded ? '' : byteText(JSON.stringify(text).slice(1, -1)),
    ),
  )
  const textAt = (position: number) =>
    position < sorted.length
      ? (sorted[position] as Row).bytes
      : (inner[position - sorted.length] as Inner).rest
  const phraseAt = (position: number) =>
    position < sorted.length ? position : (inner[position - sorted.length] as Inner).phrase
  const parts = [0, ...phraseEnds, ...innerEnds]
  const { ranges, best } = largeRanges(parts, textAt, phraseAt, weight, alike)
  return {
    suggestFolded: folded.bytes,
    suggestFoldedAt: folded.at,
    suggestShown: shown.bytes,
    suggestShownAt: shown.at,
    suggestRecord: Uint32Array.from(sorted, ({ phrase }) => phrase.home),
    suggestWeight: weight,
    suggestAlike: alike,
    suggestInner: Uint32Array.from(inner, ({ phrase }) => phrase),
    suggestInnerStart: Uint8Array.from(inner, ({ start }) => start),
    suggestParts: Uint32Array.from(parts),
    suggestRanges: ranges,
    suggestBest: best,
  }
}

function pack(texts: readonly string[]): { bytes: Uint8Array; at: Uint32Array } {
  const at = new Uint32Array(texts.length + 1)
  texts.forEach((text, i) => {
    at[i + 1] = (at[i] as number) + text.length
  })
  return { bytes: new Uint8Array(Buffer.from(texts.join(''), 'latin1')), at }
}

/** Every beginning that too many share to be gone through when it is typed, with the best of them. */
function largeRanges(
  parts: readonly number[],
  textAt: (position: number) => string,
  phraseAt: (position: number) => number,
  weight: Uint8Array,
  alike: Uint32Array,
): { ranges: Uint32Array; best: Uint32Array } {
  const found: { low: number; high: number; best: number[] }[] = []
  const list = new Best(weight, alike)
  const walk = (low: number, high: number, depth: number): void => {
    if (high - low <= RANGE_SCANNED_MAX) return
    const last = found.at(-1)
    const isNew = last === undefined || last.low !== low || last.high !== high
    if (depth > 0 && isNew) {
      list.clear()
      for (let position = low; position < high; position++) list.offer(phraseAt(position))
      found.push({ low, high, best: Array.from(list.phrases.subarray(0, list.count)) })
    }
    for (let from = low; from < high; ) {
      const text = textAt(from)
      let to = from + 1
      while (to < high && textAt(to)[depth] === text[depth]) to++
      if (text.length > depth) walk(from, to, depth + 1)
      from = to
    }
  }
  for (let part = 1; part < parts.length; part++) walk(parts[part - 1] as number, parts[part] as number, 0)
  found.sort((a, b) => a.low - b.low || a.high - b.high)
  const ranges: number[] = []
  const best: number[] = []
  for (const range of found) {
    ranges.push(range.low, range.high, best.length)
    for (const phrase of range.best) best.push(phrase)
  }
  ranges.push(0xffff_ffff, 0xffff_ffff, best.length)
  return { ranges: Uint32Array.from(ranges), best: Uint32Array.from(best) }
}
