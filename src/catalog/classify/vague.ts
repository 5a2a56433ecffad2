/** Texts that name no goods: "parts", "gift", "goods as per invoice". */
import type { Bilingual } from '../../snapshot/country-format.js'
import type { VagueGoods } from '../../snapshot/format.js'
import type { Stemmer } from '../../text/terms.js'

interface VaguePhrase {
  terms: string[]
  /** Index into `vagueGoods`. */
  row: number
}

export class VagueReader {
  /** Phrases by their first term, the longest first. */
  readonly #phrases = new Map<string, VaguePhrase[]>()
  readonly #fallback: number

  constructor(
    private readonly goods: readonly VagueGoods[],
    private readonly stemmer: Stemmer,
  ) {
    goods.forEach(({ phrases }, row) => {
      for (const phrase of phrases) {
        const terms = phrase.split(' ')
        const same = this.#phrases.get(terms[0])
        if (same === undefined) this.#phrases.set(terms[0], [{ terms, row }])
        else same.push({ terms, row })
      }
    })
    for (const same of this.#phrases.values()) same.sort((a, b) => b.terms.length - a.terms.length)
    // for a text such as "misc", whose own row states no missing detail
    this.#fallback = goods.findIndex(({ missing }) => missing !== null)
  }

  /**
   * The detail that is missing; undefined if a word names goods. `isKnown`: whether a word is a term of the index; unknown
   * words are assumed not to name goods.
   */
  missingIn(words: readonly string[], isKnown: (word: string) => boolean): Bilingual | undefined {
    const terms = words.map(word => this.stemmer.stem(word))
    let found: number | undefined
    let isAny = false
    for (let at = 0; at < terms.length; ) {
      const match = this.#at(words, terms, at)
      if (match !== undefined) {
        isAny = true
        if (this.goods[match.row].missing !== null) found ??= match.row
        at += match.terms.length
      } else if (/^\p{N}/u.test(words[at]) || words[at].length < 2 || !isKnown(words[at])) at++
      else return undefined
    }
    if (found === undefined && isAny) found = this.#fallback
    return found === undefined || found < 0 ? undefined : (this.goods[found].missing ?? undefined)
  }

  #at(words: readonly string[], terms: readonly string[], at: number): VaguePhrase | undefined {
    const under = this.stemmer.stemWithoutParticle(words[at])
    const firsts = under === '' ? [terms[at]] : [terms[at], under]
    for (const first of firsts)
      for (const phrase of this.#phrases.get(first) ?? [])
        if (phrase.terms.every((term, i) => i === 0 || terms[at + i] === term)) return phrase
    return undefined
  }
}
