import fc from 'fast-check'
import { Index } from 'flexsearch'
import t from 'tap'
import { buildRecords } from '../../build/hierarchy.js'
import { invert } from '../../build/postings.js'
import { readDataset } from '../../build/read.js'
import { buildSearchIndex } from '../../build/search-index.js'
import { SLOTS } from '../../src/catalog/ranking.js'
import { FIXTURE } from '../support/service.js'

type Exported = [term: string, lists: (number[] | null)[]][]

/** The lists that FlexSearch makes of records whose terms are filed under slots, as term, slot and records. */
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

t.test("the lists of the index are those that FlexSearch's own index of the records has", async t => {
  const { rows, manifest, synonyms } = await readDataset(FIXTURE)
  const { columns, terms } = buildSearchIndex(buildRecords(rows, manifest), synonyms)
  const { postingsAt, postings, termsAt, termSlots } = columns
  const lists = terms.texts.flatMap((term, place) =>
    Array.from({ length: SLOTS }, (_, slot) => {
      const list = place * SLOTS + slot
      return { term, slot, records: [...postings.subarray(postingsAt[list], postingsAt[list + 1])] }
    }),
  )
  const filled = lists.filter(({ records }) => records.length > 0)
  t.ok(filled.length > 300, `${filled.length} lists`)
  t.strictSame(
    filled.map(({ term, slot, records }) => `${term} ${slot}: ${records.join()}`).sort(),
    listsOfFlexSearch(terms.texts, termsAt, termSlots),
  )
})

t.test('terms by record become records by term, both in ascending order', async t => {
  const TERMS = 5
  const record = fc.uniqueArray(fc.nat({ max: TERMS * SLOTS - 1 }))
  fc.assert(
    fc.property(fc.array(record), records => {
      const termsAt = [0]
      for (const own of records) termsAt.push((termsAt.at(-1) as number) + own.length)
      const lists = invert(
        { termsAt: Uint32Array.from(termsAt), termSlots: Uint32Array.from(records.flat()) },
        TERMS,
      )
      records.forEach((own, i) => {
        const sorted = [...own].sort((a, b) => a - b)
        t.strictSame([...lists.termSlots.subarray(termsAt[i], termsAt[i + 1])], sorted)
      })
      for (let list = 0; list < TERMS * SLOTS; list++) {
        const expected = [...records.keys()].filter(i => records[i]?.includes(list))
        const [from, to] = [lists.postingsAt[list], lists.postingsAt[list + 1]]
        t.strictSame([...lists.postings.subarray(from, to)], expected)
      }
    }),
    { numRuns: 100 },
  )
})
