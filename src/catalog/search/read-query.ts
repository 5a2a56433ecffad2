/** Stage 1. The text of a query → the digits of a code, or the words that tell what is asked for. */
import { QUERY_WORDS_MAX } from '../../limits.js'
import { withoutExclusions } from '../../text/exclusions.js'
import { fold, wordsOfFolded } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'
import { AMOUNT_WORD, HALF_ASKING_WORD, WHOLE_WORD } from './weights.js'
import type { WordLists } from './word-lists.js'

export interface AskedWord {
  /** Folded. */
  word: string
  stem: string
  weight: number
  /** It says how much, or which model. */
  isAmount: boolean
  /** The text ends here, so that more letters may follow. */
  isUnfinished: boolean
}

// regexp-ignore: linear, one class that repeats
const LETTERS_OR_DIGITS = /[\p{L}\p{N}]+/gu
const LETTER = /\p{L}/u
const DIGIT = /\p{N}/u
const NO_WORDS: ReadonlySet<string> = new Set()
const CAS = /^[0-9]{2,7}-[0-9]{2}-[0-9]$/

const NAMES = 2
const ASKS = 1
const LINKS = 0

export class QueryReader {
  readonly #stemmer: Stemmer
  readonly #lists: WordLists

  constructor(stemmer: Stemmer, lists: WordLists) {
    this.#stemmer = stemmer
    this.#lists = lists
  }

  /** The words that tell the most, each stem once: words that name something, else words that ask, else words that only link. */
  read(text: string): AskedWord[] {
    const folded = fold(withoutExclusions(text))
    const words = wordsOfFolded(folded).slice(0, QUERY_WORDS_MAX)
    const isAsking = words.some(word => this.#lists.asking.has(word))
    const telling = words.map((_, i) => this.#tellingOf(words, i, isAsking))
    const most = Math.max(...telling)
    const endsOpen = !/\s$/.test(folded)
    const models = modelWords(folded)
    const asked: AskedWord[] = []
    words.forEach((word, i) => {
      const main = this.#stemmer.stem(word)
      if (telling[i] < most || asked.some(({ stem }) => stem === main)) return
      const isAmount = models.has(word) || this.#isAmountAt(words, i)
      const isUnfinished = endsOpen && i === words.length - 1 && !isAmount
      asked.push({ word, stem: main, weight: this.#weightOf(word, isAmount), isAmount, isUnfinished })
    })
    // alone, a number is all there is to go by
    if (asked.every(({ weight }) => weight < WHOLE_WORD))
      for (const one of asked) Object.assign(one, { weight: WHOLE_WORD, isAmount: false })
    return asked
  }

  /** How much a word tells of the good, by itself and by the words around it. */
  #tellingOf(words: readonly string[], i: number, isAsking: boolean): number {
    const { linking, asking, halfAsking, from } = this.#lists
    const word = words[i]
    const before = words[i - 1]
    const after = words[i + 1]
    // ما is both "what" and, its hamza left out, "water": before a pronoun it asks
    const isWhat = word === 'ما' && (after === 'هي' || after === 'هو')
    if (linking.has(word) || isWhat) return LINKS
    if (asking.has(word)) return ASKS
    const isFrom = before !== undefined && from.has(before)
    return (isAsking || isFrom) && halfAsking.has(word) ? ASKS : NAMES
  }

  #weightOf(word: string, isAmount: boolean): number {
    if (isAmount) return AMOUNT_WORD
    return this.#lists.halfAsking.has(word) ? HALF_ASKING_WORD : WHOLE_WORD
  }

  /** A number with its unit says how much, not what. */
  #isAmountAt(words: readonly string[], i: number): boolean {
    const word = words[i]
    const before = words[i - 1]
    if (this.#lists.units.has(word) && before !== undefined && isNumber(before)) return true
    return isNumber(word) && !CAS.test(word)
  }
}

/** The words, taken apart, of all that is written with both letters and digits: they say which model (75hp, v11), not what. */
function modelWords(folded: string): ReadonlySet<string> {
  if (!DIGIT.test(folded)) return NO_WORDS
  const models = (folded.match(LETTERS_OR_DIGITS) ?? []).filter(run => LETTER.test(run) && DIGIT.test(run))
  return new Set(models.flatMap(model => wordsOfFolded(model)))
}

function isNumber(word: string): boolean {
  return /^[0-9]/.test(word)
}
