import fc from 'fast-check'
import t from 'tap'
import type { QueryWord } from '../../../src/catalog/search/find-terms.js'
import { CandidateGatherer } from '../../../src/catalog/search/gather-candidates.js'
import { HeadingEvidence } from '../../../src/catalog/search/heading-evidence.js'
import { Postings } from '../../../src/catalog/search/postings.js'
import { SLOTS } from '../../../src/catalog/search/slots.js'
import { Steps } from '../../../src/catalog/search/steps.js'
import { COVERAGE_MIN, SLOT_WEIGHT } from '../../../src/catalog/search/weights.js'

const TERMS = 12

/** For each record, a map from its terms to their slots. */
type Records = Map<number, number>[]

/** The records have no parents or headings, so that results depend only on their own words. */
function gathererOf(records: Records, steps = new Steps()): CandidateGatherer {
  const lists: number[][] = Array.from({ length: TERMS * SLOTS }, () => [])
  records.forEach((slots, record) => {
    for (const [termId, slot] of slots) (lists[termId * SLOTS + slot] as number[]).push(record)
  })
  const postingsAt = [0]
  for (const list of lists) postingsAt.push((postingsAt.at(-1) as number) + list.length)
  const columns = {
    postingsAt: Uint32Array.from(postingsAt),
    postings: Uint32Array.from(lists.flat()),
    evidenceAt: new Uint32Array(TERMS + 1),
    evidenceHeading: new Uint16Array(),
    evidence: new Uint16Array(),
    sortKey: new Float64Array(records.length),
    level: new Uint8Array(records.length).fill(12),
    parent: new Int32Array(records.length).fill(-1),
    materialTerm: new Uint32Array(),
    materialRecord: new Uint32Array(),
  }
  return new CandidateGatherer(columns, new Postings(columns), new HeadingEvidence(columns, steps), steps)
}

/** Returns by how much a word raises a record's coverage and score. Only the word's best slot counts. */
function wordValue(slots: Map<number, number>, { termIds, rarity }: QueryWord) {
  const best = Math.min(...termIds.map(termId => slots.get(termId) ?? SLOTS))
  if (best === SLOTS) return { coverage: 0, score: 0, hasWord: false }
  return { coverage: rarity, score: rarity * (SLOT_WEIGHT[best] as number), hasWord: true }
}

/** Computes the expected candidates by comparing every record. */
function expectedOf(records: Records, words: QueryWord[]) {
  const whole = words.reduce((sum, { rarity }) => sum + rarity, 0)
  const scored = records.map((slots, record) => {
    const values = words.map(word => wordValue(slots, word))
    const coverage = values.reduce((sum, value) => sum + value.coverage, 0)
    const score = values.reduce((sum, value) => sum + value.score, 0) * (coverage / whole)
    return { record, coverage, score, isFull: values.every(({ hasWord }) => hasWord) }
  })
  const most = Math.max(...scored.map(({ coverage }) => coverage))
  return scored.filter(({ coverage }) => coverage > 0 && coverage >= most * COVERAGE_MIN - 1e-9)
}

const record = fc
  .dictionary(fc.integer({ min: 0, max: TERMS - 1 }).map(String), fc.nat(SLOTS - 1), { maxKeys: 8 })
  .map(slots => new Map(Object.entries(slots).map(([termId, slot]) => [Number(termId), slot])))

const word = fc
  .tuple(fc.uniqueArray(fc.nat(TERMS - 1), { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 40 }))
  .map(([termIds, rarity]) => ({
    text: '',
    termIds,
    isAmount: false,
    weight: 1,
    postings: 1_000,
    rarity: rarity / 8,
  }))

t.test('the candidates are the same as by comparing every record, also for several queries in a row', async t => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 200, size: 'max' }),
      fc.array(fc.array(word, { minLength: 1, maxLength: 14 }), { minLength: 1, maxLength: 3 }),
      (records, queries) => {
        const gatherer = gathererOf(records, new Steps(Number.POSITIVE_INFINITY))
        return queries.every(words => {
          const { full, partial, total, score: scores } = gatherer.gather(words)
          const expected = expectedOf(records, words)
          return (
            expected.length === total &&
            expected.every(
              ({ record, score, isFull }) =>
                (isFull ? full : partial).records.includes(record) && Math.abs((scores[record] as number) - score) < 1e-6,
            )
          )
        })
      },
    ),
    { numRuns: 300 },
  )
  t.pass('the property holds for all generated cases')
})

t.test('if the steps do not suffice for all words, the rarest word is still used', async t => {
  const records: Records = Array.from(
    { length: 1_000 },
    (_, i) =>
      new Map(
        i % 2 === 0
          ? [
              [0, 0],
              [1, 0],
            ]
          : [[0, 0]],
      ),
  )
  const steps = new Steps(700)
  const gatherer = gathererOf(records, steps)
  const common = { text: '', termIds: [0], isAmount: false, weight: 1, rarity: 1, postings: 1_000 }
  const rare = { ...common, termIds: [1], rarity: 2, postings: 500 }
  t.equal(gatherer.gather([rare, common]).partial.size, 500)
  t.ok(steps.used <= 700, `${steps.used} steps were used, at most 700 allowed`)
})
