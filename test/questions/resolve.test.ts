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
const resolver = new Resolver(catalog, '2022')
const codes = Array.from({ length: catalog.meta.records }, (_, record) => catalog.records.code(record))
const codeOf = (record: number) => (record < 0 ? null : catalog.records.code(record))
const meaning = (text: string) => {
  const { status, record } = resolver.resolve(text)
  return `${status} ${codeOf(record)}`
}

t.test('codes are recognised in the forms in which spreadsheets, couriers and people write them', async t => {
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
  t.match(resolver.resolve('8.5171E+11').reason, /Scientific/)
  t.equal(codeOf(resolver.resolve('85232').nearest), '8523')
  t.equal(codeOf(resolver.resolve('0101299').nearest), '010129')
})

t.test('an existing code is found as it is, without padding', async t => {
  for (const code of codes) {
    const { status, record } = resolver.resolve(code)
    t.equal(status, 'found')
    t.equal(codeOf(record), code)
  }
})

/** Codes with separators between the digits, with endings, and without a leading zero, as people write them. */
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
const anything = fc.oneof(
  written,
  fc.string({ maxLength: 20, size: 'max' }),
  fc.string({ unit: 'binary', maxLength: 70, size: 'max' }),
)

t.test('a code that resolve returns is found by lookup, and resolving it again returns the same code', async () => {
  fc.assert(
    fc.property(anything, fc.constantFrom('2022', '2017', '2012'), (text, year) => {
      const { input, status, record, candidates, nearest, reason } = new Resolver(catalog, year).resolve(text)
      if (input !== text) return false
      for (const found of [record, nearest, ...candidates])
        if (found !== -1 && (lookup(catalog, catalog.records.code(found)) as number) !== found) return false
      if ((status === 'invalid') !== (reason !== undefined)) return false
      const hasRecord = status === 'found' || status === 'normalised' || status === 'moved'
      if (status !== 'ambiguous' && hasRecord !== record >= 0) return false
      if (status === 'found' && codeOf(record) !== text) return false
      if (record < 0) return true
      const again = resolver.resolve(catalog.records.code(record))
      return again.status === 'found' && again.record === record
    }),
    { numRuns: 3000 },
  )
})

t.test('punctuation between the digits of a code is ignored', async () => {
  fc.assert(
    fc.property(written, text => /(?:\d\D*){15}/.test(text) || resolver.resolve(text).status !== 'invalid'),
    { numRuns: 500 },
  )
})

t.test('a code with several successors is ambiguous, and the most likely successor comes first', async t => {
  const resolved = new Resolver(catalog, '2017').resolve('8517.12')
  t.equal(resolved.status, 'ambiguous')
  t.strictSame(resolved.candidates.map(codeOf), ['851713', '851718'])
})

t.test('if an unknown code has two readings, the candidate is the subheading of the more likely reading', async t => {
  const shipped = new Catalog(await shippedSnapshot())
  const { status, candidates } = new Resolver(shipped, '2022').resolve('2101115')
  t.equal(status, 'unknown')
  t.strictSame(
    candidates.map(record => shipped.records.code(record)),
    ['021011'],
    'the reading with the lost zero is more likely, although 210111 exists as well',
  )
})

t.test('the reading with the lost zero comes before the other one', async t => {
  const codes = ['0903', '090310', '9031']
  const read = readCode('90310', code => codes.includes(code)) as Readings
  t.strictSame(read.codes, ['090310', '9031'])
  t.strictSame(read.digits, ['090310', '90310'])
  const decimal = readCode('9031.0', code => codes.includes(code)) as Readings
  t.strictSame(
    decimal.codes,
    ['090310', '9031'],
    'for 9031.0, the reading of all digits with a lost zero comes before the number 9031',
  )
})

t.test('if neither of two readings exists, nearest is the longest existing prefix of either', async t => {
  const shipped = new Catalog(await shippedSnapshot())
  const { status, nearest } = new Resolver(shipped, '2022').resolve('9031491')
  t.equal(status, 'unknown')
  t.equal(shipped.records.code(nearest), '903149', '903149 is longer than 0903, the prefix of the reading with the lost zero')
})

t.test('an edition must be in the dataset; the default is the current one', async t => {
  t.equal(readEdition(catalog), '2022')
  t.equal(readEdition(catalog, '2012'), '2012')
  const refusal = readEdition(catalog, '1996') as Refusal
  t.ok(refusal instanceof Refusal)
  t.match(refusal.message, /2022, 2017 or 2012/)
})

t.test('if the existing prefixes of two readings are equally long, nearest is that of the more likely reading', async t => {
  const shipped = new Catalog(await shippedSnapshot())
  const { status, nearest } = new Resolver(shipped, '2022').resolve('85999')
  t.equal(status, 'unknown')
  t.equal(shipped.records.code(nearest), '08', 'the reading with the lost zero is more likely than 85')
})

t.test('an old code that was split is ambiguous even if the same digits still exist', async t => {
  const directory = join(temporaryDirectory(t), 'dataset')
  cpSync(FIXTURE, directory, { recursive: true })
  appendFileSync(join(directory, 'editions.csv'), '2012,852321,851713\n2012,852321,851718\n')
  const changed = await catalogOf(directory)
  const { status, record, candidates } = new Resolver(changed, '2012').resolve('852321')
  t.strictSame([status, record], ['ambiguous', -1])
  t.strictSame(
    candidates.map(candidate => changed.records.code(candidate)),
    ['851713', '851718'],
  )
  const kept = new Resolver(changed, '2017').resolve('851712')
  t.strictSame([kept.status, kept.record], ['ambiguous', -1])
})
