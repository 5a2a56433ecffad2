/**
 * What a search box offers while someone types: the phrases of `suggestion-phrases.ts`, how well known each is, and their
 * order. `src/catalog/suggest.ts` reads the columns.
 */
import { Best, RANGE_SCANNED_MAX } from '../src/catalog/suggest-best.js'
import { LANGUAGES } from '../src/limits.js'
import type { Columns } from '../src/snapshot/schema.js'
import type { Families } from './families.js'
import type { BuildRecord } from './hierarchy.js'
import { FamilyFinder, gatherPhrases, isLine, type Phrase } from './suggestion-phrases.js'
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

/** A run of so many words is counted; longer phrases are hardly part of others. */
const RUN_WORDS_MAX = 3

const WORDS_WORTH = [0, 1, 0.7, 0.45, 0.3]
const MORE_WORDS_WORTH = 0.2
/** A thousand phrases that contain it make a word as well known as any. */
const KNOWN_LOG2 = 10
const SHARE_OF = { known: 0.5, family: 0.15, words: 0.15, everyday: 0.2 }
/** What a family says of a word that fewer phrases have may be chance. */
const EVIDENCE_PHRASES = 8
const OPENING_WEIGHT = 0.85
const COMMA_WEIGHT = 0.7
const LINE_WEIGHT = 0.85
const STEPS = 255

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
  // what has a synonym is said by people, not by the nomenclature alone
  const everyday = new Set(groups.flatMap(group => group.map(member => member.join(' '))))
  const sorted: Row[] = []
  /** How many phrases, and beginnings within them, the languages have so far. */
  const phraseEnds: number[] = []
  for (const language of LANGUAGES) {
    const phrases = gatherPhrases(language, records, finder)
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
