import fc from 'fast-check'
import t from 'tap'
import { isCode, parentId } from '../../src/codes/code.js'
import { asciiDigits, digitsAmong, digitsOf, digitsOfLength } from '../../src/codes/digits.js'
import { codeGroups } from '../../src/codes/display.js'
import * as levels from '../../src/codes/levels.js'

/** The digit zero of several scripts. In Unicode, the digits 1 to 9 follow each. */
const ZEROS = ['0', '٠', '۰', '०', '০', '０', '𝟎', '𝟬', '߀', '᠐']
const SEPARATORS = ['.', ' ', '-', '–', '/', ',', '\u00a0', '\u200f', '٫', '']

const codes = fc.stringMatching(/^[0-9]{2,14}$/)
const inScript = (code: string, zero: string) =>
  [...code].map(digit => String.fromCodePoint((zero.codePointAt(0) as number) + Number(digit))).join('')

t.test('a code is 2 to 14 ASCII digits', async t => {
  fc.assert(fc.property(codes, code => isCode(code)))
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 16 }), text => isCode(text) === /^[0-9]{2,14}$/.test(text)))
  t.ok(isCode('123456789012', 12))
  t.notOk(isCode('1234567890123', 12), 'the caller can set a maximum')
})

t.test('digits of other scripts are read', async t => {
  fc.assert(
    fc.property(codes, fc.constantFrom(...ZEROS), (code, zero) => {
      t.equal(asciiDigits(inScript(code, zero)), code)
      t.equal(digitsOf(inScript(code, zero)), code)
    }),
    { numRuns: 50 },
  )
  t.equal(asciiDigits('قلم ٣ pens'), 'قلم 3 pens', 'other characters are unchanged')
})

t.test('separators before, between and after digits are ignored; a text with any other character is not a code', async t => {
  const separator = fc.constantFrom(...SEPARATORS)
  fc.assert(
    fc.property(codes, fc.array(separator, { minLength: 15, maxLength: 15 }), (code, between) => {
      const written = between[14] + [...code].map((digit, i) => digit + between[i]).join('')
      t.equal(digitsOf(written), code, written)
    }),
    { numRuns: 50 },
  )
  fc.assert(
    fc.property(codes, fc.constantFrom('x', 'ح', '%', '*', '€'), fc.nat(14), (code, other, at) => {
      t.equal(digitsOf(code.slice(0, at) + other + code.slice(at)), '')
      t.equal(digitsAmong(code.slice(0, at) + other + code.slice(at)), code, 'digitsAmong ignores the other character')
    }),
    { numRuns: 50 },
  )
})

t.test('digitsOf and digitsAmong return nothing for a text that has no code or is too long', async t => {
  for (const text of ['', '.', '8', '8.', '1'.repeat(15), `85${' '.repeat(63)}`, '-', 'abc']) {
    t.equal(digitsOf(text), '', text)
    t.equal(digitsAmong(text), '', text)
  }
})

t.test('a code of a fixed length may lack one leading zero, but no other digit', async t => {
  t.equal(digitsOfLength('0101.21.00.0000', 12), '010121000000')
  t.equal(digitsOfLength('10121000000', 12), '010121000000')
  t.equal(digitsOfLength('1012100000', 12), undefined)
  t.equal(digitsOfLength('0101210000000', 12), undefined)
  t.equal(digitsOfLength('x', 12), undefined)
})

t.test('chapter, heading and subheading are the first digits; longer codes are lines', async t => {
  t.equal(levels.chapterOf('852321000000'), '85')
  t.equal(levels.headingOf('852321000000'), '8523')
  t.equal(levels.subheadingOf('852321000000'), '852321')
  t.equal(levels.headingOf('85'), '85', 'a shorter code is returned unchanged')
  t.notOk(levels.isLine('852321'))
  t.ok(levels.isLine('85232100'))
})

t.test('padded adds zeros at the end, and isPadding recognises codes that only add zeros', async t => {
  fc.assert(
    fc.property(codes, fc.integer({ min: 2, max: 14 }), (code, digits) => {
      const longer = levels.padded(code, digits)
      t.equal(longer.length, Math.max(code.length, digits))
      t.equal(levels.isPadding(code, longer), digits > code.length)
    }),
    { numRuns: 50 },
  )
  t.notOk(levels.isPadding('852321', '85232101'))
  t.notOk(levels.isPadding('852321', '853321000000'))
  t.equal(levels.fromNumber(10121, 6), '010121')
})

t.test('parent_id keeps the leading zeros of a code and is a safe integer', async t => {
  fc.assert(
    fc.property(codes, code => {
      t.equal(String(parentId(code)), `1${code}`)
      t.ok(Number.isSafeInteger(parentId(code)))
    }),
    { numRuns: 50 },
  )
})

t.test('a displayed code is divided into groups as in customs documents', async t => {
  for (const [code, groups] of [
    ['85', '85'],
    ['8523', '8523'],
    ['852321', '8523 21'],
    ['8523210000', '8523 21 00 00'],
    ['852321000000', '8523 21 00 0000'],
    ['85232100000000', '8523 21 00 00 0000'],
  ] as const)
    t.equal(codeGroups(code).join(' '), groups)
  fc.assert(fc.property(codes, code => codeGroups(code).join('') === code))
})
