import fc from 'fast-check'
import t from 'tap'
import { TaggedAnswers } from '../../src/client/tagged-answers.js'
import { clientOn } from '../support/client.js'
import { testOnEngines } from '../support/service.js'

testOnEngines('a repeated request sends the entity tag, and status 304 returns the earlier answer', async t => {
  const { client, seen } = await clientOn(t)
  const first = await client.search('horses', { limit: 2 })
  const second = await client.search('horses', { limit: 2 })
  t.strictSame(
    seen.map(one => one.status),
    [200, 304],
  )
  t.strictSame(second, first)
  Object.assign(second.items, { length: 0 })
  t.strictSame(await client.search('horses', { limit: 2 }), first, 'each call returns a new object')
  await client.search('horses', { limit: 3 })
  t.equal(seen.at(-1)?.status, 200, 'a request with other parameters has no entity tag yet')
  await client.resolve(['85'])
  await client.resolve(['85'])
  t.equal(seen.at(-1)?.status, 200, 'answers to POST have no entity tag')
})

testOnEngines('the cache can be turned off', async t => {
  const { client, seen } = await clientOn(t, { cacheCharacters: 0 })
  await client.lookup('85')
  await client.lookup('85')
  t.strictSame(
    seen.map(one => one.status),
    [200, 200],
  )
})

t.test('the cache stays within its limit and drops the least recently used answer first', async t => {
  const answer = (length: number) => ({ tag: 't', text: 'x'.repeat(length) })
  const cache = new TaggedAnswers(30)
  cache.set('a', answer(8))
  cache.set('b', answer(8))
  cache.get('a')
  cache.set('c', answer(8))
  t.ok(cache.get('a') && cache.get('c'))
  cache.set('d', answer(8))
  t.notOk(cache.get('b'), 'the least recently used answer is dropped')
  cache.set('e', answer(1_000))
  t.notOk(cache.get('e'), 'an answer that is too large is not cached')
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(40))), steps => {
      const answers = new TaggedAnswers(50)
      for (const [url, length] of steps) {
        answers.set(url, answer(length))
        const sizes = ['a', 'b', 'c', 'd'].map(name => {
          const found = answers.get(name)
          return found === undefined ? 0 : found.text.length + 2
        })
        if (sizes.reduce((sum, size) => sum + size) > 50) return false
        if (length + 2 <= 50 && answers.get(url)?.text.length !== length) return false
      }
      return true
    }),
  )
})
