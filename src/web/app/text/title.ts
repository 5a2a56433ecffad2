/**
 * Whether a text reads like the title of a product, as invoices and shops write it, rather than like words to search for.
 * docs/classify.md says how often this is right.
 */
import { codeTyped } from '../../../codes/in-text.js'
import { EMPTY } from './empty-words.js'

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.-]*/gu
/** Lists as in tariffs and indexes, which are not titles: "rice, in the husk", "knitted or crocheted". */
const LISTING = /[,،;]|(?<!\p{L})(?:or|أو|او)(?!\p{L})/iu
const WORDS_MIN = 4
/** A list of at least this many words is read as a title. */
const LONG_MIN = 7
const WITH_FIGURE_MIN = 2
const WITH_NAME_MIN = 3

const isCapital = (word: string) => /^\p{Lu}/u.test(word)

export function readsLikeTitle(text: string): boolean {
  if (codeTyped(text) !== '') return false
  const words = text.match(WORD) ?? []
  const telling = words.filter(word => !EMPTY.has(word.toLowerCase()))
  const named = telling.filter(word => /^\p{L}/u.test(word))
  if (telling.length >= LONG_MIN) return true
  // a size, a quantity, a model
  if (named.length >= WITH_FIGURE_MIN && /\p{Nd}/u.test(text)) return true
  // a brand, or a text in capitals; searches are mostly in lower case
  if (telling.length >= WITH_NAME_MIN && telling.slice(1).some(isCapital)) return true
  return words.length >= WORDS_MIN && !LISTING.test(text)
}
