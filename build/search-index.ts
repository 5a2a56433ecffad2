/** Words → FlexSearch's postings as columns, and the columns that rank what they find. */
import { Index } from 'flexsearch'
import { SLOTS, slotOfSynonym } from '../src/catalog/search/slots.js'
import { buildFamilies, type Families, type Spoken } from './families.js'
import { Growing } from './growing.js'
import type { BuildRecord } from './hierarchy.js'
import { buildPhraseColumns, type Lists, type PhraseColumns } from './phrase-columns.js'
import { type Phrase, PhraseReader } from './phrases.js'
import { SynonymFinder, type SynonymGroup } from './synonyms.js'

export interface SearchIndex extends Families, PhraseColumns {
  vocabulary: string
  /** FlexSearch's lists: per term and slot where its records begin; one more entry ends the last. */
  postingsAt: Uint32Array
  postings: Uint32Array
}

/** Terms of a record with the best slot each stands in. */
type Slots = Map<string, number>

/** What a word counts that does not name the good itself. */
const BESIDE = 0.5

/** How far a record speaks of each term: in full where the term names a good, by half where it tells more of one. */
function spokenOf(phrases: readonly Phrase[]): Spoken {
  const spoken = new Map<string, number>()
  for (const { terms, head } of phrases)
    terms.forEach((term, i) => {
      const weight = i === head ? 1 : BESIDE
      if (weight > (spoken.get(term) ?? 0)) spoken.set(term, weight)
    })
  return spoken
}

function file(slots: Slots, term: string, slot: number): void {
  const known = slots.get(term)
  if (known === undefined || slot < known) slots.set(term, slot)
}

function ownSlots(phrases: Phrase[], known: ReadonlySet<string>, synonyms: SynonymFinder): Slots {
  const slots: Slots = new Map()
  for (const { terms, under, slot, joined } of phrases) {
    for (const term of terms) file(slots, term, slot)
    for (const term of joined) file(slots, term, slot)
    for (const { term, isAnd } of under) if (isAnd || known.has(term)) file(slots, term, slot)
    for (const other of synonyms.othersFor(terms))
      for (const term of other) file(slots, term, slotOfSynonym())
  }
  return slots
}

export function buildSearchIndex(records: BuildRecord[], groups: SynonymGroup[]): SearchIndex {
  const synonyms = new SynonymFinder(groups)
  const reader = new PhraseReader(synonyms)
  const isSearchable = (record: BuildRecord, i: number) => record.active && record.source === i
  const phrases = records.map((record, i) => (record.source === i ? reader.phrasesOf(record) : []))
  const known = new Set<string>()
  for (const list of phrases) for (const { terms } of list) for (const term of terms) known.add(term)
  const { vocabulary, termsAt, termSlots } = fileTerms(records, (record, i) =>
    isSearchable(record, i) ? ownSlots(phrases[i] as Phrase[], known, synonyms) : undefined,
  )
  const place = new Map(vocabulary.map((term, i) => [term, i]))
  const searched = phrases.map((list, i) => (isSearchable(records[i] as BuildRecord, i) ? list : []))
  const lists = postingsOf(termsAt, termSlots, vocabulary, place)
  return {
    vocabulary: vocabulary.join('\n'),
    ...lists,
    ...buildPhraseColumns(searched, place),
    ...buildFamilies(records, i => spokenOf(searched[i] as Phrase[]), vocabulary),
  }
}

/** All terms in order, and each record's with their slots; one record's slots at a time are more than numbers. */
function fileTerms(
  records: BuildRecord[],
  slotsOf: (record: BuildRecord, i: number) => Slots | undefined,
): { vocabulary: string[]; termsAt: Uint32Array; termSlots: Uint32Array } {
  const numbers = new Map<string, number>()
  const termsAt = new Uint32Array(records.length + 1)
  const filed = new Growing()
  records.forEach((record, i) => {
    for (const [term, slot] of slotsOf(record, i) ?? []) {
      const number = numbers.get(term) ?? numbers.size
      numbers.set(term, number)
      filed.push(number * SLOTS + slot)
    }
    termsAt[i + 1] = filed.length
  })
  const vocabulary = [...numbers.keys()].sort()
  const places = new Uint32Array(vocabulary.length)
  vocabulary.forEach((term, place) => {
    places[numbers.get(term) as number] = place
  })
  const termSlots = filed.column()
  for (let i = 0; i < termSlots.length; i++) {
    const packed = termSlots[i] as number
    termSlots[i] = (places[Math.floor(packed / SLOTS)] as number) * SLOTS + (packed % SLOTS)
  }
  records.forEach((_, i) => {
    termSlots.subarray(termsAt[i], termsAt[i + 1]).sort()
  })
  return { vocabulary, termsAt, termSlots }
}

/**
 * FlexSearch makes the postings, one list per term and slot, and is asked for nothing else. It runs here only: the server
 * reads the exported lists from the snapshot's columns and has no index of FlexSearch's. Its own encoder would cut Arabic
 * words and its own score knows no slots, so it is handed the terms of a record one by one, each with its slot.
 *
 * Its lists lie end to end, in the vocabulary's order: a term's place there leads to them, and every thread reads them in
 * place. Imported by FlexSearch they would be objects of each thread: some 45 MB and 200 ms at boot.
 */
function postingsOf(
  termsAt: Uint32Array,
  termSlots: Uint32Array,
  vocabulary: readonly string[],
  place: ReadonlyMap<string, number>,
): Lists {
  let current = termSlots
  const index = new Index({
    tokenize: 'strict',
    resolution: SLOTS,
    encode: () => Array.from(current, packed => vocabulary[Math.floor(packed / SLOTS)] as string),
    score: (_content: string[], _term: string, i: number) => (current[i] as number) % SLOTS,
  })
  const counts = new Uint32Array(vocabulary.length * SLOTS)
  for (let i = 0; i + 1 < termsAt.length; i++) {
    current = termSlots.subarray(termsAt[i], termsAt[i + 1])
    if (current.length === 0) continue
    index.add(i, ' ')
    for (const packed of current) counts[packed] = (counts[packed] as number) + 1
  }
  const postingsAt = new Uint32Array(counts.length + 1)
  counts.forEach((count, list) => {
    postingsAt[list + 1] = (postingsAt[list] as number) + count
  })
  const postings = new Uint32Array(termSlots.length)
  // comes in parts, a few thousand terms each
  index.export((key: string, data: string) => {
    if (!key.endsWith('map')) return
    for (const [term, lists] of JSON.parse(data) as [string, (number[] | null)[]][]) {
      const first = (place.get(term) as number) * SLOTS
      lists.forEach((list, slot) => {
        if (list === null) return
        if (list.length !== counts[first + slot])
          throw new Error(`FlexSearch lists "${term}" ${list.length} times, not ${counts[first + slot]}`)
        postings.set(list, postingsAt[first + slot])
      })
    }
  })
  return { postingsAt, postings }
}
