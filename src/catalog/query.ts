/** A query's words as the terms of the index that may stand for each. */
import { QUERY_PARTS_MAX, QUERY_WORDS_MAX } from '../limits.js'
import { wordsOfFolded } from '../text/fold.js'
import { stem, stemUnderParticle } from '../text/terms.js'
import { textHash } from '../text-hash.js'
import { HALF_ASKING, PREFIX_WORD, QUANTITY, TYPO_WORD, WHOLE_WORD } from './ranking.js'
import type { Vocabulary } from './vocabulary.js'
import { ASKING_WORDS, FROM_WORDS, HALF_ASKING_WORDS, LINKING_WORDS, UNITS } from './word-lists.js'

/** Looking for mistyped words is the dearest step, so only so many are looked for. */
const TYPO_WORDS_MAX = 3
const CAS = /^[0-9]{2,7}-[0-9]{2}-[0-9]$/
/** A last word of so many letters may be the beginning of a longer one. */
const OPEN_CHARS_MIN = 3
/** … which is so many times as common as the word itself. */
const LONGER_USED = 3
const LONGER_MAX = 6

/** One word of the query: the terms that may stand for it, all of one kind. */
export interface QueryWord {
  places: readonly number[]
  /** The first so many of them count in full, the others as words that are longer than the one typed. */
  wholeCount: number
  weight: number
  /** Postings of all its terms, and how telling that makes the word: whoever has the postings tells these. */
  size: number
  rarity: number
}

export function hasLonger({ places, wholeCount }: QueryWord): boolean {
  return wholeCount < places.length
}

interface Asked {
  word: string
  main: string
  weight: number
}

/** What is known of the index's terms beside their letters, by place. */
export interface Terms {
  /** How common a term is. */
  used(place: number): number
  /** What `longerThan` finds for a term. */
  longer(place: number): readonly number[]
}

const LINKING = 1
const ASKING = 2
const UNIT = 4
const HALF_ASKED = 8
const FROM = 16
/** The words that are more, or less, than the name of a good: one look for all. */
const KINDS = new Map<string, number>()
for (const [kind, words] of [
  [LINKING, LINKING_WORDS],
  [ASKING, ASKING_WORDS],
  [UNIT, UNITS],
  [HALF_ASKED, HALF_ASKING_WORDS],
  [FROM, FROM_WORDS],
] as const)
  for (const word of words) KINDS.set(word, (KINDS.get(word) ?? 0) | kind)

function isNumber(word: string): boolean {
  const code = word.charCodeAt(0)
  return code >= 48 && code <= 57
}

/** A number with its unit says how much, not what: it may be left out without loss. */
function isQuantity(word: string, before: string | undefined, kind: number): boolean {
  if ((kind & UNIT) !== 0) return before !== undefined && isNumber(before)
  return isNumber(word) && !CAS.test(word)
}

/** ما is both "what" and, its hamza left out, "water": before a pronoun it asks. */
function isWhat(word: string, next: string | undefined): boolean {
  return word === 'ما' && (next === 'هي' || next === 'هو')
}

/** How much a word tells: one that names something more than one that asks, that more than one that only links. */
function tells(word: string, next: string | undefined, kind: number, isAsking: boolean): number {
  if ((kind & LINKING) !== 0 || isWhat(word, next)) return 0
  return (kind & ASKING) !== 0 || (isAsking && (kind & HALF_ASKED) !== 0) ? 1 : 2
}

/** A word as it is read, whatever query it is in. */
interface Reading {
  word: string
  main: string
  /** See `KINDS`. */
  kind: number
}

/** People use the same words over and over: the last so many are not read again, unless they are long. */
const READINGS_KEPT = 4096
const KEPT_WORD_CHARS_MAX = 32
/** By hash. */
const readings = new Array<Reading | undefined>(READINGS_KEPT).fill(undefined)

function readingOf(word: string): Reading {
  const at = textHash(word) & (READINGS_KEPT - 1)
  const kept = readings[at]
  if (kept !== undefined && kept.word === word) return kept
  const made = { word, main: stem(word), kind: KINDS.get(word) ?? 0 }
  if (word.length <= KEPT_WORD_CHARS_MAX) readings[at] = made
  return made
}

/** How much the word at a place tells. */
function tellsAt(list: readonly Reading[], i: number, isAsking: boolean): number {
  const { word, kind } = list[i] as Reading
  const isFrom = i > 0 && ((list[i - 1] as Reading).kind & FROM) !== 0
  return tells(
    word,
    i + 1 < list.length ? (list[i + 1] as Reading).word : undefined,
    kind,
    isAsking || isFrom,
  )
}

/** The words that tell the most, each stem once. */
function askedWords(folded: string): Asked[] {
  const words = wordsOfFolded(folded)
  const list: Reading[] = []
  let most = 0
  let isAsking = false
  for (let i = 0; i < words.length && i < QUERY_WORDS_MAX; i++) {
    const reading = readingOf(words[i] as string)
    list.push(reading)
    if ((reading.kind & ASKING) !== 0) isAsking = true
  }
  for (let i = 0; i < list.length && most < 2; i++) most = Math.max(most, tellsAt(list, i, isAsking))
  const asked: Asked[] = []
  let areBeside = true
  for (let i = 0; i < list.length; i++) {
    const { word, main, kind } = list[i] as Reading
    if (tellsAt(list, i, isAsking) < most || isAsked(asked, main)) continue
    const weight = weightOf(word, i > 0 ? (list[i - 1] as Reading).word : undefined, kind)
    if (weight === WHOLE_WORD) areBeside = false
    asked.push({ word, main, weight })
  }
  // alone, a number is all there is to go by
  if (areBeside) for (let i = 0; i < asked.length; i++) (asked[i] as Asked).weight = WHOLE_WORD
  return asked
}

