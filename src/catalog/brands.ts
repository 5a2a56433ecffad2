/** Finds names of brands and product lines in a text. */
import type { Brand } from '../snapshot/format.js'

export interface FoundBrand {
  brand: Brand
  /** The words `[at, end)` are the brand's name; the words from `end` to `modelEnd` are its model: "14 Pro". */
  at: number
  end: number
  modelEnd: number
}

/** After the name of a brand, these words belong to the model, as do numbers and words with digits. */
const MODEL_WORDS: ReadonlySet<string> = new Set(
  'pro max ultra plus mini lite note air se fe gen edition series model boost neo turbo gt xl rs برو ماكس الترا بلس ميني لايت'.split(
    ' ',
  ),
)
const SHORT_WORDS: ReadonlySet<string> = new Set('of in on at to by or من في'.split(' '))
const HAS_DIGIT = /\p{N}/u
const ARTICLE = 'ال'

export class Brands {
  /** Spellings of names by their first word, longest first. */
  readonly #spellings = new Map<string, { words: string[]; brand: Brand }[]>()

  constructor(brands: readonly Brand[]) {
    for (const brand of brands)
      for (const spelling of brand.spellings) {
        const words = spelling.split(' ')
        const spellings = this.#spellings.get(words[0])
        if (spellings === undefined) this.#spellings.set(words[0], [{ words, brand }])
        else spellings.push({ words, brand })
      }
    for (const spellings of this.#spellings.values()) spellings.sort((a, b) => b.words.length - a.words.length)
  }

  /** The brands among the folded words of a text, in text order. */
  find(words: readonly string[]): FoundBrand[] {
    const found: FoundBrand[] = []
    for (let at = 0; at < words.length; ) {
      const match = this.#at(words, at)
      if (match === undefined) at++
      else {
        const end = at + match.words.length
        let modelEnd = end
        while (modelEnd < words.length && isModelWord(words, modelEnd)) modelEnd++
        found.push({ brand: match.brand, at, end, modelEnd })
        at = end
      }
    }
    return found
  }

  #at(words: readonly string[], at: number) {
    const word = words[at]
    const spellings = this.#spellings.get(word) ?? (word.startsWith(ARTICLE) ? this.#spellings.get(word.slice(2)) : undefined)
    return spellings?.find(spelling => spelling.words.every((spelled, i) => i === 0 || words[at + i] === spelled))
  }
}

/** Whether a word belongs to a model: a number, the letters next to a number ("es 6"), or a word such as "pro". */
function isModelWord(words: readonly string[], at: number): boolean {
  const word = words[at]
  if (HAS_DIGIT.test(word) || MODEL_WORDS.has(word)) return true
  const next = words[at + 1]
  return word.length <= 2 && next !== undefined && HAS_DIGIT.test(next) && !SHORT_WORDS.has(word)
}
