/** Everyday names of records. They are the dataset's keywords, which the snapshot stores only as phrases for suggestions. */
import { EXAMPLES_MAX, LANGUAGES } from '../limits.js'
import type { Columns } from '../snapshot/schema.js'
import type { Records } from './records.js'
import type { Language, Suggest } from './suggest.js'

export interface Name {
  text: string
  lang: Language
}

/** Not for the hot path: every call collects the names again. */
export class Names {
  constructor(
    private readonly columns: Columns,
    private readonly suggest: Suggest,
    private readonly records: Records,
  ) {}

  /** The names of a record, best known first. Names that differ only in endings or spaces are returned once. */
  of(record: number, language: Language): string[] {
    const { suggestWeight, suggestAlike } = this.columns
    const [first, end] = this.suggest.phrasesOf(language)
    const names = this.#namesOf(record)
      .filter(name => name >= first && name < end)
      .sort((a, b) => suggestWeight[b] - suggestWeight[a] || a - b)
    const distinct = new Map<number, number>()
    for (const name of names) if (!distinct.has(suggestAlike[name])) distinct.set(suggestAlike[name], name)
    return [...distinct.values()].slice(0, EXAMPLES_MAX).map(name => this.suggest.text(name))
  }

  /**
   * A code without names that repeats its parent's description has the parent's names. A padded line has the names of the code
   * it repeats.
   */
  #namesOf(record: number): number[] {
    const { source, parent, phrasesAt, phraseName } = this.columns
    const from = source[record]
    const names = Array.from(phraseName.subarray(phrasesAt[from], phrasesAt[from + 1])).filter(name => name > 0)
    if (names.length > 0 || parent[from] < 0 || !this.#repeats(from, parent[from])) return names.map(name => name - 1)
    return this.#namesOf(parent[from])
  }

  #repeats(record: number, other: number): boolean {
    const [a, b] = [this.records.description(record), this.records.description(other)]
    return a.en === b.en && a.ar === b.ar
  }

  /** The name from which an indexed phrase was made; null if the phrase comes from a description. */
  ofPhrase(phrase: number): Name | null {
    const name = this.columns.phraseName[phrase] - 1
    const lang = LANGUAGES.find(language => {
      const [first, end] = this.suggest.phrasesOf(language)
      return name >= first && name < end
    })
    return lang === undefined ? null : { text: this.suggest.text(name), lang }
  }
}
