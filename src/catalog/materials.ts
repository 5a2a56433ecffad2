/**
 * Goods by their material: "mouse mats, plastic" may stand in no phrase of the dataset, and is still an article of plastics. The
 * heading that takes what is made of a material and has none of its own is listed with the best of the partial matches.
 */
import type { Columns } from '../snapshot/schema.js'
import type { Matches } from './matches.js'
import type { QueryWord } from './query.js'
import type { Work } from './work.js'

/** What such a heading is worth beside the best partial match, before phrases are judged. */
const SHARE = 0.9

export class Materials {
  readonly #recordOfTerm: ReadonlyMap<number, number>
  readonly #work: Work
  /** The headings of the query at hand. */
  readonly #found: number[] = []

  constructor(
    { materialTerm, materialRecord }: Pick<Columns, 'materialTerm' | 'materialRecord'>,
    work: Work,
  ) {
    this.#recordOfTerm = new Map(
      Array.from(materialTerm, (place, i) => [place, materialRecord[i] as number] as const),
    )
    this.#work = work
  }

  /** After the candidates of several words were taken, before they are put in order. */
  add(words: readonly QueryWord[], full: Matches, others: Matches): void {
    this.#find(words)
    if (this.#found.length === 0) return
    const best = others.highest() || full.highest()
    this.#work.steps += full.count + others.count
    for (let i = 0; i < this.#found.length; i++)
      this.#put(this.#found[i] as number, best * SHARE, full, others)
  }

  #find(words: readonly QueryWord[]): void {
    this.#found.length = 0
    for (let i = 0; i < words.length; i++) {
      const { places } = words[i] as QueryWord
      for (let n = 0; n < places.length; n++) {
        const record = this.#recordOfTerm.get(places[n] as number)
        if (record !== undefined && !this.#found.includes(record)) this.#found.push(record)
      }
    }
  }

  #put(record: number, score: number, full: Matches, others: Matches): void {
    if (placeIn(full, record) >= 0) return
    let at = placeIn(others, record)
    if (at < 0) {
      at = others.count++
      others.set(at, record, score)
    } else if (others.score(at) < score) others.set(at, record, score)
  }
}

function placeIn(list: Matches, record: number): number {
  for (let i = 0; i < list.count; i++) if (list.record(i) === record) return i
  return -1
}
