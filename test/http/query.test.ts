import fc from 'fast-check'
import t from 'tap'
import { Query } from '../../src/http/query.js'

/** Reads one of several parameters of a route. */
const parameter = (query: string, name: string) => new Query(['other', name, 'q2']).read(query).text(name)

t.test('parameters are read from any text that a standard form encoder writes', async t => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 6 }), pairs => {
      const query = new URLSearchParams(pairs).toString()
      return pairs.every(([name]) => {
        const first = pairs.find(([other]) => other === name)?.[1]
        return parameter(query, name) === first
      })
    }),
    { numRuns: 500 },
  )
  t.pass('the property holds for all generated cases')
})

t.test('empty, repeated and encoded parameters are read, and broken percent-encoding is refused', async t => {
  t.equal(parameter('', 'q'), '')
  t.equal(parameter('q', 'q'), '')
  t.equal(parameter('q=', 'q'), '')
  t.equal(parameter('qq=1&q=2', 'q'), '2')
  t.equal(parameter('q=1&q=2', 'q'), '1')
  t.equal(parameter('q=a=b', 'q'), 'a=b')
  t.equal(parameter('&&q=1', 'q'), '1')
  t.equal(parameter('%71=1', 'q'), '1')
  t.equal(parameter('+=1', ' '), '1')
  t.equal(parameter('q=a+b%2Bc', 'q'), 'a b+c')
  for (const broken of ['q=%', 'q=%C3']) {
    const query = new Query(['q', 'limit']).read(broken)
    t.equal(query.text('q'), '')
    t.strictSame(query.refusal?.details, { parameter: 'q' })
    t.equal(query.read('q=1').refusal, undefined)
  }
  t.equal(parameter('%=1&q=2', 'q'), '2')
})
