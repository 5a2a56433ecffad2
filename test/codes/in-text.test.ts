import fc from 'fast-check'
import t from 'tap'
import { codeInCell, codeInQuery, codeTyped, isWholeCode, looksLikeCode } from '../../src/codes/in-text.js'

const codes = fc.stringMatching(/^[0-9]{4}(?:[0-9]{2}){1,4}$/)

t.test('a query that is only a code is recognised in every common notation', async t => {
  for (const [query, code] of [
    ['8471', '8471'],
    [' 8471.30 ', '847130'],
    ['8471 30 00', '84713000'],
    ['٨٤٧١', '8471'],
    ['८४७१', '8471'],
    ['hs 8471.30', '847130'],
    ['HS8471', '8471'],
    ['H.S. Code: 8471.30', '847130'],
    ['HSN 8471', '8471'],
    ['hs code no. 8471', '8471'],
    ['no 8471', '8471'],
    ['chapter 64', '64'],
    ['رمز 8471', '8471'],
    ['رمز التعرفة الجمركية 8471', undefined],
    ['رقم البند ٨٤٧١', '8471'],
    ['رمز النظام المنسق: 8471', '8471'],
    ['laptop 8471', undefined],
    ['8471 laptop', undefined],
    ['15 mm', undefined],
    ['hs', undefined],
    ['', undefined],
  ] as const)
    t.equal(codeInQuery(query), code, query)
})

t.test('words before a code do not change its digits', async t => {
  const word = fc.constantFrom('hs ', 'HS code: ', 'H.S.', 'heading ', 'رمز ', 'بند: ', '')
  fc.assert(
    fc.property(codes, word, (code, before) => {
      t.equal(codeInQuery(before + code), code)
      t.equal(codeInCell(before + code), code)
      t.ok(looksLikeCode(before + code))
    }),
    { numRuns: 50 },
  )
})

t.test('thousands of words before a code are read without a hang', async t => {
  t.equal(codeInQuery(`${'hscode'.repeat(10_000)}x`), undefined)
  t.equal(codeInQuery(`${'hscode '.repeat(10_000)}8471`), '8471')
})

t.test('a separator at the end of an unfinished code is ignored', async t => {
  t.equal(codeTyped('8517.'), '8517')
  t.equal(codeTyped('8517-'), '8517')
  t.equal(codeTyped('٨٥١٧٫١٣'), '851713')
  t.equal(codeTyped('tea'), '')
  t.strictSame(['85', '851', '8517', '85171', '851713', '1'.repeat(14), '1'.repeat(16)].map(isWholeCode), [
    false,
    false,
    true,
    false,
    true,
    true,
    false,
  ])
})

t.test('cells with codes are distinguished from amounts, row numbers and words', async t => {
  for (const cell of [
    '8517.13',
    '0902 10 00',
    "'010121",
    '"852321"',
    '8523-21',
    '8523/21',
    'HS 8471.30',
    '٨٥١٧٫١٣'.replace('٫', '.'),
    '8.5171E+11',
  ])
    t.ok(looksLikeCode(cell), cell)
  for (const cell of ['1,200', '-5', '5 %', 'tea', '8', '', 'No. 1234', 'AED 5000', '1'.repeat(15), '8517x13'])
    t.notOk(looksLikeCode(cell), cell)
  t.equal(codeInCell('H.S. Code: 8471.30'), '8471.30')
  t.equal(codeInCell('HS code no. 8471'), '8471')
  t.equal(codeInCell('code of conduct'), 'code of conduct', 'a cell without a code is unchanged')
})
