/** Marks the words of a query in a text by the rules of the search: hamza, taa marbuta, articles, plurals, British spelling. */
import { isArabic, words } from '../../../text/fold.js'
import { EMPTY } from './empty-words.js'
import { stemmer } from './stemmer.js'

const WORD = /[\p{L}\p{M}\p{N}'’ـ]+/gu
const PREFIX_MIN = 2
/** Words with fewer letters must match exactly. */
const MISTAKE_MIN = 5

/** Whether the words differ by one letter changed, missing or added, or by two letters swapped. */
export function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let from = 0
  while (from < a.length && from < b.length && a[from] === b[from]) from++
  let endA = a.length
  let endB = b.length
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  const left = endA - from
  const right = endB - from
  if (left <= 1 && right <= 1) return true
  return left === 2 && right === 2 && a[from] === b[from + 1] && a[from + 1] === b[from]
}

export interface Piece {
  text: string
  isMarked: boolean
}

export class Marker {
  readonly #stems: string[]
  /** The unfinished last word. */
  readonly #last: string

  constructor(text: string) {
    const list = words(text)
    const telling = list.filter(word => !EMPTY.has(word))
    const wanted = telling.length > 0 ? telling : list
    this.#stems = [...new Set(wanted.flatMap(word => [stemmer.stem(word), stemmer.stemWithoutParticle(word)]).filter(Boolean))]
    this.#last = wanted.at(-1) ?? ''
  }

  /** How well a word matches: 0 not at all, 1 with a typo, 2 exactly. */
  #fit(written: string): number {
    let best = 0
    for (const word of words(written)) {
      const stemmed = stemmer.stem(word)
      const under = stemmer.stemWithoutParticle(word)
      if (this.#stems.includes(stemmed) || (under !== '' && this.#stems.includes(under))) return 2
      const bare = isArabic(word) && word.startsWith('ال') ? word.slice(2) : word
      if (this.#last.length >= PREFIX_MIN && (word.startsWith(this.#last) || bare.startsWith(this.#last))) return 2
      if (stemmed.length >= MISTAKE_MIN && this.#stems.some(one => isNear(one, stemmed))) best = 1
    }
    return best
  }

  /** Splits the text into pieces, and marks those that match. */
  pieces(text: string): Piece[] {
    const found = [...text.matchAll(WORD)].map(match => ({ match, fit: this.#fit(match[0]) }))
    // typos count only if nothing matches exactly
    const least = found.some(({ fit }) => fit === 2) ? 2 : 1
    const pieces: Piece[] = []
    let from = 0
    for (const { match, fit } of found) {
      if (fit < least) continue
      pieces.push({ text: text.slice(from, match.index), isMarked: false }, { text: match[0], isMarked: true })
      from = match.index + match[0].length
    }
    pieces.push({ text: text.slice(from), isMarked: false })
    return pieces
  }
}
