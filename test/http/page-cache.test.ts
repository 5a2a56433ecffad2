import fc from 'fast-check'
import t from 'tap'
import { PageCache } from '../../src/http/page-cache.js'

t.test('a page is kept from its second asking on', async t => {
  const cache = new PageCache<number>()
  cache.offer('q=a', 1)
  t.equal(cache.get('q=a'), undefined)
  cache.offer('q=a', 1)
  t.equal(cache.get('q=a'), 1)
})

t.test('no more pages are kept than the bound allows, and the oldest goes first', async t => {
  const cache = new PageCache<number>(3)
  const keep = (query: string, page: number) => {
    cache.offer(query, page)
    cache.offer(query, page)
  }
  for (let i = 0; i < 5; i++) keep(`q=${i}`, i)
  t.equal(cache.size, 3)
  t.strictSame(
    [0, 1, 2, 3, 4].map(i => cache.get(`q=${i}`)),
    [undefined, undefined, 2, 3, 4],
  )
  const many = new PageCache<number>()
  for (let i = 0; i < 5000; i++) {
    many.offer(`q=${i}`, i)
    many.offer(`q=${i}`, i)
  }
  t.equal(many.size, 4096)
})

t.test('long query strings are not kept', async t => {
  const cache = new PageCache<number>()
  for (const query of [`q=${'a'.repeat(255)}`, `q=${'a'.repeat(254)}`]) {
    cache.offer(query, 1)
    cache.offer(query, 1)
  }
  t.equal(cache.size, 1)
})

t.test('whatever was kept is what was offered under that name', async t => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { maxLength: 300 }), asked => {
      const cache = new PageCache<string>(8)
      return asked.every(n => {
        const query = `q=${n}`
        const kept = cache.get(query)
        if (kept === undefined) cache.offer(query, `page of ${n}`)
        return cache.size <= 8 && (kept === undefined || kept === `page of ${n}`)
      })
    }),
  )
  t.pass('held')
})
