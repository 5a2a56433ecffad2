/** Decisions of the search page, tested without a browser: which texts are titles, the order of results, chips, suggestions. */
import t from 'tap'
import type { SearchRoute } from '../../src/web/app/data/address.js'
import { arrange } from '../../src/web/app/search/arrange.js'
import { chapterChips, countPaths, levelCounts, rateChips } from '../../src/web/app/search/facets.js'
import { CLOSED, suggest } from '../../src/web/app/search/suggestions.js'
import { rivalsAmong, scoreText } from '../../src/web/app/text/score-strings.js'
import { readsLikeTitle } from '../../src/web/app/text/title.js'

t.test('a score is shown in words, and a candidate with a very small share of the best score is not likely', async t => {
  const one = (hs_code: string, score: number) => ({ hs_code, score })
  t.strictSame(rivalsAmong([one('851713', 0.48), one('851779', 0.05), one('871200', 0.02)]), ['851713', '851779'])
  t.strictSame(rivalsAmong([]), [])
  t.equal(scoreText('en', 0.48), 'Possible, 48 %')
  t.equal(scoreText('en', 0.001), 'Unlikely, under 1 %')
  t.equal(scoreText('ar', 0.93), 'مرجّح جدا، 93 %')
})

t.test('product titles are distinguished from search words', async t => {
  for (const title of [
    'Coffee beans 1 kg',
    'حبوب قهوة 1 كجم',
    '20000mAh power bank slim Type-C',
    'Magnetic cards and tapes',
    'Persil non bio laundry detergent',
    'John Deere Log Forwarder',
    'Frozen Sweet Corn',
    'Silkworm cocoon byproducts: inferior cocoons, long waste, stuck ends, cocoon shells',
  ])
    t.ok(readsLikeTitle(title), title)
  for (const words of [
    '',
    'tea',
    'green tea',
    'stainless steel cutlery',
    'rice, in the husk',
    'jellyfish, prepared or preserved',
    'dressing gowns, men’s, knitted or crocheted',
    'زنجبيل، زعفران، كركم، خلطات',
    'Nitric acid',
    '8517.13',
    '8517 13 00',
    'HS 8517 13 00',
    '٨٥١٧ ١٣ ٠٠',
    'iphone 15',
  ])
    t.notOk(readsLikeTitle(words), words)
})

const words = (text: string) => ({ en: text, ar: text })
const code = (hs_code: string, ...path: string[]) => ({
  hs_code,
  description: words(`goods ${hs_code}`),
  tariff_rate: 5,
  path: path.map(one => ({ hs_code: one, description: words(one) })),
})
const shown = (...pages: ReturnType<typeof code>[][]) =>
  arrange(pages).map(({ one, way, isUnder }) => [
    one.hs_code,
    way === null ? null : way.map(({ hs_code }) => hs_code).join(),
    isUnder ? 'under' : '',
  ])

t.test('lines are grouped under their subheading, and the rest keep their order', async t => {
  const list = [
    code('8517', '85'),
    code('851713', '85', '8517'),
    code('010121', '01', '0101'),
    code('851713000002', '85', '8517', '851713'),
    code('0101', '01'),
    code('851713000001', '85', '8517', '851713'),
    code('851718', '85', '8517'),
  ]
  t.strictSame(shown(list), [
    ['8517', '85', ''],
    ['851713', null, 'under'],
    ['851713000002', null, 'under'],
    ['851713000001', null, 'under'],
    ['010121', '01,0101', ''],
    ['0101', '01', ''],
    ['851718', '8517', ''],
  ])
})

t.test('the best result stays first: a subheading found after its lines does not move before them', async t => {
  const line = code('851713000001', '85', '8517', '851713')
  t.strictSame(shown([line, code('010121', '01', '0101'), code('851713', '85', '8517')]), [
    ['851713000001', '85,8517,851713', ''],
    ['010121', '01,0101', ''],
    ['851713', '85,8517', ''],
  ])
})

t.test('lines of one subheading with different intermediate codes are grouped by their parents', async t => {
  const [a, b] = [['01', '0101', '010129', '01012990'] as const, ['01', '0101', '010129', '01012910'] as const]
  const list = [code('010129900002', ...a), code('010129100001', ...b), code('010129900001', ...a)]
  t.strictSame(shown(list), [
    ['010129900002', '01,0101,010129,01012990', ''],
    ['010129900001', null, ''],
    ['010129100001', '01,0101,010129,01012910', ''],
  ])
})

t.test(
  'a later page does not move results of an earlier one, and a repeated code is shown with its nearest ancestor',
  async t => {
    const first = [code('851713', '85', '8517'), code('010121', '01', '0101')]
    const second = [code('010129', '01', '0101'), code('851718', '85', '8517')]
    const both = shown(first, second)
    t.strictSame(both.slice(0, 2), shown(first))
    t.strictSame(both.slice(2), [
      ['010129', null, ''],
      ['851718', '8517', ''],
    ])
  },
)

