import fc from 'fast-check'
import { Index } from 'flexsearch'
import t from 'tap'
import { buildRecords } from '../../../build/compiler/hierarchy.js'
import { invert, type Lists } from '../../../build/compiler/postings.js'
import { buildSearchIndex } from '../../../build/compiler/search-index.js'
import { readDataset } from '../../../build/dataset/read.js'
import { SLOTS } from '../../../src/catalog/search/slots.js'
import { FIXTURE } from '../../support/service.js'
import { STEMMER } from '../../support/words.js'

type Exported = [term: string, lists: (number[] | null)[]][]

/** Indexes the same records with FlexSearch. Returns its lists, each as `term slot: records`. */
function listsOfFlexSearch(terms: readonly string[], termsAt: Uint32Array, termSlots: Uint32Array) {
  let current = termSlots
  const index = new Index({
    tokenize: 'strict',
    resolution: SLOTS,
    encode: () => Array.from(current, termSlot => terms[Math.floor(termSlot / SLOTS)] as string),
    score: (_content: string[], _term: string, i: number) => (current[i] as number) % SLOTS,
  })
  for (let record = 0; record + 1 < termsAt.length; record++) {
    current = termSlots.subarray(termsAt[record], termsAt[record + 1])
    if (current.length > 0) index.add(record, ' ')
  }
  const lists: string[] = []
  index.export((key: string, data: string) => {
    if (!key.endsWith('map')) return
    for (const [term, slots] of JSON.parse(data) as Exported)
      slots.forEach((records, slot) => {
        if (records !== null && records.length > 0) lists.push(`${term} ${slot}: ${records.join()}`)
      })
  })
  return lists.sort()
}

/** Returns the lists of hsapi's index in the same form. */
function listsOf(terms: readonly string[], { postingsAt, postings }: Lists): string[] {
  const lists: string[] = []
  terms.forEach((term, termId) => {
    for (let slot = 0; slot < SLOTS; slot++) {
      const list = termId * SLOTS + slot
      const records = postings.subarray(postingsAt[list], postingsAt[list + 1])
      if (records.length > 0) lists.push(`${term} ${slot}: ${records.join()}`)
    }
  })
  return lists.sort()
}

/** Derives the terms and slots of each record from the lists. */
function termSlotsOf({ postingsAt, postings }: Lists, records: number) {
  const slotsOfRecord: number[][] = Array.from({ length: records }, () => [])
  for (let list = 0; list + 1 < postingsAt.length; list++)
    for (const record of postings.subarray(postingsAt[list], postingsAt[list + 1])) slotsOfRecord[record]?.push(list)
  return packed(slotsOfRecord)
}

function packed(slotsOfRecord: readonly (readonly number[])[]) {
  const termsAt = [0]
  for (const list of slotsOfRecord) termsAt.push((termsAt.at(-1) as number) + list.length)
  return { termsAt: Uint32Array.from(termsAt), termSlots: Uint32Array.from(slotsOfRecord.flat()) }
}

t.test("the lists of the search index equal FlexSearch's lists of the same records", async t => {
  const { rows, manifest, synonyms } = await readDataset(FIXTURE)
  const records = buildRecords(rows, manifest)
  const { columns, terms } = buildSearchIndex(records, synonyms, STEMMER)
  const lists = listsOf(terms.texts, columns)
  t.ok(lists.length > 200, `the index has ${lists.length} lists, more than 200 expected`)
  const { termsAt, termSlots } = termSlotsOf(columns, records.length)
  t.strictSame(lists, listsOfFlexSearch(terms.texts, termsAt, termSlots))
})

t.test("the lists of random records equal FlexSearch's lists of the same records", async t => {
  const TERMS = ['tea', 'cups', 'glass', 'شاي', 'زجاج']
  // each term of a record has one slot
  const record = fc
    .array(fc.option(fc.nat({ max: SLOTS - 1 })), { minLength: TERMS.length, maxLength: TERMS.length })
    .map(slots => slots.flatMap((slot, term) => (slot === null ? [] : [term * SLOTS + slot])))
  fc.assert(
    fc.property(fc.array(record), records => {
      const { termsAt, termSlots } = packed(records)
      const lists = listsOf(TERMS, invert({ termsAt, termSlots }, TERMS.length))
      t.strictSame(lists, listsOfFlexSearch(TERMS, termsAt, termSlots))
    }),
    { numRuns: 100 },
  )
})
