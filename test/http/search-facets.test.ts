import fc from 'fast-check'
import type { Facets } from '../../src/answers/shapes.js'
import { dataOf, openService, testOnEngines } from '../support/service.js'

const sum = (counts: readonly { count: number }[] = []) => counts.reduce((all, { count }) => all + count, 0)
const url = (parameters: Record<string, string | number>) =>
  `/api/v1/search?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)] as [string, string]))}`

testOnEngines('facets count all results that pass the filters, on all pages, by chapter, level and rate', async t => {
  const { get, auth } = await openService(t)
  const ask = async (parameters: Record<string, string | number>) => (await get(url(parameters), auth)).body
  const tallied = (items: { hs_code: string; tariff_rate: number }[], of: (item: (typeof items)[number]) => string | number) => {
    const counts = new Map<string | number, number>()
    for (const item of items) counts.set(of(item), (counts.get(of(item)) ?? 0) + 1)
    return counts
  }
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        q: fc.constantFrom('measuring', 'cards', 'جهاز قياس', '85', '01', 'horses live', 'zzzz'),
        level: fc.constantFrom('', 4, 6, 8, 12),
        within: fc.constantFrom('', '85', '8523'),
        rate: fc.constantFrom('', 0, 5, 7.25),
        limit: fc.constantFrom(1, 50),
        country: fc.constantFrom('', 'SA'),
      }),
      async parameters => {
        const { facets, meta, data } = await ask({ ...parameters, facets: 'rate,chapter,level' })
        const { chapter, level, rate } = facets as Facets
        const total = meta.total as number
        if (Object.keys(facets).join() !== 'chapter,level,rate') return false
        if ([chapter, level, rate].some(counts => sum(counts) !== total)) return false
        const isAscending = (values: number[]) => values.every((value, i) => i === 0 || value > (values[i - 1] as number))
        if (!isAscending(rate.map(one => one.rate)) || !isAscending(level.map(one => one.level))) return false
        // chapters are sorted by descending count, then by code; this key combines both
        if (!isAscending(chapter.map(one => Number(one.hs_code) - one.count * 100))) return false
        if (total > 50 || parameters.limit < 50) return true
        const same = (
          counts: readonly { count: number }[],
          wanted: Map<string | number, number>,
          of: (one: never) => string | number,
        ) => counts.length === wanted.size && counts.every(one => wanted.get(of(one as never)) === one.count)
        return (
          same(
            chapter,
            tallied(data, ({ hs_code }) => hs_code.slice(0, 2)),
            (one: { hs_code: string }) => one.hs_code,
          ) &&
          same(
            level,
            tallied(data, ({ hs_code }) => hs_code.length),
            (one: { level: number }) => one.level,
          ) &&
          same(
            rate,
            tallied(data, ({ tariff_rate }) => tariff_rate),
            (one: { rate: number }) => one.rate,
          )
        )
      },
    ),
    { numRuns: 60 },
  )
  const { facets } = await ask({ q: 'cards', facets: 'chapter' })
  t.strictSame(Object.keys(facets), ['chapter'], 'only the requested facets are present')
  t.match(facets.chapter[0], { hs_code: '85', description: { en: String, ar: String }, count: Number })
  t.strictSame((await ask({ q: 'zzzz', facets: 'level,chapter,rate' })).facets, { chapter: [], level: [], rate: [] })
})

testOnEngines('facets are added to a response without changing its other bytes', async t => {
  const { get, auth } = await openService(t)
  for (const q of ['cards', 'horses', '8523', 'zzzz']) {
    const plain = await get(url({ q }), auth)
    t.equal(plain.text, `{"success":true,"data":${dataOf(plain)},"meta":${JSON.stringify(plain.body.meta)}}`)
    const counted = await get(url({ q, facets: 'chapter,level,rate' }), auth)
    t.equal(counted.text.replace(`,"facets":${JSON.stringify(counted.body.facets)}`, ''), plain.text)
    t.equal((await get(url({ q, facets: '', fields: '', rate: '' }), auth)).text, plain.text, 'an empty parameter is ignored')
  }
})

