import fc from 'fast-check'
import t from 'tap'
import { ERRORS } from '../../src/errors.js'
import { CatalogError, type HsCatalog, openCatalog } from '../../src/index.js'
import { openCatalog as openPortable } from '../../src/library/portable.js'
import { compiledFixture } from '../support/service.js'

const API_CODES = Object.values(ERRORS).map(({ code }) => code)

/** Like a caller in plain JavaScript. */
type Careless = Record<Exclude<keyof HsCatalog, 'dataset'>, (...args: unknown[]) => unknown>

const open = async () => (await openCatalog({ snapshot: await compiledFixture() })) as unknown as Careless

t.test("misuse throws an error with a code of the API's table", async t => {
  const hs = await open()
  const wrong: [string, unknown, (hs: Careless) => unknown, string?][] = [
    ['a code with a point', 'invalid_code', hs => hs.lookup('8523.21')],
    ['a code as a number', 'invalid_code', hs => hs.lookup(902)],
    ['no code', 'invalid_code', hs => hs.path()],
    ['a code too long for children', 'invalid_code', hs => hs.children('85232100000000')],
    ['an edition as a number', 'invalid_parameter', hs => hs.editions(2017, '851712'), 'edition'],
    ['an edition that is not known', 'invalid_parameter', hs => hs.editions('2007', '851712'), 'edition'],
    ['four digits of an edition', 'invalid_code', hs => hs.editions('2017', '8517')],
    ['one letter', 'query_too_short', hs => hs.search('x')],
    ['no query', 'invalid_parameter', hs => hs.search(), 'q'],
    ['a long query', 'invalid_parameter', hs => hs.search('x'.repeat(201)), 'q'],
    ['a page size of 0', 'invalid_parameter', hs => hs.search('tea', { limit: 0 }), 'limit'],
    ['a page as text', 'invalid_parameter', hs => hs.children('85', { limit: '5' }), 'limit'],
    ['half an offset', 'invalid_parameter', hs => hs.lines('85', { offset: 0.5 }), 'offset'],
    ['lines of seven digits', 'invalid_parameter', hs => hs.lines('85', { digits: 7 }), 'digits'],
    ['codes of three digits', 'invalid_parameter', hs => hs.search('tea', { level: 3 }), 'level'],
    ['within a number', 'invalid_parameter', hs => hs.search('tea', { within: 85 }), 'within'],
    ['a rate that is text', 'invalid_parameter', hs => hs.search('tea', { rate: '5' }), 'rate'],
    ['a rate below zero', 'invalid_parameter', hs => hs.search('tea', { rate: -1 }), 'rate'],
    ['an unknown facet', 'invalid_parameter', hs => hs.search('tea', { facets: ['colour'] }), 'facets'],
    ['facets as text', 'invalid_parameter', hs => hs.search('tea', { facets: 'chapter' }), 'facets'],
    ['options that are not an object', 'invalid_parameter', hs => hs.search('tea', null), 'options'],
    ['options as text', 'invalid_parameter', hs => hs.suggest('tea', 'en'), 'options'],
    ['nothing typed', 'query_too_short', hs => hs.suggest('')],
    ['another language', 'invalid_parameter', hs => hs.suggest('tea', { lang: 'fr' }), 'lang'],
    ['numbers to be resolved', 'invalid_parameter', hs => hs.resolve([902]), 'codes'],
    ['nothing to be resolved', 'invalid_parameter', hs => hs.resolve(), 'codes'],
    ['another edition', 'invalid_parameter', hs => hs.resolve('85', { edition: '2007' }), 'edition'],
    ['a letter to classify', 'invalid_parameter', hs => hs.classify('x'), 'text'],
    ['nothing to classify', 'invalid_parameter', hs => hs.classify(), 'items'],
    ['a number to classify', 'invalid_parameter', hs => hs.classify(['tea', 5]), 'items[1]'],
    ['a text too long', 'invalid_parameter', hs => hs.classify([{ text: 'x'.repeat(501) }]), 'items[0].text'],
    ['ten digits', 'invalid_parameter', hs => hs.classify('tea', { level: 10 }), 'level'],
    ['no candidate', 'invalid_parameter', hs => hs.classify('tea', { limit: 0 }), 'limit'],
    ['within a text that is not a code', 'invalid_parameter', hs => hs.classify('tea', { within: '0999' }), 'within'],
    ['within nothing', 'invalid_parameter', hs => hs.classify('tea', { within: [] }), 'within'],
    ['a code with a point to verify', 'invalid_parameter', hs => hs.classify('tea', { hs_code: '8523.21' }), 'hs_code'],
    ['no value', 'invalid_value', hs => hs.tariff('85')],
    ['not a value', 'invalid_value', hs => hs.tariff('85', Number.NaN)],
    ['a list as a currency', 'invalid_parameter', hs => hs.tariff('85', 1, { currency: ['AED'] }), 'currency'],
    ['a long currency', 'invalid_parameter', hs => hs.tariff('85', 1, { currency: 'EURO' }), 'currency'],
    ['VAT perhaps', 'invalid_parameter', hs => hs.tariff('85', 1, { include_vat: 'yes' }), 'include_vat'],
    ['much VAT', 'invalid_parameter', hs => hs.tariff('85', 1, { vat_rate: 101 }), 'vat_rate'],
  ]
  for (const [what, code, ask, parameter] of wrong) {
    try {
      ask(hs)
      t.fail(what)
    } catch (error) {
      t.ok(error instanceof CatalogError && error instanceof Error, what)
      t.match(error, { name: 'CatalogError', code, message: /^[A-Z].*[.?]$/ }, what)
      t.strictSame((error as CatalogError).details, parameter === undefined ? {} : { parameter }, what)
      t.ok(API_CODES.includes((error as CatalogError).code))
    }
  }
})

