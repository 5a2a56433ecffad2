/** The phrases of records, laid out as the second look at the best matches reads them: see `PhraseJudge`. */
import {
  aloneOf,
  aloneWorth,
  DOSSIER_AHEAD,
  HEAD_FLAG,
  PHRASE_BITS,
  PHRASES_MASK,
} from '../src/catalog/dossier.js'
import { PHRASE_SLOTS, SLOTS } from '../src/catalog/ranking.js'
import type { Columns } from '../src/snapshot/schema.js'
import { Growing } from './growing.js'
import type { Phrases } from './phrase-table.js'
import type { Lists } from './postings.js'

export type PhraseColumns = Pick<Columns, 'dossierAt' | 'dossiers' | 'saidAt' | 'said'>

/** The terms of phrases are places of the vocabulary here. */
export function buildPhraseColumns(phrases: Phrases, isSearched: Uint8Array, lists: Lists): PhraseColumns {
  const records = isSearched.length
  const vocabularySize = (lists.postingsAt.length - 1) / SLOTS
  const dossierAt = new Uint32Array(records + 1)
  const dossiers = new Growing()
  const { saidAt, said } = emptySaid(lists, vocabularySize)
  const sayings = new Sayings(vocabularySize)
  const next = lists.postingsAt.slice()
  const { recordAt } = phrases
  for (let record = 0; record < records; record++) {
    if (isSearched[record] === 1) {
      const own = shortestFirst(phrases, recordAt[record] as number, recordAt[record + 1] as number)
      addDossier(phrases, own, dossiers)
      sayings.read(phrases, own)
      for (let i = lists.termsAt[record] as number; i < (lists.termsAt[record + 1] as number); i++) {
        const list = lists.termSlots[i] as number
        const posting = next[list] as number
        next[list] = posting + 1
        if (list % SLOTS >= PHRASE_SLOTS) continue
        const term = (list - (list % SLOTS)) / SLOTS
        const at = (saidAt[term] as number) + posting - (lists.postingsAt[term * SLOTS] as number)
        said[at] = sayings.said(term)
      }
      sayings.clear()
    }
    dossierAt[record + 1] = dossiers.length
  }
  for (let i = 0; i < DOSSIER_AHEAD; i++) dossiers.push(0)
  return { dossierAt, dossiers: new Int32Array(dossiers.column().buffer), saidAt, said }
}

/** Room for what is said beside the postings of each term in the slots of phrases. */
function emptySaid({ postingsAt }: Lists, vocabularySize: number) {
  const saidAt = new Uint32Array(vocabularySize + 1)
  for (let term = 0; term < vocabularySize; term++) {
    const count = (postingsAt[term * SLOTS + PHRASE_SLOTS] as number) - (postingsAt[term * SLOTS] as number)
    saidAt[term + 1] = (saidAt[term] as number) + count
  }
  return { saidAt, said: new Int32Array(saidAt[vocabularySize] as number) }
}

/** The shortest phrase tells most of what it has. */
function shortestFirst({ termsAt }: Phrases, first: number, end: number): number[] {
  const lengthOf = (phrase: number) => (termsAt[phrase + 1] as number) - (termsAt[phrase] as number)
  const own = Array.from({ length: end - first }, (_, n) => first + n)
  return own.sort((a, b) => lengthOf(a) - lengthOf(b))
}

function addDossier({ termsAt, terms, heads }: Phrases, own: readonly number[], dossiers: Growing): void {
  let start = own.length + 1
  for (const phrase of own) {
    dossiers.push(start)
    start += (termsAt[phrase + 1] as number) - (termsAt[phrase] as number)
  }
  if (own.length > 0) dossiers.push(start)
  for (const phrase of own) {
    const first = termsAt[phrase] as number
    const head = first + (heads[phrase] as number)
    for (let i = first; i < (termsAt[phrase + 1] as number); i++)
      dossiers.push((terms[i] as number) + (i === head ? HEAD_FLAG : 0))
  }
}

/** What the phrases of one record say of their terms. */
class Sayings {
  /** Per term; 0 where none of the phrases has it. */
  readonly #said: Int32Array
  readonly #terms = new Growing()

  constructor(vocabularySize: number) {
    this.#said = new Int32Array(vocabularySize)
  }

  said(term: number): number {
    return this.#said[term] as number
  }

  /** Phrases by their numbers, the shortest first. */
  read({ termsAt, terms, heads }: Phrases, own: readonly number[]): void {
    own.forEach((phrase, n) => {
      const first = termsAt[phrase] as number
      const end = termsAt[phrase + 1] as number
      const head = terms[first + (heads[phrase] as number)]
      for (let i = first; i < end; i++) {
        const term = terms[i] as number
        this.#add(term, 1 << (n % PHRASE_BITS), aloneOf(end - first, term === head))
      }
    })
  }

  #add(term: number, bit: number, alone: number): void {
    const known = this.#said[term] as number
    if (known === 0) this.#terms.push(term)
    const before = known >>> PHRASE_BITS
    const best = before === 0 || aloneWorth(alone) > aloneWorth(before) ? alone : before
    this.#said[term] = (best << PHRASE_BITS) | (known & PHRASES_MASK) | bit
  }

  clear(): void {
    for (let i = 0; i < this.#terms.length; i++) this.#said[this.#terms.values[i] as number] = 0
    this.#terms.clear()
  }
}
