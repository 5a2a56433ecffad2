import fc from 'fast-check'
import t from 'tap'
import { BOTH_ENOUGH, Candidates } from '../../src/catalog/candidates.js'
import { Families } from '../../src/catalog/families.js'
import { Homes } from '../../src/catalog/homes.js'
import { Matches } from '../../src/catalog/matches.js'
import type { QueryWord } from '../../src/catalog/query.js'
import { LONGER_WORD, PHRASE_SLOTS, SLOT_WEIGHT, SLOTS } from '../../src/catalog/ranking.js'
import { Work } from '../../src/catalog/work.js'
import type { Columns } from '../../src/snapshot/schema.js'
import { entriesOf } from '../entries-of.js'

/** Per record the slot of each of its terms, by the term's place. */
type Records = Map<number, number>[]

/** The columns that the build makes of such records. */
function columnsOf(records: Records, terms: number): Columns {
  const lists: number[][] = Array.from({ length: terms * SLOTS }, () => [])
  const termsAt = [0]
  const termSlots: number[] = []
  records.forEach((slots, record) => {
    for (const [place, slot] of slots) (lists[place * SLOTS + slot] as number[]).push(record)
    termSlots.push(...[...slots].map(([place, slot]) => place * SLOTS + slot).sort((a, b) => a - b))
    termsAt.push(termSlots.length)
  })
  const postingsAt = [0]
  for (const list of lists) postingsAt.push((postingsAt.at(-1) as number) + list.length)
  return {
    postingsAt: Uint32Array.from(postingsAt),
    postings: Uint32Array.from(lists.flat()),
    familyAt: new Uint32Array(terms + 1),
    families: new Uint32Array(),
    source: Uint32Array.from(records.keys()),
    sortKey: new Float64Array(records.length),
    termsAt: Uint32Array.from(termsAt),
    termSlots: Uint32Array.from(termSlots),
  } as unknown as Columns
}

/** Postings of a term. */
const sizeOf = (columns: Columns, place: number) =>
  (columns.postingsAt[(place + 1) * SLOTS] as number) - (columns.postingsAt[place * SLOTS] as number)

const candidatesOf = (columns: Columns, work: Work) =>
  new Candidates(columns, new Families(columns, new Homes(columns)), work)

const bestSlot = (slots: Map<number, number>, { places }: Pick<QueryWord, 'places'>) =>
  Math.min(SLOTS, ...places.map(place => slots.get(place) ?? SLOTS))

/** What having a word in its best slot counts: less where only longer words stand there. */
const factorOf = (slots: Map<number, number>, { places, wholeCount }: QueryWord) => {
  const whole = places.slice(0, wholeCount)
  return bestSlot(slots, { places: whole }) === bestSlot(slots, { places }) ? 1 : LONGER_WORD
}

const CONTEXT = SLOTS - 1

/** What the words are meant to find, record by record. */
function modelAll(records: Records, words: QueryWord[]): Map<number, number> {
  const found = new Map<number, number>()
  records.forEach((slots, record) => {
    const best = words.map(word => bestSlot(slots, word))
    if (best.some(slot => slot >= CONTEXT)) return
    found.set(
      record,
      words.reduce(
        (sum, word, i) =>
          sum + word.rarity * (SLOT_WEIGHT[best[i] as number] as number) * factorOf(slots, word),
        0,
      ),
    )
  })
  return found
}

function modelMost(records: Records, words: QueryWord[]): Map<number, number> {
  const byWorth = [...words].sort((a, b) => b.rarity - a.rarity || a.size - b.size)
  const whole = byWorth.reduce((sum, { rarity }) => sum + rarity, 0)
  let led = 0
  const leading = byWorth.filter(({ rarity }) => {
    const leads = led < whole * 0.75
    led += rarity
    return leads
  })
  const worth = new Map<number, { score: number; mass: number }>()
  records.forEach((slots, record) => {
    if (leading.every(word => bestSlot(slots, word) === SLOTS)) return
    let score = 0
    let mass = 0
    for (const word of byWorth) {
      const slot = bestSlot(slots, word)
      if (slot === SLOTS) continue
      const factor = factorOf(slots, word)
      score += word.rarity * (SLOT_WEIGHT[slot] as number) * factor
      mass += word.rarity * (slot === CONTEXT ? 0.7 : 1) * factor
    }
    worth.set(record, { score, mass })
  })
  const most = Math.max(...[...worth.values()].map(({ mass }) => mass))
  // what is at the border is kept, however its sum was rounded
  const kept = [...worth].filter(([, { mass }]) => mass >= most * 0.4 * 0.9999)
  return new Map(kept.map(([record, { score, mass }]) => [record, (score * mass) / whole]))
}

