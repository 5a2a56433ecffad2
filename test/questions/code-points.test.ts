import fc from 'fast-check'
import t from 'tap'
import { codePoints } from '../../src/questions/code-points.js'

t.test('a text is as long as people count, halves of characters included', async t => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => codePoints(text) === [...text].length))
  const unit = fc.constantFrom('\ud83d', '\ude97', 'a', 'س')
  fc.assert(fc.property(fc.array(unit), units => codePoints(units.join('')) === [...units.join('')].length))
  t.equal(codePoints('🚗'), 1)
})
