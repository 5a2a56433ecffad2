import fc from 'fast-check'
import t from 'tap'
import { fnv1a } from '../../src/fnv1a.js'
import { PageCache } from '../../src/http/page-cache.js'

/** Asked for as a request asks. */
const get = <Page>(cache: PageCache<Page>, query: string) => cache.get(query, fnv1a(query))
const offer = <Page>(cache: PageCache<Page>, query: string, page: Page) => cache.offer(query, fnv1a(query), page)

t.test('a page is kept from its second asking on', async t => {
  const cache = new PageCache<number>()
  offer(cache, 'q=a', 1)
  t.equal(get(cache, 'q=a'), undefined)
  offer(cache, 'q=a', 1)
  t.equal(get(cache, 'q=a'), 1)
})

t.test('no more pages are kept than the bound allows, and the oldest goes first', async t => {
  const cache = new PageCache<number>(3)
  const keep = (query: string, page: number) => {
    offer(cache, query, page)
    offer(cache, query, page)
  }
  for (let i = 0; i < 5; i++) keep(`q=${i}`, i)
  t.equal(cache.size, 3)
  t.strictSame(
    [0, 1, 2, 3, 4].map(i => get(cache, `q=${i}`)),
    [undefined, undefined, 2, 3, 4],
  )
  const many = new PageCache<number>()
  for (let i = 0; i < 5000; i++) {
    offer(many, `q=${i}`, i)
    offer(many, `q=${i}`, i)
  }
  t.equal(many.size, 4096)
})

t.test('long query strings are not kept', async t => {
  const cache = new PageCache<number>()
  for (const query of [`q=${'a'.repeat(255)}`, `q=${'a'.repeat(254)}`]) {
    offer(cache, query, 1)
    offer(cache, query, 1)
  }
  t.equal(cache.size, 1)
})

t.test('whatever was kept is what was offered under that name', async t => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { maxLength: 300 }), asked => {
      const cache = new PageCache<string>(8)
      return asked.every(n => {
        const query = `q=${n}`
        const kept = get(cache, query)
        if (kept === undefined) offer(cache, query, `page of ${n}`)
        return cache.size <= 8 && (kept === undefined || kept === `page of ${n}`)
      })
    }),
  )
  t.pass('held')
})

t.test('of two queries with the same hash the later one is kept, and none is taken for the other', async t => {
  const cache = new PageCache<number>(2)
  for (const [query, page] of [
    ['q=a', 1],
    ['q=b', 2],
  ] as const) {
    cache.offer(query, 7, page)
    cache.offer(query, 7, page)
  }
  t.equal(cache.get('q=a', 7), undefined)
  t.equal(cache.get('q=b', 7), 2)
  t.equal(cache.size, 1)
})
