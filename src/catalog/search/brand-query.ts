/** Queries with names of brands: "iphone 15 pro max" finds smartphones, not soya beans (Glycine max). */
import type { Brand } from '../../snapshot/format.js'
import { words } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'
import { Brands, type FoundBrand } from '../brands.js'
import type { Vocabulary } from './vocabulary.js'

export interface ReadQuery {
  /** If the query is only a brand and its model: codes of the goods, likeliest first; otherwise empty. */
  codes: readonly string[]
  /** The words to search for: the query without the names of brands that are not in the index. */
  rest: string
}

export class BrandQuery {
  readonly #brands: Brands

  constructor(
    brands: readonly Brand[],
    private readonly vocabulary: Vocabulary,
    private readonly stemmer: Stemmer,
  ) {
    this.#brands = new Brands(brands)
  }

  read(text: string): ReadQuery {
    const all = words(text)
    const found = this.#brands.find(all)
    if (found.length === 0) return { codes: [], rest: text }
    const isIn = (at: number, { at: start, modelEnd }: FoundBrand) => at >= start && at < modelEnd
    const isWhole = all.every((_, at) => found.some(one => isIn(at, one)))
    if (isWhole && found.some(one => this.#isBrand(one, all))) return { codes: codesOf(found), rest: '' }
    const unknown = found.filter(one => one.brand.kind !== 'word' && !this.#isKnown(all.slice(one.at, one.end)))
    if (unknown.length === 0) return { codes: [], rest: text }
    const rest = without(text, at => unknown.some(one => isIn(at, one)))
    // if the removed name was last, a space marks the word before it as complete
    return {
      codes: [],
      rest: rest === '' ? text : `${rest}${isIn(all.length - 1, unknown[unknown.length - 1]) ? ' ' : ''}`,
    }
  }

  /** A brand whose name is in the index is searched like any other word: "vaseline" is a keyword. */
  #isBrand({ brand, at, end, modelEnd }: FoundBrand, all: readonly string[]): boolean {
    if (brand.kind === 'word') return modelEnd > end
    return modelEnd > end || !this.#isKnown(all.slice(at, end))
  }

  #isKnown(name: readonly string[]): boolean {
    return name.every(word => this.vocabulary.find(this.stemmer.stem(word)) >= 0)
  }
}

/** The text without some of its words. The other words stay as written: "75hp" is an amount, "75 hp" is not. */
function without(text: string, isLeftOut: (at: number) => boolean): string {
  let at = 0
  const kept = text.split(' ').map(part => {
    const all = words(part)
    const left = all.filter((_, i) => !isLeftOut(at + i))
    at += all.length
    return left.length === all.length ? part : left.join(' ')
  })
  return kept.filter(part => part !== '').join(' ')
}

/** Codes of the product lines in the query, which are more specific than brands; without any, codes of the brands. */
function codesOf(found: readonly FoundBrand[]): string[] {
  const lines = found.filter(({ brand }) => brand.kind === 'line')
  return [...new Set((lines.length > 0 ? lines : found).flatMap(({ brand }) => brand.codes))]
}
