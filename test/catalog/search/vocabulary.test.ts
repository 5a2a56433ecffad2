import fc from 'fast-check'
import t from 'tap'
import { Steps } from '../../../src/catalog/search/steps.js'
import { Vocabulary } from '../../../src/catalog/search/vocabulary.js'
import { isWithin } from '../../../src/text/spelling.js'
import { STEMMER } from '../../support/words.js'

/** The edit distance with swaps, calculated with a full matrix as in textbooks. */
function distance(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number) => (d[i] as number[])[j] as number
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let value = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, at(i - 2, j - 2) + 1)
      ;(d[i] as number[])[j] = value
    }
  }
  return at(a.length, b.length)
}

t.test('isWithin counts typing mistakes like the edit distance', async t => {
  const word = fc.stringMatching(/^[abcd]{0,9}$/)
  fc.assert(
    fc.property(word, word, fc.constantFrom(0, 1, 2), (a, b, mistakes) => {
      return isWithin(a, b, mistakes) === distance(a, b) <= mistakes
    }),
    { numRuns: 2000 },
  )
  t.pass('the property holds for all generated cases')
})

const yes = () => true

t.test('terms are found by the whole word, by a prefix, as two joined words and with typing mistakes', async t => {
  const terms = ['board', 'boat', 'cardboard', 'dart', 'زيت']
  const vocabulary = new Vocabulary(terms.join('\n'), STEMMER)
  t.equal(vocabulary.find('dart'), 3)
  t.equal(vocabulary.find('darts'), -1)
  t.strictSame(
    vocabulary.withPrefix('boa', () => 1),
    [0, 1],
  )
  t.strictSame(
    vocabulary.withPrefix('zz', () => 1),
    [],
  )
  t.strictSame(vocabulary.split('dartboard', yes), [3, 0])
  t.equal(vocabulary.split('dartbord', yes), undefined)
  t.strictSame(vocabulary.mistyped('bored', 1), [])
  t.strictSame(vocabulary.mistyped('obard', 1), [0])
  t.equal(vocabulary.typosAllowed('boat'), 0)
  t.equal(vocabulary.typosAllowed('12345'), 0)
  t.equal(new Vocabulary('', STEMMER).find('x'), -1)
})

t.test('one mistake is allowed from five letters, two from nine', async t => {
  const vocabulary = new Vocabulary('board', STEMMER)
  t.strictSame(
    [1, 4, 5, 8, 9, 30].map(letters => vocabulary.typosAllowed('a'.repeat(letters))),
    [0, 0, 1, 1, 2, 2],
  )
})

t.test('a mistyped word finds at most eight terms', async t => {
  const near = [...'abcdefghij'].map(letter => `boar${letter}`)
  const vocabulary = new Vocabulary(near.join('\n'), STEMMER)
  t.equal(vocabulary.mistyped('boarx', 1).length, 8)
  t.strictSame(vocabulary.mistyped('boarx', 1), [0, 1, 2, 3, 4, 5, 6, 7])
})

const undoubled = (word: string) => word.replace(/(.)\1+/gu, '$1')
/** Wrongly doubled letters together count as one mistake, or as the difference in length if it is larger. */
function mistakesBetween(a: string, b: string): number {
  const all = distance(a, b)
  return undoubled(a) === undoubled(b) ? Math.min(all, Math.max(1, Math.abs(a.length - b.length))) : all
}

t.test('a mistyped word finds the same terms as a comparison with every term', async t => {
  const word = fc.stringMatching(/^[abcdظ]{5,10}$/)
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 30, size: 'max' }), word, (terms, typed) => {
      fc.pre(!terms.includes(typed))
      const vocabulary = new Vocabulary(terms.join('\n'), STEMMER)
      const allowed = vocabulary.typosAllowed(typed)
      const near = terms
        .map((term, termId) => ({ term, termId, mistakes: mistakesBetween(typed, term) }))
        .filter(
          // the first letter of the term must be the first or second letter of the typed word
          ({ term, mistakes }) => mistakes <= allowed && (term[0] === typed[0] || term[0] === typed[1]),
        )
      const fewest = Math.min(...near.map(({ mistakes }) => mistakes))
      const expected = near.filter(({ mistakes }) => mistakes === fewest).map(({ termId }) => termId)
      return `${vocabulary.mistyped(typed, allowed)}` === `${expected.slice(0, 8)}`
    }),
    { numRuns: 500 },
  )
  t.pass('the property holds for all generated cases')
})

t.test('no steps are spent on splitting a word of a thousand letters', async t => {
  const steps = new Steps()
  const vocabulary = new Vocabulary('board\ndart', STEMMER, steps)
  t.equal(vocabulary.split('x'.repeat(1000), yes), undefined)
  t.equal(steps.used, 0)
  t.strictSame(vocabulary.split('dartboard', yes), [1, 0])
})

t.test('an unfinished word with one mistake finds the prefixes of terms', async t => {
  const vocabulary = new Vocabulary(['board', 'cardboard', 'dart', 'laptop', 'لابتوب'].join('\n'), STEMMER)
  t.strictSame(vocabulary.nearPrefixes('labto'), ['lapto'], 'one letter is wrong')
  t.strictSame(vocabulary.nearPrefixes('laapt'), ['lapt'], 'one letter is too many')
  t.strictSame(vocabulary.nearPrefixes('crdbo'), ['cardbo'], 'one letter is missing')
  t.strictSame(vocabulary.nearPrefixes('lpato'), ['lapto'], 'two letters are swapped')
  t.strictSame(vocabulary.nearPrefixes('لابزو'), ['لابتو'])
  t.strictSame(vocabulary.nearPrefixes('lab'), [], 'a short word is not corrected')
  t.strictSame(vocabulary.nearPrefixes('12345'), [], 'a number is not corrected')
  t.strictSame(vocabulary.nearPrefixes('x'.repeat(60)), [], 'a word longer than any term is not corrected')
})
