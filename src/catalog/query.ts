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
 * knows is taken. Words it does not know in any way are left out.
 */
export function interpretWords(folded: string, vocabulary: Vocabulary): QueryWord[] {
  const stems = uniqueStems(folded)
  const found: QueryWord[] = []
  let typosLeft = TYPO_WORDS_MAX
  stems.forEach(([main = '', under = ''], i) => {
    const places = [vocabulary.find(main)]
    if (places[0] === -1 && under !== '') places.push(vocabulary.find(under))
    // "note books" is also notebook, whichever of the two words is asked for
    const before = stems[i - 1]?.[0]
    const after = stems[i + 1]?.[0]
    if (before !== undefined) places.push(vocabulary.find(before + main))
    if (after !== undefined) places.push(vocabulary.find(main + after))
    const whole = [...new Set(places.filter(place => place >= 0))]
    if (whole.length > 0) {
      found.push({ places: whole, weight: WHOLE_WORD })
      return
    }
    const unfinished = main.length >= 2 ? vocabulary.withPrefix(main) : []
    if (unfinished.length > 0) {
      found.push({ places: unfinished, weight: PREFIX_WORD })
      return
    }
    // one wrong letter is likelier than two words run together, and that than two wrong letters
    const forgiven = typosLeft > 0 ? vocabulary.forgiven(main) : 0
    if (forgiven > 0) typosLeft--
    const near = vocabulary.mistyped(main, Math.min(1, forgiven))
    const parts = near.length > 0 ? undefined : vocabulary.split(main)
    if (parts !== undefined) {
      for (const place of parts) found.push({ places: [place], weight: WHOLE_WORD })
      return
    }
    const mistyped = near.length > 0 ? near : vocabulary.mistyped(main, forgiven)
    if (mistyped.length > 0) found.push({ places: mistyped, weight: TYPO_WORD })
  })
  return found
}