t.test('codes that only repeat another one with zeros are shown in the row of that code', async t => {
  const same = (hs_code: string) => ({ ...code(hs_code, '85', '8517'), description: words('phones') })
  const [row, ...rest] = arrange([[same('851713'), same('85171300'), same('851713000000')]])
  t.strictSame(row?.padded, ['85171300', '851713000000'])
  t.strictSame(rest, [])
})

const route = (filters: Partial<SearchRoute> = {}): SearchRoute => ({
  page: 'search',
  q: 'tea',
  within: '',
  level: '',
  rate: '',
  steps: '',
  isTitle: false,
  ...filters,
})
const asked = (filters: Partial<SearchRoute>) =>
  countPaths(route(filters)).map(path => {
    const parameters = new URLSearchParams(path.split('?')[1])
    for (const name of ['q', 'limit', 'fields']) parameters.delete(name)
    return decodeURIComponent(parameters.toString())
  })

t.test('each facet is counted with the filters of the other facets: one request, and one more for each filter', async t => {
  t.strictSame(asked({}), ['facets=chapter,level,rate'])
  t.strictSame(asked({ within: '09' }), ['within=09&facets=level,rate', 'facets=chapter'])
  t.strictSame(asked({ within: '09', level: '6', rate: '5' }), [
    'level=6&rate=5&facets=chapter',
    'within=09&rate=5&facets=level',
    'within=09&level=6&facets=rate',
  ])
})

const step = (hs_code: string) => ({ hs_code, description: words(hs_code) })
const chapters = (within: string, counts: [string, number][] | null, best: string[] = []) =>
  chapterChips(within, counts && { chapter: counts.map(([one, count]) => ({ ...step(one), count })) }, best.map(step), 7).map(
    ({ label, count, filters, isOn }) => ['code' in label ? label.code : '', count, filters.within, isOn],
  )

t.test(
  'chapters of the first results come first, then the others by count; the chosen chapter leads and can be removed',
  async t => {
    t.strictSame(
      chapters(
        '',
        [
          ['09', 3],
          ['21', 9],
          ['33', 5],
        ],
        ['09'],
      ),
      [
        ['09', 3, '09', false],
        ['21', 9, '21', false],
        ['33', 5, '33', false],
      ],
    )
    t.strictSame(
      chapters('21', [
        ['09', 3],
        ['21', 9],
      ]),
      [
        ['21', 9, '', true],
        ['09', 3, '09', false],
      ],
    )
    t.strictSame(chapters('', [['09', 3]]), [], 'a single value is not offered as a choice')
    t.strictSame(chapters('', null, ['09', '21']), [
      ['09', null, '09', false],
      ['21', null, '21', false],
    ])
    t.strictSame(
      chapters('0902', [
        ['09', 3],
        ['21', 9],
      ]),
      [
        ['0902', 7, '', true],
        ['21', 9, '21', false],
        ['09', 3, '09', false],
      ],
    )
  },
)

t.test('the most frequent rates are listed in ascending order, and the chosen rate even if no result has it', async t => {
  const rate = [0, 1, 2, 3, 4, 5, 50].map((one, at) => ({ rate: one, count: 10 + at }))
  const listed = (chosen: string) =>
    rateChips(chosen, { rate }).map(({ label, filters }) => ['rate' in label && label.rate, filters.rate])
  t.strictSame(
    listed('').map(([one]) => one),
    [1, 2, 3, 4, 5, 50],
  )
  t.strictSame(listed('0')[0], [0, ''], 'the chosen rate is listed although it is the rarest')
  t.strictSame(
    rateChips('100', null).map(({ filters, isOn }) => [filters.rate, isOn]),
    [['', true]],
  )
  t.strictSame(rateChips('', { rate: rate.slice(0, 1) }), [])
})

t.test('levels of up to six digits have counts; of the longer levels, only the chosen one has a count', async t => {
  const level = [2, 6, 8, 12].map(one => ({ level: one, count: one }))
  t.strictSame(
    [...levelCounts('', { level }, 99)],
    [
      ['2', 2],
      ['6', 6],
    ],
  )
  t.strictSame(
    [...levelCounts('12', { level }, 99)],
    [
      ['2', 2],
      ['6', 6],
      ['12', 99],
    ],
  )
  t.strictSame([...levelCounts('12', null, 99)], [])
})

t.test('arrow keys move through the suggestions and back to the typed text', async t => {
  const options = ['a', 'b'].map(text => ({ text, lang: 'en' as const, hs_code: '0902', description: words(text) }))
  let now = suggest(CLOSED, { kind: 'offer', options, of: 't' })
  const walk = (by: number) => {
    now = suggest(now, { kind: 'move', by })
    return now.active
  }
  t.strictSame([1, 1, 1, 1].map(walk), [0, 1, -1, 0])
  t.strictSame([-1, -1, -1].map(walk), [-1, 1, 0])
  t.equal(suggest(now, 'close'), CLOSED)
  t.equal(suggest(now, { kind: 'offer', options: [], of: 'x' }), CLOSED, 'an empty list of suggestions is closed')
  t.equal(suggest(now, { kind: 'offer', options, of: 'x' }).active, -1)
})
