import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { FORMATS, type Format, feedText } from '../../../src/load-kit/feed/formats.js'
import { mixedRequests, SHARES, UNKNOWN_KEY } from '../../../src/load-kit/feed/mix.js'
import { FEEDS, type FeedKind, type FeedOptions } from '../../../src/load-kit/feed/rows.js'
import { drawer } from '../../../src/load-kit/feed/spread.js'
import { seededRandom, shuffled } from '../../../src/random.js'
import { makeKey, fixtureCatalog as openCatalog, startService } from '../../support/service.js'

const catalog = await openCatalog()
const OPTIONS: FeedOptions = {
  seed: 7,
  spread: 'zipf',
  languages: ['en', 'ar'],
  origin: '',
  withoutUnknownKey: false,
}
const textOf = (kind: FeedKind, format: Format, count: number, options: Partial<FeedOptions> = {}) =>
  [...feedText(FEEDS[kind](catalog, { ...OPTIONS, ...options }), format, count)].join('')
const sha = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

t.test('the same seed gives the same bytes on every machine', async t => {
  const sums = Object.fromEntries((Object.keys(FEEDS) as FeedKind[]).map(kind => [kind, sha(textOf(kind, 'csv', 2_000))]))
  t.strictSame(sums, {
    codes: '391f750ff0d7300f',
    words: 'ac1713158e9a2964',
    tariff: 'ed91738e734f7b69',
    urls: '41dedc9d9c611539',
  })
  t.not(textOf('codes', 'csv', 100), textOf('codes', 'csv', 100, { seed: 8 }))
})

t.test('a shorter list of rows is the start of a longer one', async t => {
  t.ok(textOf('urls', 'csv', 5_000).startsWith(textOf('urls', 'csv', 100)))
})

t.test('every URL gets the status in its row', async t => {
  const key = makeKey('pro', { per_minute: 4_000_000, per_day: 4_000_000 })
  const { get } = await startService(t, [key], catalog)
  const seen = new Set<string>()
  const draw = FEEDS.urls(catalog, OPTIONS)
  for (let i = 0; i < 600; i++) {
    const [kind = '', method, url = '', keyKind, status] = draw.next()
    t.equal(method, 'GET')
    const { status: actual } = await get(url, { 'x-api-key': keyKind === 'own' ? key.key : UNKNOWN_KEY })
    if (actual !== Number(status)) t.fail(`${url} was answered with ${actual}, not ${status}`)
    seen.add(`${kind} ${status}`)
  }
  const all = ['children 200', 'lookup 200', 'mistake 400', 'mistake 401', 'mistake 404', 'search 200', 'tariff 200']
  t.strictSame([...seen].sort(), all)
})

t.test('landed costs equal those of the API', async t => {
  const key = makeKey('pro', { per_minute: 4_000_000, per_day: 4_000_000 })
  const { get } = await startService(t, [key], catalog)
  for (const line of textOf('tariff', 'jsonl', 40).trim().split('\n')) {
    const { landed_cost: expected, ...query } = JSON.parse(line)
    const parameters = new URLSearchParams(query as Record<string, string>)
    const { body } = await get(`/api/v1/tariff/calculate?${parameters}`, { 'x-api-key': key.key })
    t.equal(body.data.calculation.landed_cost, expected, line)
    t.equal(body.data.calculation.currency, query.currency)
  }
})

t.test(
  'kinds of requests occur as often as SHARES says, and Zipf draws the first of n items with probability 1/H(n)',
  async t => {
    const sources = { codes: ['85', '8517', '851713'], phrases: ['phones', 'horses'] }
    const draw = mixedRequests(sources, { seed: 3, spread: 'zipf', withoutUnknownKey: true })
    const counts: Record<string, number> = {}
    for (let i = 0; i < 20_000; i++) {
      const { kind, key } = draw()
      counts[kind] = (counts[kind] ?? 0) + 1
      if (key !== 'own') t.fail('an unknown key was used despite withoutUnknownKey')
    }
    for (const [kind, share] of Object.entries(SHARES))
      t.ok(
        Math.abs((counts[kind] as number) / 200 - share) < 1,
        `${counts[kind]} of 20,000 requests are of kind ${kind}, ${share} % expected`,
      )

    const next = seededRandom(5)
    const items = Array.from({ length: 100 }, (_, i) => i)
    for (const [spread, expected] of [
      ['zipf', 0.193],
      ['uniform', 0.01],
    ] as const) {
      const draw = drawer(items, spread, next)
      const firstShare = Array.from({ length: 20_000 }, draw).filter(item => item === 0).length / 20_000
      t.ok(Math.abs(firstShare - expected) < 0.01, `${spread} draws the first item with probability ${firstShare}`)
    }
  },
)

t.test('for any seed, random numbers are at least 0 and below 1, and a shuffled list has the same items', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.array(fc.integer()), (seed, items) => {
      const next = seededRandom(seed)
      for (let i = 0; i < 50; i++) {
        const value = next()
        if (!(value >= 0 && value < 1)) return false
      }
      const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b).join()
      return sorted(shuffled(items, next)) === sorted(items)
    }),
  )
})

t.test('only the requested languages occur, and a snapshot without one of them is refused', async t => {
  const arabic = textOf('words', 'csv', 50, { languages: ['ar'] })
  t.notMatch(arabic, /,en,/)
  t.match(arabic, /,ar,/)
  const empty = Object.create(catalog, { suggest: { value: { phrasesOf: () => [0, 0] } } })
  t.throws(() => FEEDS.words(empty, { ...OPTIONS, languages: ['ar'] }), /has no phrases in ar/)
})

t.test('URLs are written correctly in each format', async t => {
  for (const format of FORMATS) {
    const text = textOf('urls', format, 3, { origin: 'http://h:1' })
    t.ok(text.endsWith('\n'), `${format} ends with a newline`)
    if (format === 'list') t.match(text, /^(http:\/\/h:1\/api\/v1\/\S+\n){3}$/)
    if (format === 'vegeta') t.match(text, /^(GET http:\/\/h:1\/api\/v1\/\S+\n\n){3}$/)
    if (format === 'jsonl')
      t.equal(
        text
          .trim()
          .split('\n')
          .map(line => JSON.parse(line)).length,
        3,
      )
    if (format === 'csv') t.match(text, /^kind,method,url,key,status\n/)
  }
})
