/** Everyday names of records: the keywords of the dataset, which the snapshot stores once, as suggested phrases. */
import { EXAMPLES_MAX, LANGUAGES } from '../limits.js'
import type { Columns } from '../snapshot/schema.js'
import type { Records } from './records.js'
import type { Language, Suggest } from './suggest.js'

export interface Name {
  text: string
  lang: Language
}

/** Off the hot path: names are collected on request. */
export class Names {
  constructor(
    private readonly columns: Columns,
    private readonly suggest: Suggest,
    private readonly records: Records,
  ) {}

  /** The best known name first; of names that differ only in endings or spaces, only one. */
  of(record: number, language: Language): string[] {
    const { suggestWeight, suggestAlike } = this.columns
    const [first, end] = this.suggest.phrasesOf(language)
    const known = this.#namesOf(record)
      .filter(name => name >= first && name < end)
      .sort((a, b) => suggestWeight[b] - suggestWeight[a] || a - b)
    const distinct = new Map<number, number>()
    for (const name of known) if (!distinct.has(suggestAlike[name])) distinct.set(suggestAlike[name], name)
    return [...distinct.values()].slice(0, EXAMPLES_MAX).map(name => this.suggest.text(name))
  }

  /**
   * A code without names that repeats its parent's description has the parent's names. A padded line has the names of the code
   * it repeats.
   */
  #namesOf(record: number): number[] {
    const { source, parent, phrasesAt, phraseName } = this.columns
    const own = source[record]
    const names = Array.from(phraseName.subarray(phrasesAt[own], phrasesAt[own + 1])).filter(name => name > 0)
    if (names.length > 0 || parent[own] < 0 || !this.#repeats(own, parent[own])) return names.map(name => name - 1)
    return this.#namesOf(parent[own])
  }

  #repeats(record: number, other: number): boolean {
    const [own, theirs] = [this.records.description(record), this.records.description(other)]
    return own.en === theirs.en && own.ar === theirs.ar
  }

  /** The name that an indexed phrase was made from; null for a description. */
  ofPhrase(phrase: number): Name | null {
    const name = this.columns.phraseName[phrase] - 1
    const lang = LANGUAGES.find(language => {
      const [first, end] = this.suggest.phrasesOf(language)
      return name >= first && name < end
    })
    return lang === undefined ? null : { text: this.suggest.text(name), lang }
  }
}
