/** A query's words as the terms of the index that may stand for each. */
import { QUERY_WORDS_MAX } from '../limits.js'
import { wordsOfFolded } from '../text/fold.js'
import { stem, stemUnderParticle } from '../text/terms.js'
import {
  ASKING_WORDS,
  LINKING_WORDS,
  LONGER_WORD,
  PREFIX_WORD,
  QUANTITY,
  TYPO_WORD,
  UNITS,
  WHOLE_WORD,
} from './ranking.js'
import type { Vocabulary } from './vocabulary.js'

/** Looking for mistyped words is the dearest step, so only so many are looked for. */
const TYPO_WORDS_MAX = 3
const IS_NUMBER = /^[0-9]/
const CAS = /^[0-9]{2,7}-[0-9]{2}-[0-9]$/
/** A last word of so many letters may be the beginning of a longer one. */
const OPEN_CHARS_MIN = 3
/** … which is so many times as common as the word itself. */
const LONGER_USED = 3
const LONGER_MAX = 6

/** One word of the query: the terms that may stand for it, all of one kind. */
export interface QueryWord {
  places: number[]
  /** What each of them counts; all in full where nothing is said. */
  factors?: number[]
  /** Whether the places are a run of the vocabulary, as those of an unfinished word are. */
  areNeighbours: boolean
  weight: number
}

interface Asked {
  main: string
  under: string
  weight: number
}

/** A number with its unit says how much, not what: it may be left out without loss. */
function isQuantity(list: readonly string[], i: number): boolean {
  const word = list[i] as string
  if (UNITS.has(word)) return i > 0 && IS_NUMBER.test(list[i - 1] as string)
  return IS_NUMBER.test(word) && !CAS.test(word)
}

/** ما is both "what" and, its hamza left out, "water": before a pronoun it asks. */
function isWhat(word: string, next: string | undefined): boolean {
  return word === 'ما' && (next === 'هي' || next === 'هو')
}

function askedWords(folded: string): Asked[] {
  const list = wordsOfFolded(folded).slice(0, QUERY_WORDS_MAX)
  const all = list.map((word, i) => ({ word, weight: isQuantity(list, i) ? QUANTITY : WHOLE_WORD }))
  const told = all.filter(({ word }, i) => !LINKING_WORDS.has(word) && !isWhat(word, list[i + 1]))
  const named = told.filter(({ word }) => !ASKING_WORDS.has(word))
  const seen = new Set<string>()
  const asked: Asked[] = []
  for (const { word, weight } of named.length > 0 ? named : told.length > 0 ? told : all) {
    const main = stem(word)
    if (seen.has(main)) continue
    seen.add(main)
    asked.push({ main, under: stemUnderParticle(word), weight })
  }
  // alone, a number is all there is to go by
  if (asked.every(({ weight }) => weight === QUANTITY)) for (const one of asked) one.weight = WHOLE_WORD
  return asked
}

/**
 * Whole words before unfinished ones before mistyped ones and words run together: the first kind that the index
 * knows is taken; only the last word, which may be still being typed, stands for longer ones besides. Words it does not
 * know in any way are left out, and so is a word that comes to the same terms as one before it: it would ask for nothing new.
 */
export function interpretWords(
  folded: string,
  vocabulary: Vocabulary,
  used: (place: number) => number,
): QueryWord[] {
  const asked = askedWords(folded)
  const found: QueryWord[] = []
  const take = (word: QueryWord) => {
    if (!found.some(({ places }) => areSame(places, word.places))) found.push(word)
  }
  // "note books" is also notebook, whichever of the two words is asked for
  const withNext = asked.map(({ main }, i) => {
    const next = asked[i + 1]
    return next === undefined ? -1 : vocabulary.find(main + next.main)
  })
  const isOpen = !/\s$/.test(folded)
  let typosLeft = TYPO_WORDS_MAX
  /** One wrong letter is likelier than two words run together, and that than two wrong letters. */
  const forgive = ({ main, weight }: Asked) => {
    const forgiven = typosLeft > 0 ? vocabulary.forgiven(main) : 0
    if (forgiven > 0) typosLeft--
    const near = vocabulary.mistyped(main, Math.min(1, forgiven))
    const parts = near.length > 0 ? undefined : vocabulary.split(main)
    for (const place of parts ?? []) take({ places: [place], areNeighbours: true, weight })
    if (parts !== undefined) return
    const mistyped = near.length > 0 ? near : vocabulary.mistyped(main, forgiven)
    if (mistyped.length > 0) take({ places: mistyped, areNeighbours: false, weight: weight * TYPO_WORD })
  }
  for (const [i, word] of asked.entries()) {
    const { main, under, weight } = word
    const exact = vocabulary.find(main)
    const places = [exact, exact < 0 && under !== '' ? vocabulary.find(under) : -1]
    places.push(withNext[i - 1] ?? -1, withNext[i] ?? -1)
    const whole = places.filter((place, n) => place >= 0 && places.indexOf(place) === n)
    if (whole.length > 0) {
      const mayGoOn = isOpen && i === asked.length - 1 && main.length >= OPEN_CHARS_MIN
      const longer = mayGoOn ? longerThan(main, whole, vocabulary, used) : []
      if (longer.length === 0) take({ places: whole, areNeighbours: whole.length === 1, weight })
      else {
        const factors = [...whole.map(() => 1), ...longer.map(() => LONGER_WORD)]
        take({ places: [...whole, ...longer], factors, areNeighbours: false, weight })
      }
      continue
    }
    const unfinished = main.length >= 2 ? vocabulary.withPrefix(main, used) : []
    if (unfinished.length > 0)
      take({ places: unfinished, areNeighbours: false, weight: weight * PREFIX_WORD })
    else forgive(word)
  }
  return found
}

/** What a word may be the beginning of, where it is more used than the word itself. */
function longerThan(
  main: string,
  whole: readonly number[],
  vocabulary: Vocabulary,
  used: (place: number) => number,
): number[] {
  const own = used(whole[0] as number)
  return vocabulary
    .withPrefix(main, used)
    .filter(place => !whole.includes(place) && used(place) > own * LONGER_USED)
    .slice(0, LONGER_MAX)
}

function areSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((place, i) => place === b[i])
}
