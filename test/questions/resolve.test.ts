import { appendFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { type Readings, readCode } from '../../src/codes/readings.js'
import { lookup } from '../../src/questions/codes.js'
import { Refusal } from '../../src/questions/refusal.js'
import { Resolver, readEdition } from '../../src/questions/resolve.js'
import { catalogOf, FIXTURE, fixtureCatalog, shippedSnapshot, temporaryDirectory } from '../support/service.js'

const catalog = await fixtureCatalog()
const now = new Resolver(catalog, '2022')
const codes = Array.from({ length: catalog.meta.records }, (_, record) => catalog.records.code(record))
const codeOf = (record: number) => (record < 0 ? null : catalog.records.code(record))
const meaning = (text: string) => {
  const { status, record } = now.resolve(text)
  return `${status} ${codeOf(record)}`
}

t.test('codes as spreadsheets, couriers and people distort them', async t => {
  for (const [sent, expected] of [
    ['852321', 'found 852321'],
    [' 852321 ', 'normalised 852321'],
    ['8523.21', 'normalised 852321'],
    ['8523 21', 'normalised 852321'],
    ['8523\u00a021', 'normalised 852321'],
    ['8523-21', 'normalised 852321'],
    ['8523–21', 'normalised 852321'],
    ["'852321", 'normalised 852321'],
    ['"852321"', 'normalised 852321'],
    ['\u200e852321\u202c', 'normalised 852321'],
    ['85232100.0', 'normalised 85232100'],
    ['8523.0', 'normalised 8523'],
    ['852321.00', 'normalised 85232100'],
    ['٨٥٢٣٢١', 'normalised 852321'],
    ['۸۵۲۳', 'normalised 8523'],
    ['８５２３', 'normalised 8523'],
    ['10121', 'normalised 010121'],
    ['101.21', 'normalised 010121'],
    ['1', 'normalised 01'],
    ['8523210000', 'normalised 85232100'],
    ['85232100000000', 'normalised 852321000000'],
    ['85000000', 'normalised 85'],
    ['852399', 'unknown null'],
    ['85232', 'unknown null'],
    ['7777', 'unknown null'],
    ['8.5232E+5', 'invalid null'],
    ['8,5232e5', 'invalid null'],
    ['85E', 'invalid null'],
    ['HS 8523', 'invalid null'],
    ['', 'invalid null'],
    ['...', 'invalid null'],
    ['0', 'invalid null'],
    ['000000', 'invalid null'],
    ['852321000000000', 'invalid null'],
    ['8'.repeat(65), 'invalid null'],
  ] as const)
    t.equal(meaning(sent), expected, sent)
  t.match(now.resolve('8.5171E+11').reason, /Scientific/)
  t.equal(codeOf(now.resolve('85232').nearest), '8523')
  t.equal(codeOf(now.resolve('0101299').nearest), '010129')
})

t.test('a short code is never padded by guess', async t => {
  for (const code of codes) {
    const { status, record } = now.resolve(code)
    t.equal(status, 'found')
    t.equal(codeOf(record), code)
  }
})

/** Codes with the separators that people put between and around the digits. */
const written = fc
  .tuple(
    fc.constantFrom(...codes),
    fc.array(fc.constantFrom('', '', '.', ' ', '-', '\u00a0', "'", '/'), { minLength: 15, maxLength: 15 }),
    fc.constantFrom('', '.0', '.00', ' ', '00', '0000'),
    fc.boolean(),
  )
  .map(([code, signs, end, isCut]) => {
    const digits = isCut && code.startsWith('0') ? code.slice(1) : code
    return [...digits].map((digit, i) => digit + signs[i]).join('') + end
  })
const anything = fc.oneof(written, fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 70 }))

