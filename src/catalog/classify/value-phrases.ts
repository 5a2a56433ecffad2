/** Finds the phrases that state a value of an attribute ("frozen", "of leather") among the words of a text. */
import type { AttributeValue } from '../../snapshot/format.js'
import { words } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'

export interface ValuePhrase {
  terms: readonly string[]
  value: number
}

const NONE: readonly ValuePhrase[] = []

export class ValuePhrases {
  /** By first term, the longest phrase first; created on first use. */
  #byTerm: Map<string, ValuePhrase[]> | undefined

  constructor(
    private readonly values: readonly Pick<AttributeValue, 'phrases'>[],
    private readonly stemmer: Stemmer,
  ) {}

  /** `written`: folded words, `terms`: their stems. The phrases that start at a word, with or without an Arabic particle. */
  at(written: readonly string[], terms: readonly string[], at: number): readonly ValuePhrase[] {
    this.#byTerm ??= this.#read()
    const particle = this.stemmer.stemWithoutParticle(written[at])
    const own = this.#byTerm.get(terms[at]) ?? NONE
    const all = particle === '' ? own : [...own, ...(this.#byTerm.get(particle) ?? NONE)]
    return all.length === 0 ? NONE : all.filter(phrase => phrase.terms.every((one, i) => i === 0 || terms[at + i] === one))
  }

  /** The folded words of a text, and their stems. */
  read(text: string): { written: string[]; terms: string[] } {
    const written = words(text)
    return { written, terms: written.map(word => this.stemmer.stem(word)) }
  }

  #read(): Map<string, ValuePhrase[]> {
    const byTerm = new Map<string, ValuePhrase[]>()
    this.values.forEach(({ phrases }, value) => {
      for (const phrase of phrases) {
        const terms = phrase.split(' ')
        const same = byTerm.get(terms[0])
        if (same === undefined) byTerm.set(terms[0], [{ terms, value }])
        else same.push({ terms, value })
      }
    })
    for (const same of byTerm.values()) same.sort((a, b) => b.terms.length - a.terms.length)
    return byTerm
  }
}