/** Whether a record has all the words, or says them in its phrases. */
const hasAll = (slots: Map<number, number>, words: readonly QueryWord[], saysThem: boolean) =>
  words.every(
    word => bestSlot(slots, word) < (saysThem ? PHRASE_SLOTS : CONTEXT) && factorOf(slots, word) === 1,
  )

function isSame(lists: Matches[], expected: Map<number, number>): boolean {
  const found = lists.flatMap(list => entriesOf(list))
  return (
    found.length === expected.size &&
    found.every(({ record, score }) => Math.abs((expected.get(record) ?? Number.NaN) - score) < 1e-3)
  )
}

const TERMS = 12

const record = fc
  .dictionary(fc.integer({ min: 0, max: TERMS - 1 }).map(String), fc.nat(SLOTS - 1), { maxKeys: 8 })
  .map(slots => new Map(Object.entries(slots).map(([place, slot]) => [Number(place), slot])))

/** A single term, a run of neighbours, or a few terms here and there; some of them longer than what was typed. */
const word = fc
  .tuple(
    fc.nat(TERMS - 1),
    fc.integer({ min: 1, max: 5 }),
    fc.boolean(),
    fc.integer({ min: 1, max: 40 }),
    fc.nat(8),
  )
  .map(([first, count, areNeighbours, rarity, whole]) => {
    const step = areNeighbours ? 1 : 2
    const places = Array.from({ length: count }, (_, i) => first + i * step).filter(place => place < TERMS)
    const wholeCount = whole === 0 ? 1 : places.length
    return { places, wholeCount, weight: 1, rarity: rarity / 8 }
  })

/** Whether queries find what the definition says; tells how many were narrowed to records with both words. */
function find(records: Records, queries: Omit<QueryWord, 'size'>[][]): { holds: boolean; narrowed: number } {
  const columns = columnsOf(records, TERMS)
  const candidates = candidatesOf(columns, new Work())
  const [all, others] = [new Matches(records.length), new Matches(records.length)]
  let narrowed = 0
  const holds = queries.every(query => {
    const words = query
      .map(one => ({ ...one, size: one.places.reduce((sum, place) => sum + sizeOf(columns, place), 0) }))
      .sort((a, b) => a.size - b.size)
    const one = words[0] as QueryWord
    candidates.takeOne(one, all)
    if (!isSame([all], modelAll(records, [one]))) return false
    if (words.every(({ size }) => size === 0)) return true
    const expected = modelMost(records, words)
    return [true, false].every(mayNarrow => {
      candidates.takeMost(words, all, others, mayNarrow)
      const full = new Set(entriesOf(all).map(one => one.record))
      if (candidates.isNarrowed) {
        if (!mayNarrow || words.length !== 2 || full.size < BOTH_ENOUGH || others.count > 0) return false
        narrowed++
      }
      const { isNarrowed } = candidates
      const wanted = isNarrowed ? new Map([...expected].filter(([record]) => full.has(record))) : expected
      return (
        isSame([all, others], wanted) &&
        records.every((slots, record) => full.has(record) === hasAll(slots, words, isNarrowed))
      )
    })
  })
  return { holds, narrowed }
}

t.test('going through lists and looking into candidates find what the definition says', async t => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 300 }),
      fc.array(fc.array(word, { minLength: 1, maxLength: 14 }), { minLength: 1, maxLength: 3 }),
      (records, queries) => find(records, queries).holds,
    ),
    { numRuns: 400 },
  )
  t.pass('held')
})

t.test('of two words that many records have, those with both stand alone', async t => {
  let narrowed = 0
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 400, maxLength: 500 }),
      fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 3 }),
      (records, queries) => {
        const found = find(records, queries)
        narrowed += found.narrowed
        return found.holds
      },
    ),
    { numRuns: 60 },
  )
  t.ok(narrowed > 10, `${narrowed} times`)
})

t.test('words that would cost too much are left out, the first never', async t => {
  const RECORDS = 150_000
  const everywhere = new Map([[0, 0]])
  const records: Records = Array.from({ length: RECORDS }, (_, i) =>
    i % 2 === 0 ? new Map([...everywhere, [1, 0]]) : everywhere,
  )
  const work = new Work()
  const candidates = candidatesOf(columnsOf(records, 3), work)
  const [all, others] = [new Matches(RECORDS), new Matches(RECORDS)]
  const common = {
    places: [0],
    wholeCount: 1,
    weight: 1,
    rarity: 1,
    size: RECORDS,
  }
  const half = { ...common, places: [1], rarity: 2, size: RECORDS / 2 }
  candidates.takeOne(common, all)
  t.equal(all.count, RECORDS, 'one word finds all it should')
  work.steps = 0
  candidates.takeMost([half, common], all, others)
  t.equal(all.count + others.count, RECORDS / 2, 'the common word brought in no candidates')
  t.ok(work.steps <= RECORDS * 2.5, `${work.steps} steps`)
})
