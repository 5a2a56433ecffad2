import fc from 'fast-check'
import t from 'tap'
import { buildTrie } from '../../build/compiler/trie.js'
import { Trie } from '../../src/catalog/trie.js'

t.test('the trie finds exactly the stored codes, and for other codes the longest stored prefix', async t => {
  const code = fc.stringMatching(/^[0-9]{2,14}$/)
  fc.assert(
    fc.property(
      fc.uniqueArray(code, { maxLength: 80, size: 'max' }),
      fc.array(code, { maxLength: 40, size: 'max' }),
      (codes, others) => {
        const { trie, trieRecord } = buildTrie(codes.map(c => ({ code: c }) as never))
        const tree = new Trie({ trie, trieRecord })
        return [...codes, ...others].every(wanted => {
          const prefixes = codes.filter(c => wanted.startsWith(c)).sort((a, b) => b.length - a.length)
          const nearest = prefixes[0] === undefined ? -1 : codes.indexOf(prefixes[0])
          return tree.find(wanted) === codes.indexOf(wanted) && tree.nearest(wanted) === nearest
        })
      },
    ),
    { numRuns: 200 },
  )
  t.pass('the property holds for all generated cases')
})
