/** Light Arabic stemming of folded words. Root stemming would merge different goods (مكتب, مكتبة, كتاب). */
import type { WordForm } from './word-data.js'

/** Minimum length after removing an ending or article. */
const STEM_MIN = 3

const ARTICLES = ['وال', 'بال', 'كال', 'فال', 'لل', 'ال']
/**
 * Endings of the feminine dual and plural, the pronoun, and taa marbuta. The endings ون, ين, ان and ي are not in the list,
 * because they mostly belong to the word (زيتون، بنزين، رمان).
 */
const ENDINGS = ['تان', 'تين', 'ات', 'ها', 'ه']
/** Minimum length after removing a dual ending. In shorter words, it may be part of the word (بلاتين، جلوتين). */
const DUAL_STEM_MIN = 4
/** One-letter particles; only the vocabulary shows whether the first letter of a word is a particle. */
const PARTICLES = 'وبلفك'

function withoutArticle(word: string): string {
  for (const article of ARTICLES) {
    if (word.startsWith(article) && word.length - article.length >= STEM_MIN) return word.slice(article.length)
  }
  return word
}

export class ArabicStems {
  /** The singular of each broken plural. */
  readonly #singular: ReadonlyMap<string, string>
  readonly #pluralsOf = new Map<string, string[]>()
  /** Words that keep their ending. */
  readonly #whole: ReadonlySet<string>
  /** Broken plurals, sorted. */
  readonly plurals: readonly string[]

  constructor(plurals: readonly WordForm[], whole: readonly string[]) {
    this.#singular = new Map(plurals)
    this.#whole = new Set(whole)
    this.plurals = plurals.map(([plural]) => plural).sort()
    for (const [plural, singular] of plurals) this.#pluralsOf.set(singular, [...(this.#pluralsOf.get(singular) ?? []), plural])
  }

  stem(word: string): string {
    const singular = this.#singular.get(word)
    return singular === undefined ? this.#plain(withoutArticle(word)) : this.#withoutEnding(singular)
  }

  /** The stem of a word without its one-letter particle (وفواكه → فواكه); '' if the first letter cannot be a particle. */
  stemWithoutParticle(word: string): string {
    if (word.length <= STEM_MIN || !PARTICLES.includes(word[0])) return ''
    return this.stem(word.slice(1))
  }

  otherForms(word: string): readonly string[] {
    const singular = this.#singular.get(word)
    const plurals = this.#pluralsOf.get(word) ?? []
    return singular === undefined || singular === word ? plurals : [singular, ...plurals]
  }

  /** A plural may have an ending (عطورات), so the table is searched before and after removing it. */
  #plain(word: string): string {
    const bare = this.#withoutEnding(this.#singular.get(word) ?? word)
    const singular = this.#singular.get(bare)
    return singular === undefined ? bare : this.#withoutEnding(singular)
  }

  #withoutEnding(word: string): string {
    if (this.#whole.has(word)) return word
    for (const ending of ENDINGS) {
      const least = ending.length === 3 ? DUAL_STEM_MIN : STEM_MIN
      if (word.endsWith(ending) && word.length - ending.length >= least) return word.slice(0, -ending.length)
    }
    return word
  }
}
