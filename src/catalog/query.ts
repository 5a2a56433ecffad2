/** A query's words as the terms of the index that may stand for each. */
import { QUERY_WORDS_MAX } from '../limits.js'
import { wordsOfFolded } from '../text/fold.js'
import { stem, stemUnderParticle } from '../text/terms.js'
import { LINKING_WORDS, PREFIX_WORD, TYPO_WORD, WHOLE_WORD } from './ranking.js'
import type { Vocabulary } from './vocabulary.js'

/** Looking for mistyped words is the dearest step, so only so many are looked for. */
const TYPO_WORDS_MAX = 3

/** One word of the query: the terms that may stand for it, all of one kind. */
export interface QueryWord {
  places: number[]
  /** Whether the places are a run of the vocabulary, as those of an unfinished word are. */
  areNeighbours: boolean
  weight: number
}

function uniqueStems(folded: string): string[][] {
  const list = wordsOfFolded(folded).slice(0, QUERY_WORDS_MAX)
  const told = list.filter(word => !LINKING_WORDS.has(word))
  const seen = new Set<string>()
  const stems: string[][] = []
  for (const word of told.length > 0 ? told : list) {
    const main = stem(word)
    if (seen.has(main)) continue
    seen.add(main)
    stems.push([main, stemUnderParticle(word)])
  }
  return stems
}

/**
 * Whole words before unfinished ones before mistyped ones and words run together: the first kind that the index
 * knows is taken. Words it does not know in any way are left out, and so is a word that comes to the same terms as one
 * before it: it would ask for nothing new.
 */
export function interpretWords(folded: string, vocabulary: Vocabulary): QueryWord[] {
  const stems = uniqueStems(folded)
  const found: QueryWord[] = []
  const take = (places: number[], areNeighbours: boolean, weight: number) => {
    if (!found.some(word => areSame(word.places, places))) found.push({ places, areNeighbours, weight })
  }
  // "note books" is also notebook, whichever of the two words is asked for
  const withNext = stems.map(([main = ''], i) => {
    const next = stems[i + 1]
    return next === undefined ? -1 : vocabulary.find(main + next[0])
  })
  let typosLeft = TYPO_WORDS_MAX
  stems.forEach(([main = '', under = ''], i) => {
    const exact = vocabulary.find(main)
    const places = [exact, exact < 0 && under !== '' ? vocabulary.find(under) : -1]
    places.push(withNext[i - 1] ?? -1, withNext[i] ?? -1)
    const whole = places.filter((place, n) => place >= 0 && places.indexOf(place) === n)
    if (whole.length > 0) {
      take(whole, whole.length === 1, WHOLE_WORD)
      return
    }
    const unfinished = main.length >= 2 ? vocabulary.withPrefix(main) : []
    if (unfinished.length > 0) {
      take(unfinished, true, PREFIX_WORD)
      return
    }
    // one wrong letter is likelier than two words run together, and that than two wrong letters
    const forgiven = typosLeft > 0 ? vocabulary.forgiven(main) : 0
    if (forgiven > 0) typosLeft--
    const near = vocabulary.mistyped(main, Math.min(1, forgiven))
    const parts = near.length > 0 ? undefined : vocabulary.split(main)
    if (parts !== undefined) {
      for (const place of parts) take([place], true, WHOLE_WORD)
      return
    }
    const mistyped = near.length > 0 ? near : vocabulary.mistyped(main, forgiven)
    if (mistyped.length > 0) take(mistyped, false, TYPO_WORD)
  })
  return found
}

function areSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((place, i) => place === b[i])
}
