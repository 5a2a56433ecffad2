/** For each text of a list: a few words that occur together in no other text. Pages print these in bold. */
import { EMPTY } from './empty-words.js'
import { stemmer } from './stemmer.js'

// regexp-ignore: dataset text, a description has at most 1,000 characters
const WORD = /[\p{L}\p{M}\p{N}'’ـ.,-]*[\p{L}\p{M}\p{N}]/gu
/** An exclusion names goods of other codes: "other than laptops and tablets". */
// regexp-ignore: dataset text, as above
const EXCLUSION = /(?<!\p{L})(?:other than|except|excluding|neither|من غير|عدا|باستثناء|بخلاف)(?!\p{L})/iu
/** Linking words, which say little by themselves. */
const LINKING = new Set([
  ...EMPTY,
  ...'that which other than not nor similar including such as kind like its their up over under'.split(' '),
  ...'التي الذي وغيرها ما لا غير وما ذات ذو أي لها له'.split(' '),
])
/** A longer exclusion is cut to its first words, "other than". */
const EXCLUDED_WORDS_MAX = 8

export type Range = readonly [from: number, to: number]

interface Word {
  range: Range
  stems: readonly string[]
  isLinking: boolean
}

interface Reading {
  words: readonly Word[]
  stems: ReadonlySet<string>
  exclusion: Range | null
}

function readingOf(text: string): Reading {
  const excluding = EXCLUSION.exec(text)
  const main = excluding === null ? text : text.slice(0, excluding.index)
  const words = [...main.matchAll(WORD)].map(({ 0: written, index }) => {
    const stems = stemmer.terms(written)
    return {
      range: [index, index + written.length] as const,
      stems,
      isLinking: LINKING.has(written.toLowerCase()) || stems.every(stem => LINKING.has(stem)),
    }
  })
  return {
    words,
    stems: new Set(words.flatMap(({ stems }) => stems)),
    exclusion: excluding && exclusionRange(text, excluding.index, excluding[0]),
  }
}

function exclusionRange(text: string, from: number, opening: string): Range {
  const rest = text.slice(from)
  const clause = rest.slice(0, rest.search(/[),،;؛]|$/))
  const isShort = (clause.match(WORD) ?? []).length <= EXCLUDED_WORDS_MAX
  return [from, from + (isShort ? clause.trimEnd() : opening).length]
}

/**
 * Picks the word that the fewest remaining texts share, until no other text has all picked words; linking words only if no
 * other word helps.
 */
function pick(words: readonly Word[], others: readonly Reading[]): { picked: Range[]; remaining: readonly Reading[] } {
  const picked: Range[] = []
  let remaining = others
  const choose = (from: readonly Word[]) => {
    let best: Word | undefined
    let fewest = remaining
    for (const word of from) {
      const left = remaining.filter(({ stems }) => word.stems.every(stem => stems.has(stem)))
      if (left.length < fewest.length) {
        best = word
        fewest = left
      }
    }
    remaining = fewest
    return best
  }
  while (remaining.length > 0) {
    const word = choose(words.filter(({ isLinking }) => !isLinking)) ?? choose(words.filter(({ isLinking }) => isLinking))
    if (word === undefined) break
    picked.push(word.range)
  }
  return { picked, remaining }
}

/**
 * `areBelowHeadings`: whether the texts belong to codes below headings. There, an exclusion ("other than …") means all
 * remaining siblings. In texts of headings, an exclusion is one condition among many.
 */
export function tellApart(texts: readonly string[], areBelowHeadings: boolean): Range[][] {
  const readings = texts.map(readingOf)
  return readings.map(own => {
    const isRest = areBelowHeadings && own.exclusion !== null
    const others = readings.filter(one => one !== own && (!isRest || one.exclusion !== null))
    const { picked, remaining } = pick(own.words, others)
    if (own.exclusion !== null && (isRest || remaining.length > 0)) picked.push(own.exclusion)
    return picked.sort(([a], [b]) => a - b)
  })
}
