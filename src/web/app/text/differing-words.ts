/** Finds, for each of a few texts, the words that at least half of the other texts lack. */
import { EMPTY } from './empty-words.js'
import { stemmer } from './stemmer.js'
import type { Range } from './tell-apart.js'

// regexp-ignore: dataset text, a description has at most 1,000 characters
const WORD = /[\p{L}\p{M}\p{N}'’ـ.,-]*[\p{L}\p{M}\p{N}]/gu

/** Compares stems, so that plurals and articles make no difference. A word that folds to nothing has no stem. */
function keysOf(written: string): readonly string[] {
  const stems = stemmer.terms(written)
  return stems.length > 0 ? stems : [written.toLowerCase()]
}

export function differingWords(texts: readonly string[]): Range[][] {
  const read = texts.map(text =>
    [...text.matchAll(WORD)].map(({ 0: written, index }) => ({
      range: [index, index + written.length] as const,
      keys: keysOf(written),
      isEmpty: EMPTY.has(written.toLowerCase()),
    })),
  )
  const known = read.map(words => new Set(words.flatMap(({ keys }) => keys)))
  return read.map((words, at) => {
    const others = known.filter((_, i) => i !== at)
    if (others.length === 0) return []
    return words
      .filter(
        ({ keys, isEmpty }) => !isEmpty && 2 * others.filter(other => keys.some(key => !other.has(key))).length >= others.length,
      )
      .map(({ range }) => range)
  })
}
