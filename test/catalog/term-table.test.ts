import fc from 'fast-check'
import t from 'tap'
import { TermTable } from '../../src/catalog/term-table.js'

t.test('every term is found at its place, and nothing else', async t => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 300 }),
      fc.array(fc.string()),
      (terms, others) => {
        const table = new TermTable(terms)
        return (
          terms.every((term, place) => table.find(term) === place) &&
          others.every(other => table.find(other) === terms.indexOf(other))
        )
      },
    ),
  )
  t.equal(new TermTable([]).find('motor'), -1)
})

t.test('terms that share a place stand side by side', async t => {
  const terms = Array.from({ length: 5_000 }, (_, i) => `term${i}`)
  const table = new TermTable(terms)
  t.ok(terms.every((term, place) => table.find(term) === place))
  t.ok(terms.every(term => table.find(`${term}x`) === -1))
})

t.test('a term is found by two words that make it together', async t => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1, maxLength: 100 }),
      fc.nat(),
      fc.nat(),
      fc.string(),
      (terms, which, cut, other) => {
        const table = new TermTable(terms)
        const term = terms[which % terms.length] as string
        const at = cut % (term.length + 1)
        return (
          table.find(term.slice(0, at), term.slice(at)) === terms.indexOf(term) &&
          table.find(term, other) === terms.indexOf(term + other)
        )
      },
    ),
  )
  t.equal(new TermTable(['notebook']).find('note', 'book'), 0)
})
