/** Light English stemming: plurals and spelling; irregular forms come from the dataset. */
import type { WordForm } from './word-data.js'

export class EnglishStems {
  readonly #american: ReadonlyMap<string, string>
  readonly #singular: ReadonlyMap<string, string>

  constructor(spellings: readonly WordForm[], plurals: readonly WordForm[]) {
    this.#american = new Map(spellings)
    this.#singular = new Map(plurals)
  }

  /** Plurals only: "knitted" and "knit" stay different on purpose. */
  stem(word: string): string {
    const singular = this.#singular.get(word) ?? withoutPluralEnding(word)
    return this.#american.get(singular) ?? withAmericanEnding(singular)
  }
}

function withoutPluralEnding(word: string): string {
  const n = word.length
  if (n < 4 || !word.endsWith('s')) return word
  if (word.endsWith('ies')) return n > 4 ? `${word.slice(0, -3)}y` : word
  if (/(?:[sxz]|ch|sh)es$/.test(word)) {
    // "axes", "boxes", "dishes" lose es; in "houses", "sizes" the e belongs to the word
    if (/(?:[aeiou]s|[aeiouy]z|ns|rs|ps)es$/.test(word) && !/(?:us|ias)es$/.test(word)) return word.slice(0, -1)
    return word.slice(0, -2)
  }
  if (word.endsWith('oes')) return word.slice(0, -2)
  if (/(?:ss|us|is)$/.test(word)) return word
  return word.slice(0, -1)
}

/** Quick test, because most words need none of the replacements below. */
const BRITISH =
  /sulph|paed|^(?:haem|oeso|gynaec|anaes|fibre)|our(?:ed|ing|less|ful|ant)$|ll(?:ed|ing)$|[iy]s(?:e|ed|er|ing|ation)$/

/** British to American spelling by rule. */
function withAmericanEnding(word: string): string {
  if (word.length < 6 || !BRITISH.test(word)) return word
  return word
    .replace('sulph', 'sulf')
    .replace(/^haem/, 'hem')
    .replace(/^oeso/, 'eso')
    .replace('paed', 'ped')
    .replace(/^gynaec/, 'gynec')
    .replace(/^anaes/, 'anes')
    .replace(/our(ed|ing|less|ful|ant)$/, 'or$1')
    .replace(/^fibre/, 'fiber')
    .replace(/ll(ed|ing)$/, 'l$1')
    .replace(/is(e|ed|er|ing|ation)$/, 'iz$1')
    .replace(/ys(e|ed|er|ing)$/, 'yz$1')
}
