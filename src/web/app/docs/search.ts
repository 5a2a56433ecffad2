/**
 * Finds sections of the documentation: every word of the query must be the start of a word in the section or in its page's
 * title.
 */
import { words } from '../../../text/fold.js'
import type { Piece } from '../text/mark.js'
import type { Language } from '../text/strings.js'
import type { IndexedPage } from './index-file.js'

const IN_TITLE = 5
const IN_HEADING = 3
const IN_TEXT = 1
/** Bonus for words that follow one another, such as "hsapi" and "port" in HSAPI_PORT. */
const AS_PHRASE = 3

const EXCERPT_CHARS = 160
const BEFORE_CHARS = 40
const WORD = /[\p{L}\p{M}\p{N}'’]+/gu

export interface Found {
  address: string
  title: string
  heading: string
  text: string
  lang: Language
}

/** One space before each word, so that a search for ` wor` matches only the start of a word. */
const searchable = (text: string) => ` ${words(text).join(' ')}`

export class DocsSearch {
  readonly #entries: { found: Found; title: string; heading: string; text: string }[] = []

  constructor(pages: readonly IndexedPage[]) {
    for (const { address, title, lang, sections } of pages)
      for (const [anchor, heading, text] of sections) {
        const found = { address: anchor === '' ? address : `${address}#${anchor}`, title, heading, text, lang }
        // only the entry of the page itself scores words of the title as a title; in entries of sections they score as text
        const start = anchor === '' ? searchable(title) : ''
        this.#entries.push({ found, title: start, heading: searchable(heading), text: searchable(`${title} ${text}`) })
      }
  }

  /** Best first; equally good results in the order of the pages. */
  find(query: string): Found[] {
    const wanted = words(query).map(word => ` ${word}`)
    if (wanted.length === 0) return []
    const phrase = wanted.join('')
    const scored = this.#entries.map(({ found, title, heading, text }) => {
      let score = wanted.length > 1 && `${heading}\n${text}`.includes(phrase) ? AS_PHRASE : 0
      for (const word of wanted) {
        if (title.includes(word)) score += IN_TITLE
        else if (heading.includes(word)) score += IN_HEADING
        else if (text.includes(word)) score += IN_TEXT
        else return { found, score: 0 }
      }
      return { found, score }
    })
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ found }) => found)
  }
}

/** The part of a text around the words of the query, which are marked. Prefers a place where the words follow one another. */
export function excerpt(text: string, query: string): Piece[] {
  const wanted = words(query)
  const begins = (word: string, start: string) => words(word).some(one => one.startsWith(start))
  const isWanted = (word: string) => wanted.some(start => begins(word, start))
  const all = [...text.matchAll(WORD)]
  const phrase = all.find((_, i) => wanted.every((start, n) => begins(all[i + n]?.[0] ?? '', start)))
  const first = (phrase ?? all.find(([word]) => isWanted(word)))?.index ?? 0
  const from = first <= BEFORE_CHARS ? 0 : text.indexOf(' ', first - BEFORE_CHARS) + 1
  const end = from + EXCERPT_CHARS >= text.length ? text.length : text.lastIndexOf(' ', from + EXCERPT_CHARS)
  const cut = text.slice(from, end)
  const pieces: Piece[] = [{ text: from > 0 ? '… ' : '', isMarked: false }]
  let done = 0
  for (const { 0: word, index } of cut.matchAll(WORD)) {
    if (!isWanted(word)) continue
    pieces.push({ text: cut.slice(done, index), isMarked: false }, { text: word, isMarked: true })
    done = index + word.length
  }
  pieces.push({ text: cut.slice(done) + (end < text.length ? ' …' : ''), isMarked: false })
  return pieces.filter(piece => piece.text !== '')
}
