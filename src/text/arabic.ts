/**
 * Light Arabic stemming over folded words (see fold.ts: no hamza, ة is ه, ى is ي). A root-based stemmer was
 * rejected: it joins words that traders keep apart (مكتب, مكتبة, كتاب).
 */
import type { WordForm } from './word-data.js'

/** What must remain of a word after an ending or an article is taken off. */
const STEM_MIN = 3

const ARTICLES = ['وال', 'بال', 'كال', 'فال', 'لل', 'ال']
/**
 * Feminine dual, feminine plural, attached pronoun, taa marbuta. The masculine endings ون ين ان and the ي of relation
 * are left on: in goods they mostly belong to the word (زيتون، بنزين، رمان، زبادي).
 */
const ENDINGS = ['تان', 'تين', 'ات', 'ها', 'ه']
/** What must remain before a dual ending: shorter words end in it by nature (بلاتين، جلوتين). */
const DUAL_STEM_MIN = 4
/** Particles of one letter that stick to a word; whether they do can be told only from the words that exist. */
const PARTICLES = 'وبلفك'

function withoutArticle(word: string): string {
  for (const article of ARTICLES) {
    if (word.startsWith(article) && word.length - article.length >= STEM_MIN) return word.slice(article.length)
  }
  return word
}

export class ArabicStems {
  /** Broken plurals and their singulars. */
  readonly #singular: ReadonlyMap<string, string>
  readonly #pluralsOf = new Map<string, string[]>()
  readonly #whole: ReadonlySet<string>
  /** All broken plurals, in order. */
  readonly plurals: readonly string[]

  constructor(plurals: readonly WordForm[], whole: readonly string[]) {
    this.#singular = new Map(plurals)
    this.#whole = new Set(whole)
    this.plurals = plurals.map(([plural]) => plural).sort()
    for (const [plural, one] of plurals) this.#pluralsOf.set(one, [...(this.#pluralsOf.get(one) ?? []), plural])
  }

  stem(word: string): string {
    const known = this.#singular.get(word)
    return known === undefined ? this.#plain(withoutArticle(word)) : this.#withoutEnding(known)
  }

  /** The stem under a one-letter particle (وفواكه → فواكه), or '' where there can be none. */
  stemUnderParticle(word: string): string {
    if (word.length <= STEM_MIN || !PARTICLES.includes(word[0])) return ''
    return this.stem(word.slice(1))
  }

  otherForms(word: string): readonly string[] {
    const one = this.#singular.get(word)
    const plurals = this.#pluralsOf.get(word) ?? []
    return one === undefined || one === word ? plurals : [one, ...plurals]
  }

  /** A plural may carry an ending of its own (عطورات), so the table is asked before and after. */
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
