/** The phrases of records, laid out as the second look at the best matches reads them: see `PhraseJudge`. */
import {
  aloneOf,
  aloneWorth,
  DOSSIER,
  DOSSIER_AHEAD,
  HEAD_FLAG,
  PHRASE_BITS,
  SAID_TERM_BITS,
} from '../src/catalog/dossier.js'
import { ARABIC_FROM } from '../src/catalog/ranking.js'
import type { Columns } from '../src/snapshot/schema.js'

export interface IndexedPhrase {
  terms: readonly string[]
  /** Which of the terms names the good. */
  head: number
}

export type PhraseColumns = Pick<Columns, 'dossierAt' | 'dossiers'>

/** Where a term of a record stands. */
interface Said {
  term: number
  /** The phrases that have it, as bits. */
  inPhrases: number
  /** See `aloneOf`. */
  alone: number
}

type Scripts = 'latin' | 'arabic' | 'both'

function scriptsOf({ terms }: IndexedPhrase): Scripts {
  const arabic = terms.filter(term => term >= ARABIC_FROM).length
  if (arabic === 0) return 'latin'
  return arabic === terms.length ? 'arabic' : 'both'
}

/** The phrases of each record, none where it is not searched for. */
export function buildPhraseColumns(
  phrases: readonly (readonly IndexedPhrase[])[],
  place: ReadonlyMap<string, number>,
): PhraseColumns {
  const dossierAt = [0]
  const dossiers: number[] = []
  for (const own of phrases)
    for (const other of ['arabic', 'latin']) {
      const list = own.filter(one => scriptsOf(one) !== other)
      if (list.length > 0) for (const number of dossierOf(list, place)) dossiers.push(number)
      dossierAt.push(dossiers.length)
    }
  for (let i = 0; i < DOSSIER_AHEAD; i++) dossiers.push(0)
  return { dossierAt: Uint32Array.from(dossierAt), dossiers: Int32Array.from(dossiers) }
}

function dossierOf(own: readonly IndexedPhrase[], place: ReadonlyMap<string, number>): number[] {
  // the shortest tells most of what it has
  const phrases = [...own].sort((a, b) => a.terms.length - b.terms.length)
  const said = saidBy(phrases, place)
  const dossier: number[] = []
  dossier[DOSSIER.terms] = said.length
  dossier[DOSSIER.phrases] = phrases.length
  for (const { term, alone } of said) dossier.push((alone << SAID_TERM_BITS) | term)
  for (const { inPhrases } of said) dossier.push(inPhrases)
  let start = dossier.length + phrases.length + 1
  for (const { terms } of phrases) {
    dossier.push(start)
    start += terms.length
  }
  dossier.push(start)
  for (const { terms, head } of phrases)
    terms.forEach((term, i) => {
      dossier.push((place.get(term) as number) + (i === head ? HEAD_FLAG : 0))
    })
  return dossier
}

/** What a record's phrases, the shortest first, say of each of their terms, in the vocabulary's order. */
function saidBy(phrases: readonly IndexedPhrase[], place: ReadonlyMap<string, number>): Said[] {
  const said = new Map<string, Said>()
  phrases.forEach(({ terms, head }, number) => {
    const bit = 1 << (number % PHRASE_BITS)
    for (const term of new Set(terms)) {
      const known = said.get(term)
      const alone = aloneOf(terms.length, term === terms[head])
      said.set(term, {
        term: place.get(term) as number,
        inPhrases: (known?.inPhrases ?? 0) | bit,
        alone: known === undefined || aloneWorth(alone) > aloneWorth(known.alone) ? alone : known.alone,
      })
    }
  })
  return [...said.values()].sort((a, b) => a.term - b.term)
}