function weightOf(word: string, before: string | undefined, kind: number): number {
  if (isQuantity(word, before, kind)) return QUANTITY
  return (kind & HALF_ASKED) !== 0 ? HALF_ASKING : WHOLE_WORD
}

function isAsked(asked: readonly Asked[], main: string): boolean {
  for (let i = 0; i < asked.length; i++) if ((asked[i] as Asked).main === main) return true
  return false
}

/** A word that ends in a space is finished. */
function isOpen(folded: string): boolean {
  const code = folded.charCodeAt(folded.length - 1)
  return (code > 32 && code < 128) || !/\s$/.test(folded)
}

/**
 * Whole words before unfinished ones before mistyped ones and words run together: the first kind that the index
 * knows is taken; only the last word, which may be still being typed, stands for longer ones besides. Words it does not
 * know in any way are left out, and so is a word that comes to the same terms as one before it: it would ask for nothing new.
 */
export function interpretWords(folded: string, vocabulary: Vocabulary, terms: Terms): QueryWord[] {
  const asked = askedWords(folded)
  const found: QueryWord[] = []
  let typosLeft = TYPO_WORDS_MAX
  let withBefore = -1
  for (let i = 0; i < asked.length; i++) {
    const word = asked[i] as Asked
    const { main, weight } = word
    const isLast = i === asked.length - 1
    // "note books" is also notebook, whichever of the two words is asked for
    const withNext = isLast ? -1 : vocabulary.find(main, (asked[i + 1] as Asked).main)
    const exact = vocabulary.find(main)
    const whole: number[] = []
    addPlace(whole, exact < 0 ? findUnder(word.word, vocabulary) : exact)
    addPlace(whole, withBefore)
    addPlace(whole, withNext)
    withBefore = withNext
    if (whole.length > 0) {
      const mayGoOn = isLast && main.length >= OPEN_CHARS_MIN && isOpen(folded)
      takeWhole(found, whole, weight, mayGoOn ? longerOf(main, exact, whole, vocabulary, terms) : NONE)
      continue
    }
    const unfinished = main.length >= 2 ? vocabulary.withPrefix(main, terms.used.bind(terms)) : NONE
    if (unfinished.length > 0) take(found, unfinished, weight * PREFIX_WORD)
    else {
      const forgiven = typosLeft > 0 ? vocabulary.forgiven(main) : 0
      if (forgiven > 0) typosLeft--
      forgive(found, main, weight, forgiven, vocabulary)
    }
  }
  return found
}

const NONE: readonly number[] = []

function addPlace(places: number[], place: number): void {
  if (place >= 0 && !places.includes(place)) places.push(place)
}

/** The place of an Arabic word's stem under a particle, or -1. */
function findUnder(word: string, vocabulary: Vocabulary): number {
  const under = stemUnderParticle(word)
  return under === '' ? -1 : vocabulary.find(under)
}

function takeWhole(found: QueryWord[], whole: number[], weight: number, longer: readonly number[]): void {
  take(found, longer.length === 0 ? whole : [...whole, ...longer], weight, whole.length)
}

/** One wrong letter is likelier than two words run together, and that than two wrong letters. */
function forgive(
  found: QueryWord[],
  main: string,
  weight: number,
  forgiven: number,
  vocabulary: Vocabulary,
): void {
  const near = vocabulary.mistyped(main, Math.min(1, forgiven))
  const parts = near.length > 0 ? undefined : vocabulary.split(main)
  if (parts !== undefined) {
    for (const place of parts) take(found, [place], weight)
    return
  }
  const mistyped = near.length > 0 ? near : vocabulary.mistyped(main, forgiven)
  if (mistyped.length > 0) take(found, mistyped, weight * TYPO_WORD)
}

function take(
  found: QueryWord[],
  places: readonly number[],
  weight: number,
  wholeCount = places.length,
): void {
  if (found.length === QUERY_PARTS_MAX) return
  for (let i = 0; i < found.length; i++) if (areSame((found[i] as QueryWord).places, places)) return
  found.push({ places, wholeCount, weight, size: 0, rarity: 0 })
}

/** Most words are terms of the index, and what these may be the beginning of is known. */
function longerOf(
  main: string,
  exact: number,
  whole: readonly number[],
  vocabulary: Vocabulary,
  terms: Terms,
): readonly number[] {
  if (exact >= 0 && whole.length === 1) return terms.longer(exact)
  return longerThan(main, whole, vocabulary, terms.used.bind(terms))
}

/** What a word may be the beginning of, where it is more used than the word itself. */
export function longerThan(
  main: string,
  whole: readonly number[],
  vocabulary: Vocabulary,
  used: (place: number) => number,
): number[] {
  if (main.length < OPEN_CHARS_MIN) return []
  const own = used(whole[0] as number)
  return vocabulary
    .withPrefix(main, used)
    .filter(place => !whole.includes(place) && used(place) > own * LONGER_USED)
    .slice(0, LONGER_MAX)
}

function areSame(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