testOnEngines('the rate parameter filters by duty rate, for the requested country if one is given', async t => {
  const { get, auth } = await openService(t)
  const codes = async (parameters: Record<string, string | number>) =>
    (await get(url(parameters), auth)).body.data.map(
      ({ hs_code, tariff_rate }: Record<string, unknown>) => `${hs_code} ${tariff_rate}`,
    )
  const all = await codes({ q: '8523', limit: 50 })
  t.strictSame(
    await codes({ q: '8523', limit: 50, rate: 5 }),
    all.filter((one: string) => one.endsWith(' 5')),
  )
  t.strictSame(await codes({ q: '8523', rate: '5.0' }), await codes({ q: '8523', rate: 5 }))
  t.strictSame(await codes({ q: '8523', rate: 99 }), [])
  const saudi = { country: 'SA', as_of: '2026-03-01' }
  t.ok((await codes({ q: '852321', rate: 20, ...saudi })).length > 0)
  t.strictSame(await codes({ q: '852321', rate: 5, ...saudi }), [])
  for (const rate of ['-1', '5%', '1e1', '٥', 'x', '5.', '.5', ' 5']) {
    const { status, body } = await get(url({ q: 'cards', rate }), auth)
    t.equal(status, 400, rate)
    t.match(body.error, { code: 'invalid_parameter', details: { parameter: 'rate' } })
  }
})

testOnEngines('the fields parameter leaves out all other fields, but keeps those added by include', async t => {
  const { get, auth } = await openService(t)
  const first = async (parameters: Record<string, string | number>) =>
    (await get(url({ q: 'stripe', ...parameters }), auth)).body.data[0]
  const whole = await first({})
  t.strictSame(await first({ fields: 'tariff_rate,hs_code' }), { hs_code: '852321', tariff_rate: 5 })
  t.equal(
    JSON.stringify(await first({ fields: 'tariff_rate,hs_code' })),
    '{"hs_code":"852321","tariff_rate":5}',
    'the fields are in the usual order',
  )
  t.strictSame(await first({ fields: 'description.en' }), { description: { en: whole.description.en } })
  t.strictSame(await first({ fields: 'description.ar,description.en' }), { description: whole.description })
  t.strictSame(await first({ fields: 'description.ar,description,hs_code,tariff_rate' }), whole)
  const { path } = await first({ include: 'path' })
  t.strictSame(await first({ fields: 'hs_code,hs_code', include: 'path' }), { hs_code: '852321', path })
  t.match(await first({ fields: 'hs_code', include: 'matched,path' }), { matched: null, path })
  t.strictSame(await first({ fields: 'tariff_rate', country: 'SA', as_of: '2026-03-01' }), { tariff_rate: 20 })

  for (const list of ['children', 'lines']) {
    const path = `/api/v1/hs-codes/8523/${list}`
    const all = (await get(path, auth)).body
    const few = (await get(`${path}?fields=level,description.ar,parent_id,is_active`, auth)).body
    t.strictSame(
      few.data,
      all.data.map(({ description: { ar }, level, parent_id, is_active }: Record<string, never>) => ({
        description: { ar },
        level,
        parent_id,
        is_active,
      })),
    )
    t.strictSame({ ...few.meta, timestamp: '' }, { ...all.meta, timestamp: '' })
    t.equal((await get(`${path}?fields=`, auth)).text, (await get(path, auth)).text)
    t.match((await get(`${path}?fields=colour`, auth)).body.error, { message: /; colour is not one of them\.$/ })
  }
})

testOnEngines('an unknown facet or field is refused, and the message names it', async t => {
  const { get, auth } = await openService(t)
  for (const [query, parameter, named] of [
    ['facets=chapter,colour', 'facets', 'colour'],
    ['facets=chapter,', 'facets', ''],
    ['fields=hs_code,level', 'fields', 'level'],
    ['fields=description.fr', 'fields', 'description.fr'],
    ['fields=path', 'fields', 'path'],
    ['fields=%22%3C', 'fields', ''],
    ['fields=%zz', 'fields', ''],
  ] as const) {
    const { status, body } = await get(`/api/v1/search?q=cards&${query}`, auth)
    t.equal(status, 400, query)
    t.match(body.error, { code: 'invalid_parameter', details: { parameter } })
    if (named === '') t.notMatch(body.error.message, 'is not one of them', 'only a harmless name is repeated')
    else t.ok(body.error.message.endsWith(`; ${named} is not one of them.`), body.error.message)
  }
})
