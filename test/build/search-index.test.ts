import t from 'tap'
import { aloneOf, END_FLAG, HEAD_FLAG, SLOTS, TERM_MASK } from '../../src/catalog/ranking.js'
import { fixtureSnapshot } from '../support/service.js'

t.test('what is told of a term alone is what the phrases of the record say', async t => {
  const { columns } = await fixtureSnapshot()
  const { postingsAt, postings, alone, phraseOf, phraseTerms } = columns
  /** The phrases of a record as lists of terms. */
  const phrases = (record: number) => {
    const list: number[][] = [[]]
    for (const term of phraseTerms.subarray(phraseOf[record], phraseOf[record + 1])) {
      list.at(-1)?.push(term)
      if ((term & END_FLAG) !== 0) list.push([])
    }
    t.strictSame(list.pop(), [], 'every phrase ends')
    return list
  }
  const best = (record: number, place: number): number => {
    const told = phrases(record).flatMap(terms => {
      const term = terms.find(one => (one & TERM_MASK) === place)
      if (term === undefined) return []
      const isHead = term >= HEAD_FLAG
      return [
        { worth: Math.sqrt(1 / terms.length) * (isHead ? 1 : 0.5), alone: aloneOf(terms.length, isHead) },
      ]
    })
    return told.sort((a, b) => b.worth - a.worth)[0]?.alone ?? 0
  }
  const places = (postingsAt.length - 1) / SLOTS
  let told = 0
  for (let place = 0; place < places; place++) {
    const end = postingsAt[(place + 1) * SLOTS] as number
    for (let i = postingsAt[place * SLOTS] as number; i < end; i++) {
      const expected = best(postings[i] as number, place)
      if (alone[i] !== expected) t.equal(alone[i], expected, `term ${place}, record ${postings[i]}`)
      if (expected > 0) told++
    }
  }
  t.ok(told > 100, `${told} told`)
})

t.test('phrases too long to be told are not told wrong', async t => {
  t.equal(aloneOf(126, true), 253)
  t.equal(aloneOf(127, false), 255)
})
