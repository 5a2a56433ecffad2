/** Words → the FlexSearch index and the columns that rank what it finds. */
import { Index } from 'flexsearch'
import { SLOTS, slotOfAncestor, slotOfPhrase } from '../src/catalog/ranking.js'
import { words } from '../src/text/fold.js'
import { stem, stemUnderParticle } from '../src/text/terms.js'
import type { BuildRecord } from './hierarchy.js'

export interface SearchIndex {
  flex: [key: string, data: string][]
  vocabulary: string
}

interface Term {
  term: string
  slot: number
}

function phraseTerms(text: string, isKeyword: boolean, known: ReadonlySet<string>, out: Term[]): void {
  const list = words(text)
  const slot = slotOfPhrase(list.length, isKeyword)
  for (const word of list) {
    out.push({ term: stem(word), slot })
    const under = stemUnderParticle(word)
    if (under !== '' && known.has(under)) out.push({ term: under, slot })
  }
}

function ownTerms(record: BuildRecord, known: ReadonlySet<string>): Term[] {
  const out: Term[] = []
  phraseTerms(record.en, false, known, out)
  phraseTerms(record.ar, false, known, out)
  for (const keyword of record.keywordsEn) phraseTerms(keyword, true, known, out)
  for (const keyword of record.keywordsAr) phraseTerms(keyword, true, known, out)
  return out
}

export function buildSearchIndex(records: BuildRecord[]): SearchIndex {
  const searchable = (record: BuildRecord, i: number) => record.active && record.source === i
  const known = new Set<string>()
  records.forEach((record, i) => {
    if (!searchable(record, i)) return
    for (const text of [record.en, record.ar, ...record.keywordsEn, ...record.keywordsAr]) {
      for (const word of words(text)) known.add(stem(word))
    }
  })
  const own = records.map((record, i) => (record.source === i ? ownTerms(record, known) : []))
  let current: Term[] = []
  const index = new Index({
    tokenize: 'strict',
    resolution: SLOTS,
    // the terms are prepared already: FlexSearch is handed them one by one and asked for nothing but postings
    encode: () => current.map(({ term }) => term),
    score: (_content: string[], _term: string, i: number) => (current[i] as Term).slot,
  })
  records.forEach((record, i) => {
    if (!searchable(record, i)) return
    const all = [...(own[i] as Term[])]
    for (let up = record.parent; up >= 0; up = (records[up] as BuildRecord).parent) {
      for (const { term } of own[up] as Term[]) all.push({ term, slot: slotOfAncestor() })
    }
    // FlexSearch keeps the first slot it sees for a term: the best one must come first
    current = all.sort((a, b) => a.slot - b.slot)
    index.add(i, ' ')
  })
  const flex: SearchIndex['flex'] = []
  index.export((key: string, data: string) => {
    flex.push([key, data])
  })
  const terms = new Set<string>()
  for (const [key, data] of flex) {
    if (!key.endsWith('map')) continue
    for (const [term] of JSON.parse(data) as [string, unknown][]) terms.add(term)
  }
  return { flex, vocabulary: [...terms].sort().join('\n') }
}