t.test('a found code is found by lookup, and resolving it again changes nothing', async () => {
  fc.assert(
    fc.property(anything, fc.constantFrom('2022', '2017', '2012'), (text, year) => {
      const { input, status, record, candidates, nearest, reason } = new Resolver(catalog, year).resolve(text)
      if (input !== text) return false
      for (const one of [record, nearest, ...candidates])
        if (one !== -1 && (lookup(catalog, catalog.records.code(one)) as number) !== one) return false
      if ((status === 'invalid') !== (reason !== undefined)) return false
      const hasRecord = status === 'found' || status === 'normalised' || status === 'moved'
      if (status !== 'ambiguous' && hasRecord !== record >= 0) return false
      if (status === 'found' && codeOf(record) !== text) return false
      if (record < 0) return true
      const again = now.resolve(catalog.records.code(record))
      return again.status === 'found' && again.record === record
    }),
    { numRuns: 3000 },
  )
})

t.test('punctuation between the digits of a code is ignored', async () => {
  fc.assert(
    fc.property(written, text => /(?:\d\D*){15}/.test(text) || now.resolve(text).status !== 'invalid'),
    { numRuns: 500 },
  )
})

t.test('several readings are reported as such, the likeliest first', async t => {
  const of = new Resolver(catalog, '2017').resolve('8517.12')
  t.equal(of.status, 'ambiguous')
  t.strictSame(of.candidates.map(codeOf), ['851713', '851718'])
})

t.test('of an unknown code with two readings, the subheading of the likelier one is the candidate', async t => {
  const shipped = new Catalog(await shippedSnapshot())
  const { status, candidates } = new Resolver(shipped, '2022').resolve('2101115')
  t.equal(status, 'unknown')
  t.strictSame(
    candidates.map(record => shipped.records.code(record)),
    ['021011'],
    'with its zero; 210111 exists as well',
  )
})

t.test('of two readings the one with its lost zero put back comes first', async t => {
  const codes = ['0903', '090310', '9031']
  const read = readCode('90310', code => codes.includes(code)) as Readings
  t.strictSame(read.codes, ['090310', '9031'])
  t.strictSame(read.digits, ['090310', '90310'])
  const decimal = readCode('9031.0', code => codes.includes(code)) as Readings
  t.strictSame(decimal.codes, ['090310', '9031'], 'digits are read as shown before they are read as a number that lost its zero')
})

t.test('if neither of two readings exists, the nearest code is found by the longer one', async t => {
  const shipped = new Catalog(await shippedSnapshot())
  const { status, nearest } = new Resolver(shipped, '2022').resolve('9031491')
  t.equal(status, 'unknown')
  t.equal(shipped.records.code(nearest), '903149', 'not 0903, with the zero that it may have lost')
})

t.test('an edition must be one that the dataset has; the current one is the default', async t => {
  t.equal(readEdition(catalog), '2022')
  t.equal(readEdition(catalog, '2012'), '2012')
  const refusal = readEdition(catalog, '1996') as Refusal
  t.ok(refusal instanceof Refusal)
  t.match(refusal.message, /2022, 2017 or 2012/)
})

t.test('if two readings are equally near, the nearest code is that of the likelier one', async t => {
  const shipped = new Catalog(await shippedSnapshot())
  const { status, nearest } = new Resolver(shipped, '2022').resolve('85999')
  t.equal(status, 'unknown')
  t.equal(shipped.records.code(nearest), '08', 'with the zero that it has lost, not 85')
})

t.test('a code that was split and now means other goods is not its own successor', async t => {
  const directory = join(temporaryDirectory(t), 'dataset')
  cpSync(FIXTURE, directory, { recursive: true })
  appendFileSync(join(directory, 'editions.csv'), '2012,852321,851713\n2012,852321,851718\n')
  const changed = await catalogOf(directory)
  const { status, record, candidates } = new Resolver(changed, '2012').resolve('852321')
  t.strictSame([status, record], ['ambiguous', -1])
  t.strictSame(
    candidates.map(one => changed.records.code(one)),
    ['851713', '851718'],
  )
  const kept = new Resolver(changed, '2017').resolve('851712')
  t.strictSame([kept.status, kept.record], ['ambiguous', -1])
})
