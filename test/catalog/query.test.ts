import t from 'tap'
import { interpretWords } from '../../src/catalog/query.js'
import { Vocabulary } from '../../src/catalog/vocabulary.js'

/** Words that no rule of plurals or spelling changes, none the beginning of another. */
const names = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `word${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}k`,
  )

t.test('a query is judged by its first 24 words', async t => {
  const terms = names(40).sort()
  const query = interpretWords(terms.join(' '), new Vocabulary(terms.join('\n')))
  t.strictSame(
    query.map(({ places }) => places),
    Array.from({ length: 24 }, (_, i) => [i]),
  )
})

t.test('typing mistakes are forgiven in three words of a query', async t => {
  const terms = names(8).sort()
  const vocabulary = new Vocabulary(terms.join('\n'))
  const mistyped = terms.map(term => `${term.slice(0, 3)}x${term.slice(3)}`)
  const found = (count: number) => interpretWords(mistyped.slice(0, count).join(' '), vocabulary).length
  t.strictSame([1, 2, 3, 4, 8].map(found), [1, 2, 3, 3, 3])
})

t.test('words that come to the same terms ask once', async t => {
  const vocabulary = new Vocabulary(['board', 'dart', 'other', 'زيت'].join('\n'))
  const places = (query: string) => interpretWords(query, vocabulary).map(word => word.places)
  t.strictSame(places('dart dartboard'), [[1], [0]], 'run together')
  t.strictSame(places('othe oth'), [[2]], 'unfinished')
  t.strictSame(places('زيت بزيت'), [[3]], 'under a particle')
})
