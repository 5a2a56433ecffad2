/** Stage 1: splits the text of a query into weighted words. */
import { QUERY_WORDS_MAX } from '../../limits.js'
import { withoutExclusions } from '../../text/exclusions.js'
import { fold, wordsOfFolded } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'
import type { WordData } from '../../text/word-data.js'
import { AMOUNT_WORD, HALF_ASKING_WORD, WHOLE_WORD } from './weights.js'

export interface QueryToken {
  word: string
  stem: string
  weight: number
  /** Whether the word is a quantity or a model number. */
  isAmount: boolean
  /** Whether this is the last word and no space follows, so that the user may still be typing it. */
  isUnfinished: boolean
}

const LETTERS_OR_DIGITS = /[\p{L}\p{N}]+/gu
const LETTER = /\p{L}/u
const DIGIT = /\p{N}/u
const NO_WORDS: ReadonlySet<string> = new Set()
const CAS_NUMBER = /^[0-9]{2,7}-[0-9]{2}-[0-9]$/

/** How informative a word is: it names goods, belongs to the question, or only links words. */
const NAMES = 2
const ASKS = 1
const LINKS = 0

export class QueryReader {
  readonly #stemmer: Stemmer
  readonly #lists: Readonly<Record<'linking' | 'asking' | 'halfAsking' | 'from' | 'units', ReadonlySet<string>>>

  constructor(stemmer: Stemmer, { linking, asking, halfAsking, from, units }: WordData) {
    this.#stemmer = stemmer
    this.#lists = {
      linking: new Set(linking),
      asking: new Set(asking),
      halfAsking: new Set(halfAsking),
      from: new Set(from),
      units: new Set(units),
    }
  }

  /** Keeps only the words of the most informative kind in the query, and each stem only once. */
  read(text: string): QueryToken[] {
    const folded = fold(withoutExclusions(text))
    const words = wordsOfFolded(folded).slice(0, QUERY_WORDS_MAX)
    const isAsking = words.some(word => this.#lists.asking.has(word))
    const kinds = words.map((_, i) => this.#kindOf(words, i, isAsking))
    const best = Math.max(...kinds)
    const endsOpen = !/\s$/.test(folded)
    const models = modelWords(folded)
    const tokens: QueryToken[] = []
    words.forEach((word, i) => {
      const wordStem = this.#stemmer.stem(word)
      if (kinds[i] < best || tokens.some(({ stem }) => stem === wordStem)) return
      const isAmount = models.has(word) || this.#isAmountAt(words, i)
      const isUnfinished = endsOpen && i === words.length - 1 && !isAmount
      tokens.push({ word, stem: wordStem, weight: this.#weightOf(word, isAmount), isAmount, isUnfinished })
    })
    // in a query without other words, a number counts as a full word
    if (tokens.every(({ weight }) => weight < WHOLE_WORD))
      for (const token of tokens) Object.assign(token, { weight: WHOLE_WORD, isAmount: false })
    return tokens
  }

  #kindOf(words: readonly string[], i: number, isAsking: boolean): number {
    const { linking, asking, halfAsking, from } = this.#lists
    const word = words[i]
    const before = words[i - 1]
    const after = words[i + 1]
    // before a pronoun, ما means "what"; elsewhere it may be "water" without its hamza
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

  /** Whether the word is a number, or a unit after a number. */
  #isAmountAt(words: readonly string[], i: number): boolean {
    const word = words[i]
    const before = words[i - 1]
    if (this.#lists.units.has(word) && before !== undefined && isNumber(before)) return true
    return isNumber(word) && !CAS_NUMBER.test(word)
  }
}

/** Parts of model names such as 75hp or v11, which mix letters and digits. */
function modelWords(folded: string): ReadonlySet<string> {
  if (!DIGIT.test(folded)) return NO_WORDS
  const models = (folded.match(LETTERS_OR_DIGITS) ?? []).filter(run => LETTER.test(run) && DIGIT.test(run))
  return new Set(models.flatMap(model => wordsOfFolded(model)))
}

function isNumber(word: string): boolean {
  return /^[0-9]/.test(word)
}
