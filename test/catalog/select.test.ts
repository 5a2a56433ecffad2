import fc from 'fast-check'
import t from 'tap'
import { partitionAt, selectTop } from '../../src/catalog/select.js'

t.test('the best few come out as a full sort would order them', async t => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 }),
      fc.nat(210),
      (scores, want) => {
        const score = Float32Array.from(scores)
        const list = Uint32Array.from(scores.keys())
        const sorted = [...scores.keys()].sort((a, b) => (score[b] as number) - (score[a] as number) || a - b)
        const count = Math.min(want, scores.length)
        selectTop(list, scores.length, count, score)
        const whole = [...list].sort((a, b) => a - b).every((id, i) => id === i)
        return whole && sorted.slice(0, count).every((id, i) => list[i] === id)
      },
    ),
    { numRuns: 300 },
  )
  t.pass('held')
})

t.test('a list is parted where a full sort would part it', async t => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 200 }),
      fc.nat(199),
      (scores, wanted) => {
        const score = Float32Array.from(scores)
        const list = Uint32Array.from(scores.keys())
        const sorted = [...scores.keys()].sort((a, b) => (score[b] as number) - (score[a] as number) || a - b)
        const at = Math.min(wanted, scores.length - 1)
        partitionAt(list, scores.length, at, score)
        const isSame = (a: number[], b: number[]) => {
          const inOrder = b.sort((x, y) => x - y)
          return a.length === b.length && a.sort((x, y) => x - y).every((id, i) => id === inOrder[i])
        }
        return isSame([...list].slice(0, at), sorted.slice(0, at)) && isSame([...list], [...sorted])
      },
    ),
    { numRuns: 500 },
  )
  t.pass('held')
})

t.test('parting a list in any order costs a few passes, never a square', async t => {
  const count = 4096
  const orders: Record<string, (i: number) => number> = {
    ascending: i => i,
    descending: i => -i,
    equal: () => 1,
    'an organ pipe': i => Math.min(i, count - i),
    'a saw': i => i % 64,
    // the entry in the middle, which parts the list, is always the least of what is left
    'the worst for this way': i => Math.abs(i - count / 2),
  }
  for (const [name, order] of Object.entries(orders)) {
    const score = Float32Array.from({ length: count }, (_, i) => order(i))
    for (const at of [0, 1, count / 2, count - 1]) {
      const looked = partitionAt(Uint32Array.from(score.keys()), count, at, score)
      t.ok(looked <= count * 20, `${name}, from ${at}: ${looked}`)
    }
  }
})
