import fc from 'fast-check'
import t from 'tap'
import { firstClause, firstWords, lengthOf, wholePhrases } from '../../src/text/shortened.js'

t.test('a text is cut between words and does not end with a linking word or an open bracket', async t => {
  for (const [text, charsMax, expected] of [
    ['Live horses', 35, 'Live horses'],
    ['Live horses and other animals', 15, 'Live horses'],
    ['Tubes (flexible and rigid) of plastics', 20, 'Tubes'],
    ['Tubes (flexible) of plastics', 20, 'Tubes (flexible)'],
    ['خيول حية أو حمير', 11, 'خيول حية'],
    ['Hydroxyethylmethyl', 10, ''],
    ['Turbines of 40 MW or less, used', 26, 'Turbines of 40 MW or less'],
    ['Bleached 3- or 4-thread twill', 14, 'Bleached'],
  ] as const)
    t.equal(firstWords(text, charsMax), expected, text)
})

t.test('a cut text ends with a whole phrase, or before the preposition of a phrase that was cut', async t => {
  for (const [text, charsMax, expected] of [
    ['Dyed woven fabrics of synthetic filaments', 32, 'Dyed woven fabrics'],
    ['Steam turbines of 40 MW or less', 25, 'Steam turbines'],
    ['Steam turbines of steel or iron', 25, 'Steam turbines of steel'],
    ['Sewing thread put up for retail sale', 15, 'Sewing thread'],
    ['Cotton thread, dyed', 14, 'Cotton thread'],
    ['Natural rubber blocks', 16, ''],
    ['أقمشة من خيوط مختلفة الألوان', 20, 'أقمشة'],
    ['أقمشة قطنية مصبوغة', 13, 'أقمشة قطنية'],
  ] as const)
    t.equal(wholePhrases(text, firstWords(text, charsMax)), expected, text)
})

t.test('a whole clause is preferred if it fits', async t => {
  t.equal(firstClause('Mobile telephones, smartphones included', 35, 8), 'Mobile telephones')
  t.equal(firstClause('Tea, black, in packings of at most 3 kg', 35, 8), 'Tea, black')
})

t.test('for any text, the result fits and is the start of the text up to the end of a word', async () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('tea', 'and', '(of', 'ورق', 'x)', 'black,', '😀😀')), fc.nat(30), (words, charsMax) => {
      const text = words.join(' ')
      for (const short of [firstWords(text, charsMax), firstClause(text, charsMax, 4)]) {
        const isBeginning = text.startsWith(short) && !/^[\p{L}\p{N}]/u.test(text.slice(short.length))
        if (lengthOf(short) > charsMax || !(isBeginning || short === '')) return false
      }
      return true
    }),
  )
})
