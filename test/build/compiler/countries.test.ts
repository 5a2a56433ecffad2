import fc from 'fast-check'
import t from 'tap'
import { compileOrigin, NO_ORIGIN } from '../../../build/compiler/agreements.js'
import { commonTariffOf } from '../../../build/compiler/apply-layers.js'
import { LineRuns } from '../../../build/compiler/code-runs.js'
import { compileLayer } from '../../../build/compiler/countries.js'
import type { Layer } from '../../../build/dataset/countries/layers.js'
import type { RateRow } from '../../../build/dataset/countries/rates.js'
import { Catalog } from '../../../src/catalog/catalog.js'
import { isFor } from '../../../src/catalog/countries.js'
import { COUNTRY_CERTAINTIES } from '../../../src/snapshot/country-format.js'
import { fixtureCatalog, fixtureSnapshot, shippedSnapshot } from '../../support/service.js'

const LIST = '2026-01-01'
const snapshot = await fixtureSnapshot()
const common = commonTariffOf(snapshot)
const lines = new LineRuns(common)
const { codes } = common
const catalog = await fixtureCatalog()

const layerOf = (rates: RateRow[]): Layer => ({
  code: 'SA',
  folder: '',
  country: {
    name: { en: 'A', ar: 'أ' },
    currency: 'SAR',
    decimals: 2,
    peg: null,
    coverage: 'some',
    lists: [{ date: LIST, source: 's' }],
    vat: { rate: '15', base: [], source: 's', date: LIST, certainty: 'published' },
  },
  rates,
  taxes: [],
  fees: [],
  thresholds: [],
  sources: new Map([['s', 'a source']]),
  sourceRows: [],
  missing: [],
})

/** A prefix of an existing code, of any length, or the empty prefix. */
const prefix = fc.tuple(fc.constantFrom(...codes), fc.nat(12)).map(([code, n]) => (n < 2 ? '' : code.slice(0, n)))
const rules = fc
  .uniqueArray(fc.record({ prefix, rate: fc.constantFrom('0', '5', '6.5', '12', '15', '100'), status: fc.nat(5) }), {
    selector: rule => rule.prefix,
    maxLength: 12,
  })
  .map(found =>
    found.map(({ prefix, rate, status }, i): RateRow => {
      const kind: RateRow['status'] = status === 0 ? 'prohibited' : status === 1 ? 'unknown' : 'allowed'
      const shown = kind === 'allowed' ? rate : ''
      return { list: LIST, prefix, rate: shown, status: kind, date: LIST, source: 's', certainty: 'published', line: i + 2 }
    }),
  )

const commonRate = (record: number) => common.rates[common.rate[record] as number] as string
const ruleFor = (code: string, rates: RateRow[]) =>
  rates.filter(rule => code.startsWith(rule.prefix)).sort((a, b) => b.prefix.length - a.prefix.length)[0]

t.test('a line has the rate of its longest listed prefix, or the common rate if no prefix is listed', async () => {
  fc.assert(
    fc.property(rules, rates => {
      const { lists, rates: table } = compileLayer(layerOf(rates), common, lines)
      const [{ rate, rule } = { rate: [], rule: [] }] = lists
      for (const [record, code] of codes.entries()) {
        if (!common.isLine(record)) continue
        const expected = ruleFor(code, rates)
        const expectedRate = expected?.status === 'allowed' ? expected.rate : commonRate(record)
        if (table[rate[record] as number] !== expectedRate) throw new Error(`${code}: ${table[rate[record] as number]}`)
        if (rule[record] !== (expected === undefined ? 0 : rates.indexOf(expected) + 1)) throw new Error(`${code}: wrong rule`)
      }
    }),
    { numRuns: 60 },
  )
})

t.test(
  'a shorter code has the most frequent rate of the lines below it (the lower one if tied), and their lowest and highest rate',
  async t => {
    fc.assert(
      fc.property(rules, rates => {
        const { lists, rates: table } = compileLayer(layerOf(rates), common, lines)
        const list = lists[0]
        if (list === undefined) throw new Error('no list')
        for (const [record, code] of codes.entries()) {
          const below = [...codes.keys()].filter(line => common.isLine(line) && codes[line]?.startsWith(code))
          const found = below.map(line => ({ line, rule: ruleFor(codes[line] as string, rates) }))
          if (found.every(({ rule }) => rule === undefined)) {
            if (table[list.rate[record] as number] !== commonRate(record))
              throw new Error(`${code} does not have the rate of the common tariff`)
            continue
          }
          const allowed = found.filter(({ rule }) => rule === undefined || rule.status === 'allowed')
          const counted = allowed.length > 0 ? allowed : found
          const values = counted.map(({ line, rule }) => Number(rule?.status === 'allowed' ? rule.rate : commonRate(line)))
          const times = (value: number) => values.filter(other => other === value).length
          const [expected] = [...new Set(values)].sort((a, b) => times(b) - times(a) || a - b)
          const compiled = [list.rate, list.low, list.high].map(column => Number(table[column[record] as number]))
          t.strictSame(compiled, [expected, Math.min(...values), Math.max(...values)], code)
        }
      }),
      { numRuns: 10 },
    )
  },
)

t.test('the shipped lists give every line the rate of its longest prefix', async t => {
  const shipped = new Catalog(await shippedSnapshot())
  t.ok(shipped.countries.codes.length >= 1)
  for (const code of shipped.countries.codes) {
    const view = shipped.countries.find(code)?.newest
    if (view === undefined) throw new Error(code)
    const wrong = [...shipped.lines.order].filter(record => {
      const rule = view.ruleOf(record)
      if (rule === undefined) return view.rateText(record) !== shipped.rateText(record)
      const expected = rule.status === 'allowed' ? rule.rate : shipped.rateText(record)
      const isLine = shipped.childCount[record] === 0
      return isLine && (view.rateText(record) !== expected || !shipped.records.code(record).startsWith(rule.prefix))
    })
    t.strictSame(wrong, [], code)
  }
})