t.test('an unknown option is refused with the nearest known one', async t => {
  const hs = await open()
  const misspelt: [(hs: Careless) => unknown, string, string?][] = [
    [hs => hs.tariff('852321', 1, { contry: 'SA' }), 'contry', 'country'],
    [hs => hs.tariff('852321', 1, { includeVat: true }), 'includeVat', 'include_vat'],
    [hs => hs.tariff('852321', 1, { country: 'SA', fright: 5 }), 'fright', 'freight'],
    [hs => hs.tariff('852321', 1, { discount: 5 }), 'discount'],
    [hs => hs.lookup('85', { contry: 'SA' }), 'contry', 'country'],
    [hs => hs.rate('85', { asof: '2026-03-01' }), 'asof', 'as_of'],
    [hs => hs.controls('85', { contry: 'SA' }), 'contry', 'country'],
    [hs => hs.search('cards', { facet: ['level'] }), 'facet', 'facets'],
    [hs => hs.suggest('ca', { limits: 1 }), 'limits', 'limit'],
    [hs => hs.children('85', { ofset: 1 }), 'ofset', 'offset'],
    [hs => hs.lines('85', { digit: 8 }), 'digit', 'digits'],
    [hs => hs.resolve('85', { editon: '2017' }), 'editon', 'edition'],
    [hs => hs.classify('cards', { hscode: '85' }), 'hscode', 'hs_code'],
    [hs => hs.classify(['cards'], { within: '85' }), 'within'],
    [hs => hs.classify([{ text: 'cards', hscode: '85' }]), 'items[0].hscode', 'hs_code'],
    [hs => hs.changes({ form: '1.0.0' }), 'form'],
    [hs => hs.rows({ levle: 6 }), 'levle', 'level'],
  ]
  const refused = (error: unknown, parameter: string, nearest?: string) => {
    t.match(error, { name: 'CatalogError', code: 'invalid_parameter', message: `The parameter ${parameter} is unknown; ` })
    t.strictSame((error as CatalogError).details, { parameter, ...(nearest && { did_you_mean: nearest }) }, parameter)
  }
  for (const [ask, parameter, nearest] of misspelt) {
    try {
      ask(hs)
      t.fail(parameter)
    } catch (error) {
      refused(error, parameter, nearest)
    }
  }
  const options = { snapshots: await compiledFixture() } as object
  for (const opening of [openCatalog(options), openPortable(options)])
    refused(await opening.catch(error => error), 'snapshots', 'snapshot')
})

t.test('any input gives an answer or an error with a code of the table', async t => {
  const hs = await open()
  const names = [
    'lookup',
    'search',
    'suggest',
    'children',
    'lines',
    'path',
    'resolve',
    'classify',
    'editions',
    'earlier',
    'rate',
    'examples',
    'tariff',
  ] as const
  const anything = fc.oneof(
    fc.anything(),
    fc.constantFrom('85', '0101', '851712', '2017', 'phones', 1000),
    fc.record({ limit: fc.anything(), offset: fc.anything(), vat_rate: fc.anything() }, { requiredKeys: [] }),
    fc.array(fc.record({ text: fc.anything(), within: fc.anything(), hs_code: fc.anything() }, { requiredKeys: [] })),
  )
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(anything, { maxLength: 3 }), (name, args) => {
      try {
        hs[name](...args)
      } catch (error) {
        if (!(error instanceof CatalogError)) throw error
      }
    }),
    { numRuns: 2000 },
  )
  t.pass()
})
