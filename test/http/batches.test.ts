import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { type Batch, Batches } from '../../src/http/batches.js'
import { BATCHES_MAX, KEY_BATCHES_MAX } from '../../src/limits.js'
import { Refusal } from '../../src/questions/refusal.js'

function placeFor(batches: Batches, key: string): Batch {
  const batch = batches.enter(key)
  if (batch instanceof Refusal) throw new Error(batch.message)
  return batch
}

/** Processes `count` parts and records the name for each. */
function parts(name: string, count: number, done: string[]): () => boolean {
  let left = count
  return () => {
    done.push(name)
    return --left > 0
  }
}

t.test('each turn processes one part of one batch, in rotation', async t => {
  const batches = new Batches()
  const done: string[] = []
  let over = 0
  for (const [name, count] of [
    ['a', 3],
    ['b', 1],
    ['c', 2],
  ] as const)
    placeFor(batches, name).start(parts(name, count, done), error => {
      t.equal(error, undefined)
      over++
    })
  t.strictSame(done, [], 'nothing is done before the next turn')
  for (let turns = 1; turns <= 6; turns++) {
    await nextTurn()
    t.equal(done.length, turns)
  }
  t.equal(done.join(''), 'abcaca')
  t.equal(over, 3)
  await nextTurn()
  placeFor(batches, 'a').start(parts('d', 1, done), () => over++)
  await nextTurn()
  t.equal(over, 4, 'a batch that starts after a pause is done as well')
})

t.test('a batch that has ended processes no further part, and the other batches continue', async t => {
  const batches = new Batches()
  const done: string[] = []
  const places = ['a', 'b', 'c'].map(name => {
    const place = placeFor(batches, name)
    place.start(parts(name, 2, done), () => done.push(`end of ${name}`))
    return place
  })
  await nextTurn()
  places[0]?.end()
  places[0]?.end()
  places[1]?.end()
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  t.strictSame(done, ['a', 'c', 'c', 'end of c'])
  const late = placeFor(batches, 'a')
  late.end()
  late.start(parts('late', 1, done), () => done.push('end of late'))
  await nextTurn()
  t.notOk(done.includes('late'))
})

t.test('if every batch ends before its turn, the turn does nothing', async t => {
  const batches = new Batches()
  const done: string[] = []
  const only = placeFor(batches, 'a')
  only.start(parts('a', 1, done), () => done.push('end'))
  only.end()
  await nextTurn()
  placeFor(batches, 'a').start(parts('b', 1, done), () => done.push('end of b'))
  await nextTurn()
  t.strictSame(done, ['b', 'end of b'])
})

t.test('an error in a part ends only its own batch', async t => {
  const batches = new Batches()
  const done: string[] = []
  const failure = new Error('a simulated bug')
  const ended = new Promise(end =>
    placeFor(batches, 'a').start(() => {
      throw failure
    }, end),
  )
  placeFor(batches, 'a').start(parts('b', 2, done), () => done.push('end'))
  t.equal(await ended, failure)
  await nextTurn()
  await nextTurn()
  t.strictSame(done, ['b', 'b', 'end'])
})

t.test('the number of unfinished batches is limited, for a key and in total; a batch that ends makes room', async t => {
  const batches = new Batches()
  const places = Array.from({ length: KEY_BATCHES_MAX }, () => placeFor(batches, 'a'))
  t.match(batches.enter('a'), { name: 'busy', message: /^This key/ })
  for (let n = KEY_BATCHES_MAX; n < BATCHES_MAX; n++) placeFor(batches, `${n}`)
  t.match(batches.enter('b'), { name: 'busy', message: /^The server/ })
  places[0]?.end()
  places[0]?.end()
  const next = placeFor(batches, 'b')
  t.match(batches.enter('a'), { name: 'busy' }, 'ending a batch twice counts once')
  next.start(
    () => false,
    () => {},
  )
  await nextTurn()
  t.notMatch(batches.enter('a'), { name: 'busy' })
})
