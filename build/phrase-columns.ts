/** The phrases of records, laid out as the second look at the best matches reads them: see `PhraseJudge`. */
import {
  aloneOf,
  aloneWorth,
  DOSSIER_AHEAD,
  HEAD_FLAG,
  PHRASE_BITS,
  PHRASES_MASK,
} from '../src/catalog/dossier.js'
import { firstNotBelow } from '../src/catalog/in-order.js'
import { PHRASE_SLOTS, SLOTS } from '../src/catalog/ranking.js'
import type { Columns } from '../src/snapshot/schema.js'
import { Growing } from './growing.js'

export interface IndexedPhrase {
  terms: readonly string[]
  /** Which of the terms names the good. */
  head: number
}

export type Lists = Pick<Columns, 'postingsAt' | 'postings'>
export type PhraseColumns = Pick<Columns, 'dossierAt' | 'dossiers' | 'saidAt' | 'said'>

/** The phrases of each record, none where it is not searched for, and the lists in which each of their terms has its record. */
export function buildPhraseColumns(
  phrases: readonly (readonly IndexedPhrase[])[],
  place: ReadonlyMap<string, number>,
  lists: Lists,
): PhraseColumns {
  // the shortest tells most of what it has
  const sorted = phrases.map(own => [...own].sort((a, b) => a.terms.length - b.terms.length))
  return { ...dossiersOf(sorted, place), ...saidIn(lists, sorted, place) }
}

type Sorted = readonly (readonly IndexedPhrase[])[]

function dossiersOf(
  phrases: Sorted,
  place: ReadonlyMap<string, number>,
): Pick<Columns, 'dossierAt' | 'dossiers'> {
  const dossierAt = new Uint32Array(phrases.length + 1)
  const dossiers = new Growing()
  phrases.forEach((own, i) => {
    let start = own.length + 1
    for (const { terms } of own) {
      dossiers.push(start)
      start += terms.length
    }
    if (own.length > 0) dossiers.push(start)
    for (const { terms, head } of own)
      terms.forEach((term, n) => {
        dossiers.push((place.get(term) as number) + (n === head ? HEAD_FLAG : 0))
      })
    dossierAt[i + 1] = dossiers.length
  })
  for (let i = 0; i < DOSSIER_AHEAD; i++) dossiers.push(0)
  return { dossierAt, dossiers: new Int32Array(dossiers.column().buffer) }
}

/** What is said of each term, for each record of its lists that may have it in a phrase. */
function saidIn(
  { postingsAt, postings }: Lists,
  phrases: Sorted,
  place: ReadonlyMap<string, number>,
): Pick<Columns, 'saidAt' | 'said'> {
  const said = new SaidByRecords(phrases, place)
  const terms = (postingsAt.length - 1) / SLOTS
  const saidAt = new Uint32Array(terms + 1)
  const all = new Growing()
  for (let term = 0; term < terms; term++) {
    const end = postingsAt[term * SLOTS + PHRASE_SLOTS] as number
    for (let i = postingsAt[term * SLOTS] as number; i < end; i++)
      all.push(said.find(postings[i] as number, term))
    saidAt[term + 1] = all.length
  }
  return { saidAt, said: new Int32Array(all.column().buffer) }
}

/** What every record says of its terms, these in order, end to end: millions of them. */
class SaidByRecords {
  readonly #at: Uint32Array
  readonly #terms: Uint32Array
  readonly #said: Uint32Array

  constructor(phrases: Sorted, place: ReadonlyMap<string, number>) {
    this.#at = new Uint32Array(phrases.length + 1)
    const terms = new Growing()
    const said = new Growing()
    phrases.forEach((own, i) => {
      for (const [term, what] of [...saidBy(own, place)].sort(([a], [b]) => a - b)) {
        terms.push(term)
        said.push(what)
      }
      this.#at[i + 1] = terms.length
    })
    this.#terms = terms.column()
    this.#said = said.column()
  }

  /** 0 where it says nothing of it. */
  find(record: number, term: number): number {
    const end = this.#at[record + 1] as number
    const at = firstNotBelow(this.#terms, this.#at[record] as number, end, term)
    return at < end && this.#terms[at] === term ? (this.#said[at] as number) : 0
  }
}

/** What a record's phrases, the shortest first, say of each of their terms. */
function saidBy(phrases: readonly IndexedPhrase[], place: ReadonlyMap<string, number>): Map<number, number> {
  const said = new Map<number, number>()
  phrases.forEach(({ terms, head }, number) => {
    const bit = 1 << (number % PHRASE_BITS)
    for (const term of new Set(terms)) {
      const at = place.get(term) as number
      const known = said.get(at) ?? 0
      const alone = aloneOf(terms.length, term === terms[head])
      const before = known >>> PHRASE_BITS
      const best = before === 0 || aloneWorth(alone) > aloneWorth(before) ? alone : before
      said.set(at, (best << PHRASE_BITS) | (known & PHRASES_MASK) | bit)
    }
  })
  return said
}
