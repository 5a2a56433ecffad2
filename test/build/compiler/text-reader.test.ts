import fc from 'fast-check'
import t from 'tap'
import { Lexicon } from '../../../build/compiler/lexicon.js'
import { ALL_WORDS, TextReader } from '../../../build/compiler/text-reader.js'
import { readDataset } from '../../../build/dataset/read.js'
import { words } from '../../../src/text/fold.js'
import { FIXTURE } from '../../support/service.js'
import { STEMMER } from '../../support/words.js'

const lexicon = new Lexicon(STEMMER)
const reader = new TextReader(lexicon)

function read(text: string): { words: string[]; head: string | undefined; wordsToHead: number } {
  reader.read(text)
  const { words, count, wordsToHead } = reader
  const list = Array.from(words.subarray(0, count), word => lexicon.wordTexts[word] as string)
  return { words: list, head: list[reader.headOf(words, 0, count, wordsToHead)], wordsToHead }
}

t.test('the build splits a text into the same words as a query', async t => {
  const { rows } = await readDataset(FIXTURE)
  const texts = rows.flatMap(row => [
    row.description_en,
    row.description_ar,
    ...row.keywords_en.split(';'),
    ...row.keywords_ar.split(';'),
  ])
  t.ok(texts.length > 200)
  for (const text of texts) t.strictSame(read(text).words, words(text), text)
})

t.test('random texts are split into the same words as a query', async t => {
  const piece = fc.oneof(
    fc.constantFrom('mahi', 'mahi-mahi', '64-17-5', '1,5', '0.5', '15w40', "women's", 'of', '(fresh', 'cut,'),
    fc.constantFrom('هاتف', 'و', 'أقمشة', '٣٫٥', '\u00a0', '½', 'ﷺ', '–', ''),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
      const text = pieces.join(' ')
      t.strictSame(read(text).words, words(text))
    }),
    { numRuns: 500 },
  )
})

t.test('a word has the same term in the build as in a query', async t => {
  for (const text of ['women', 'fibres', 'فواكه', '1,5', 'الهواتف']) {
    const [word = ''] = words(text)
    t.equal(lexicon.termTexts[lexicon.termOf(lexicon.word(word))], STEMMER.stem(word))
  }
})

t.test('the word for the goods is the last one before any qualifying words in English, and the first one in Arabic', async t => {
  for (const [text, head] of [
    ['jugs of porcelain', 'jugs'],
    ['Parts, of iron', 'parts'],
    ['electric motors', 'motors'],
    ["women's coats, knitted", 'coats'],
    ['of cotton', 'cotton'],
    ['yarn (sewing thread)', 'yarn'],
    ['milk powder not sweetened', 'powder'],
    ['هواتف ذكية', 'هواتف'],
    ['made', 'made'],
  ] as const)
    t.equal(read(text).head, head, text)
  t.equal(read('electric motors').wordsToHead, ALL_WORDS)
  t.equal(read('').head, undefined)
})