t.test('the taxes of the longest prefix apply, and a code is flagged if codes below it have other taxes', async t => {
  const country = catalog.countries.find('SA')
  if (country === undefined) throw new Error('no SA')
  const taxes = (code: string, day = '2026-11-17') => {
    const { rows, differBelow } = country.taxesOf(catalog.trie.find(code), day)
    return [...rows.map(({ tax, rate, amount }) => `${tax} ${rate}${amount}`), ...(differBelow ? ['differ'] : [])]
  }
  t.strictSame(taxes('852321000000'), ['excise 50'])
  t.strictSame(taxes('852351000000'), ['excise 0'], 'a row with a longer prefix takes precedence')
  t.strictSame(taxes('8523'), ['excise 50', 'differ'])
  t.strictSame(taxes('85'), ['differ'])
  t.strictSame(taxes('010221'), ['excise 0', 'excise 1.09'], 'all tiers of a sugar tax are listed')
  t.strictSame(taxes('010221', '2025-12-31'), [], 'a tax does not apply before its first day')
  t.strictSame(taxes('010229', '2026-06-30'), ['excise 100'])
  t.strictSame(taxes('010229', '2026-07-01'), [], 'a tax does not apply after its last day')
  t.strictSame(taxes('0101'), ['vat 0'])
  t.match(country.taxesOf(catalog.trie.find('851713'), '2026-11-17').rows, [
    { tax: 'vat', applies: 'perhaps', condition: { en: 'if registered' } },
  ])
  t.strictSame(
    country.feesOn('2024-10-05').map(({ fee }) => fee),
    ['inspection'],
  )
  const [threshold] = country.thresholdsOn('2026-01-01')
  if (threshold === undefined) throw new Error('no threshold')
  t.strictSame(
    ['010121000000', '851713'].map(code => isFor(threshold, code)),
    [false, true],
  )
  t.equal(country.source(threshold.source), 'Saudi laws on VAT and excise')
})

t.test('agreements and anti-dumping duties are found by importer, origin and code', async t => {
  const { countries } = catalog
  const found = (importer: 'SA' | 'AE', origin: string, code: string) =>
    countries
      .agreementsFor(importer, origin, catalog.trie.find(code))
      .map(({ agreement, term, certainty }) => [agreement.agreement, term?.treatment, certainty])
  t.strictSame(found('SA', 'EG', '8523'), [['gafta', 'free', 'published']])
  t.strictSame(found('SA', 'CH', '010121000000'), [['efta', 'common', 'published']])
  t.strictSame(found('SA', 'CH', '852351000000'), [['efta', 'free', 'derived']])
  t.strictSame(found('SA', 'CH', '8517'), [['efta', 'free', 'uncertain']], 'the least certain line below decides')
  t.strictSame(found('SA', 'CH', '0101'), [['efta', 'common', 'published']])
  t.strictSame(
    found('SA', 'CH', '01'),
    [['efta', undefined, 'published']],
    'a code has no treatment if the lines below it are in different categories',
  )
  t.strictSame(
    found('SA', 'CH', '903110'),
    [['efta', undefined, 'published']],
    'a code has no treatment if no category covers it',
  )
  t.strictSame(found('SA', 'IN', '8523'), [])
  t.strictSame(found('AE', 'IN', '8523'), [['cepa', undefined, 'reported']])
  const duties = (importer: 'SA' | 'AE', origin: string, code: string, day = '2026-11-17') =>
    countries.antiDumping(importer, origin, code, day).length
  t.strictSame([duties('SA', 'CN', '852351000000'), duties('SA', 'CN', '8523'), duties('SA', '', '8523')], [1, 1, 1])
  t.strictSame([duties('AE', 'CN', '8523'), duties('SA', 'IN', '8523'), duties('SA', 'CN', '8517')], [0, 0, 0])
  t.strictSame(
    [duties('AE', 'IN', '903110', '2024-12-31'), duties('AE', 'IN', '903110')],
    [1, 0],
    'a duty does not apply after its last day',
  )
})

t.test('a code whose lines have the same category has the lowest certainty of these lines, in any order', async t => {
  const agreement = 'efta'
  const noText = { en: '', ar: '' }
  const row = { agreement, name: noText, importers: ['SA' as const], isCalculated: true, proof: noText, inForce: '', line: 2 }
  const codesBelow = ['852321', '852329', '852351']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...COUNTRY_CERTAINTIES), { minLength: 3, maxLength: 3 }), certainties => {
      const tables = {
        ...NO_ORIGIN,
        agreements: [{ ...row, source: 'treaty', certainty: 'published' as const }],
        categories: certainties.map((certainty, i) => ({
          agreement,
          prefix: codesBelow[i] ?? '',
          category: 'A',
          certainty,
          line: 2,
        })),
        terms: [{ agreement, category: 'A', treatment: 'free' as const, note: noText, line: 2 }],
      }
      const { meta, columns } = compileOrigin(tables, new Map([['treaty', 'Treaty']]), common, lines)
      const categoryNumber = columns.agreementCategory[codes.indexOf('8523')] ?? 0
      const least = Math.max(...certainties.map(certainty => COUNTRY_CERTAINTIES.indexOf(certainty)))
      return meta.agreements[0]?.categories[categoryNumber - 1]?.certainty === COUNTRY_CERTAINTIES[least]
    }),
  )
  t.pass('the property holds for all generated cases')
})
