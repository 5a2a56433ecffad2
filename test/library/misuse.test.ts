import fc from 'fast-check'
import t from 'tap'
import { ERRORS } from '../../src/errors.js'
import { CatalogError, type HsCatalog, openCatalog } from '../../src/index.js'
import { openCatalog as openPortable } from '../../src/library/portable.js'
import { compiledFixture } from '../support/service.js'

const API_CODES = Object.values(ERRORS).map(({ code }) => code)

/** The catalog without types, as for a caller in plain JavaScript. */
type Untyped = Record<Exclude<keyof HsCatalog, 'dataset'>, (...args: unknown[]) => unknown>

const open = async () => (await openCatalog({ snapshot: await compiledFixture() })) as unknown as Untyped

t.test("an invalid argument throws an error with a code from the API's table of errors", async t => {
  const hs = await open()
  const invalid: [string, unknown, (hs: Untyped) => unknown, string?][] = [
    ['a code with a point', 'invalid_code', hs => hs.lookup('8523.21')],
    ['a code as a number', 'invalid_code', hs => hs.lookup(902)],
    ['no code', 'invalid_code', hs => hs.path()],
    ['a code too long for children', 'invalid_code', hs => hs.children('85232100000000')],
    ['an edition as a number', 'invalid_parameter', hs => hs.editions(2017, '851712'), 'edition'],
    ['an unknown edition', 'invalid_parameter', hs => hs.editions('2007', '851712'), 'edition'],
    ['a heading for editions', 'invalid_code', hs => hs.editions('2017', '8517')],
    ['a query of one letter', 'query_too_short', hs => hs.search('x')],
    ['no query', 'invalid_parameter', hs => hs.search(), 'q'],
    ['a long query', 'invalid_parameter', hs => hs.search('x'.repeat(201)), 'q'],
    ['a page size of 0', 'invalid_parameter', hs => hs.search('tea', { limit: 0 }), 'limit'],
    ['a page as text', 'invalid_parameter', hs => hs.children('85', { limit: '5' }), 'limit'],
    ['a fractional offset', 'invalid_parameter', hs => hs.lines('85', { offset: 0.5 }), 'offset'],
    ['lines of seven digits', 'invalid_parameter', hs => hs.lines('85', { digits: 7 }), 'digits'],
    ['level 3', 'invalid_parameter', hs => hs.search('tea', { level: 3 }), 'level'],
    ['a number as within', 'invalid_parameter', hs => hs.search('tea', { within: 85 }), 'within'],
    ['a rate that is text', 'invalid_parameter', hs => hs.search('tea', { rate: '5' }), 'rate'],
    ['a rate below zero', 'invalid_parameter', hs => hs.search('tea', { rate: -1 }), 'rate'],
    ['an unknown facet', 'invalid_parameter', hs => hs.search('tea', { facets: ['colour'] }), 'facets'],
    ['facets as text', 'invalid_parameter', hs => hs.search('tea', { facets: 'chapter' }), 'facets'],
    ['options that are not an object', 'invalid_parameter', hs => hs.search('tea', null), 'options'],
    ['options as text', 'invalid_parameter', hs => hs.suggest('tea', 'en'), 'options'],
    ['an empty text for suggestions', 'query_too_short', hs => hs.suggest('')],
    ['an unknown language', 'invalid_parameter', hs => hs.suggest('tea', { lang: 'fr' }), 'lang'],
    ['numbers to resolve', 'invalid_parameter', hs => hs.resolve([902]), 'codes'],
    ['no codes to resolve', 'invalid_parameter', hs => hs.resolve(), 'codes'],
    ['an unknown edition to resolve from', 'invalid_parameter', hs => hs.resolve('85', { edition: '2007' }), 'edition'],
    ['a text of one letter to classify', 'invalid_parameter', hs => hs.classify('x'), 'text'],
    ['no text to classify', 'invalid_parameter', hs => hs.classify(), 'items'],
    ['a number to classify', 'invalid_parameter', hs => hs.classify(['tea', 5]), 'items[1]'],
    ['a text to classify that is too long', 'invalid_parameter', hs => hs.classify([{ text: 'x'.repeat(501) }]), 'items[0].text'],
    ['level 10', 'invalid_parameter', hs => hs.classify('tea', { level: 10 }), 'level'],
    ['a limit of 0 candidates', 'invalid_parameter', hs => hs.classify('tea', { limit: 0 }), 'limit'],
    ['an unknown code as within', 'invalid_parameter', hs => hs.classify('tea', { within: '0999' }), 'within'],
    ['an empty list as within', 'invalid_parameter', hs => hs.classify('tea', { within: [] }), 'within'],
    ['a code with a point to verify', 'invalid_parameter', hs => hs.classify('tea', { hs_code: '8523.21' }), 'hs_code'],
    ['no value', 'invalid_value', hs => hs.tariff('85')],
    ['NaN as a value', 'invalid_value', hs => hs.tariff('85', Number.NaN)],
    ['a list as a currency', 'invalid_parameter', hs => hs.tariff('85', 1, { currency: ['AED'] }), 'currency'],
    ['a currency of four letters', 'invalid_parameter', hs => hs.tariff('85', 1, { currency: 'EURO' }), 'currency'],
    ['include_vat as text', 'invalid_parameter', hs => hs.tariff('85', 1, { include_vat: 'yes' }), 'include_vat'],
    ['a VAT rate above 100', 'invalid_parameter', hs => hs.tariff('85', 1, { vat_rate: 101 }), 'vat_rate'],
  ]
  for (const [argument, code, call, parameter] of invalid) {
    try {
      call(hs)
      t.fail(`${argument} is refused`)
    } catch (error) {
      t.ok(error instanceof CatalogError && error instanceof Error, `the error for ${argument} is a CatalogError`)
      t.match(error, { name: 'CatalogError', code, message: /^[A-Z].*[.?]$/ }, `the error for ${argument} has the code ${code}`)
      t.strictSame((error as CatalogError).details, parameter === undefined ? {} : { parameter }, `the details for ${argument}`)
      t.ok(API_CODES.includes((error as CatalogError).code))
    }
  }
})

t.test('an unknown option is refused, and the error names the most similar known option', async t => {
  const hs = await open()
  const misspelt: [(hs: Untyped) => unknown, string, string?][] = [
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
  const assertRefused = (error: unknown, parameter: string, nearest?: string) => {
    t.match(error, { name: 'CatalogError', code: 'invalid_parameter', message: `The parameter ${parameter} is unknown; ` })
    t.strictSame((error as CatalogError).details, { parameter, ...(nearest && { did_you_mean: nearest }) }, parameter)
  }
  for (const [call, parameter, nearest] of misspelt) {
    try {
      call(hs)
      t.fail(`${parameter} is refused`)
    } catch (error) {
      assertRefused(error, parameter, nearest)
    }
  }
  const options = { snapshots: await compiledFixture() } as object
  for (const opening of [openCatalog(options), openPortable(options)])
    assertRefused(await opening.catch(error => error), 'snapshots', 'snapshot')
})

t.test('any arguments give an answer or a CatalogError', async t => {
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
  t.pass('the property holds for all generated cases')
})
