import t from 'tap'
import { type QueryWord, TermFinder } from '../../../src/catalog/search/find-terms.js'
import { Postings } from '../../../src/catalog/search/postings.js'
import { QueryReader } from '../../../src/catalog/search/read-query.js'
import { SLOTS } from '../../../src/catalog/search/slots.js'
import { Steps } from '../../../src/catalog/search/steps.js'
import { Vocabulary } from '../../../src/catalog/search/vocabulary.js'
import { STEMMER, WORDS } from '../../support/words.js'

/** Returns invented words without plural or spelling variants. None is a prefix of another. */
const names = (count: number) =>
  Array.from({ length: count }, (_, i) => `word${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}k`)

const READER = new QueryReader(STEMMER, WORDS)

/** Builds postings in which each term is in the first `useOf(termId)` records, so that a test decides how common it is. */
function postingsOf(terms: readonly string[], useOf: (termId: number) => number): Postings {
  const postingsAt = [0]
  const postings: number[] = []
  terms.forEach((_, termId) => {
    for (let record = 0; record < useOf(termId); record++) postings.push(record)
    for (let slot = 0; slot < SLOTS; slot++) postingsAt.push(postings.length)
  })
  return new Postings({ postingsAt: Uint32Array.from(postingsAt), postings: Uint32Array.from(postings) })
}

function wordsOf(query: string, terms: readonly string[], useOf: (termId: number) => number = once): QueryWord[] {
  const vocabulary = new Vocabulary(terms.join('\n'), STEMMER)
  const noCompletion = { complete: () => undefined }
  return new TermFinder(vocabulary, postingsOf(terms, useOf), STEMMER, noCompletion, 100, new Steps()).find(
    query,
    READER.read(query),
  ).words
}

/** All terms are equally common. */
const once = () => 1

t.test('only the first 24 words of a query are used', async t => {
  const terms = names(40).sort()
  const query = wordsOf(terms.join(' '), terms)
  t.strictSame(
    query.map(({ termIds }) => termIds),
    Array.from({ length: 24 }, (_, i) => [i]),
  )
})

t.test('joined words are split, up to 31 words in total', async t => {
  const terms = names(40).sort()
  const pairs = Array.from({ length: 20 }, (_, i) => `${terms[2 * i]}${terms[2 * i + 1]}`)
  const query = wordsOf(pairs.join(' '), terms)
  t.strictSame(
    query.map(({ termIds }) => termIds),
    Array.from({ length: 31 }, (_, i) => [i]),
  )
})

t.test('typing mistakes are corrected in up to three words of a query', async t => {
  const terms = names(8).sort()
  const mistyped = terms.map(term => `${term.slice(0, 3)}x${term.slice(3)}`)
  const found = (count: number) => wordsOf(mistyped.slice(0, count).join(' '), terms).length
  t.strictSame([1, 2, 3, 4, 8].map(found), [1, 2, 3, 3, 3])
})

t.test('words with the same terms are used once', async t => {
  const terms = ['board', 'dart', 'other', 'زيت']
  const termIdsOf = (query: string) => wordsOf(query, terms).map(word => word.termIds)
  t.strictSame(termIdsOf('dart dartboard'), [[1], [0]], 'a part of a joined word that repeats another word is dropped')
  t.strictSame(termIdsOf('othe oth'), [[2]], 'two unfinished forms of a word are used once')
  t.strictSame(termIdsOf('زيت بزيت'), [[3]], 'a word and its form with a particle are used once')
})

t.test('words of a question are left out, and amounts have a low weight', async t => {
  const terms = ['25', 'bag', 'car', 'import', 'rice', 'ما', 'هي', 'تمر'].sort()
  const weights = (query: string) => wordsOf(query, terms).map(({ termIds, weight }) => [terms[termIds[0] as number], weight])
  t.strictSame(weights('I want to import a car'), [['car', 1]])
  t.strictSame(weights('import'), [['import', 1]], 'words of a question are used if there are no others')
  t.strictSame(weights('25kg rice bag'), [
    ['25', 0.15],
    ['rice', 1],
    ['bag', 1],
  ])
  t.strictSame(weights('25'), [['25', 1]])
  t.strictSame(weights('ما هي التمور'), [['تمر', 1]], '"ما" in a question means "what" and is left out')
  t.strictSame(weights('ماء'), [['ما', 1]], '"ماء" means "water" and is used')
})

t.test('the last word is completed if its completion is much more common', async t => {
  const terms = ['cot', 'cotton', 'cotyledon']
  const vocabulary = new Vocabulary(terms.join('\n'), STEMMER)
  const completer = { complete: () => ({ record: 7, words: ['cotton', 'cotton'] }) }
  const find = (query: string, used: number[]) =>
    new TermFinder(
      vocabulary,
      postingsOf(terms, id => used[id] as number),
      STEMMER,
      completer,
      100,
      new Steps(),
    ).find(query, READER.read(query))
  t.strictSame(find('cot', [2, 50, 1]).words[0]?.termIds, [1, 0])
  t.equal(find('cot', [2, 50, 1]).suggested, 7)
  t.strictSame(find('cot', [60, 90, 1]).words[0]?.termIds, [0], 'a common word is not completed')
  t.strictSame(find('cot ', [2, 50, 1]).words[0]?.termIds, [0], 'a word with a space after it is not completed')
  t.equal(find('cot ', [2, 50, 1]).suggested, -1)
  t.strictSame(find('cott', [2, 50, 1]).words[0]?.termIds, [1], 'a word that is not a term is completed')
})

t.test('amounts and model names have at most a quarter of the weight of the word for the goods', async t => {
  const terms = ['75', 'hp', 'motor']
  const [first, second, good] = wordsOf('75hp motor', terms, id => [1, 1, 90][id] as number)
  t.ok(first?.isAmount && second?.isAmount && !good?.isAmount)
  t.ok((first?.rarity ?? 1) + (second?.rarity ?? 1) <= (good?.rarity ?? 0) / 4 + 1e-9)
})

t.test('if many words have the same beginning, the most frequent ones are used', async t => {
  const terms = Array.from({ length: 300 }, (_, i) => `ab${String(i).padStart(3, '0')}`)
  const found = new Vocabulary(terms.join('\n'), STEMMER).withPrefix('ab', termId => (termId % 10 === 0 ? 100 : 1))
  t.equal(found.length, 48)
  t.ok(Array.from({ length: 30 }, (_, i) => i * 10).every(termId => found.includes(termId)))
  t.strictSame(
    found,
    [...found].sort((a, b) => a - b),
  )
})
