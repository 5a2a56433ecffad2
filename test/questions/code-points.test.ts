import fc from 'fast-check'
import t from 'tap'
import { Refusal } from '../../src/questions/refusal.js'
import { search } from '../../src/questions/search.js'
import { fixtureCatalog } from '../support/service.js'

t.test("a query's length is its number of code points, and an unpaired surrogate counts as one", async t => {
  const catalog = await fixtureCatalog()
  const isTooShort = (text: string) => {
    const answer = search(catalog, text)
    return answer instanceof Refusal && answer.name === 'queryTooShort'
  }
  const isRight = (text: string) => isTooShort(text) === [...text.trim()].length < 2
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 4 }), isRight))
  const unit = fc.constantFrom('\ud83d', '\ude97', 'a', 'س')
  fc.assert(fc.property(fc.array(unit, { maxLength: 4 }), units => isRight(units.join(''))))
  t.ok(isTooShort('🚗'))
  t.match(search(catalog, '🚗'.repeat(201)), { name: 'invalidParameter' })
  t.notMatch(search(catalog, '🚗'.repeat(200)), { name: 'invalidParameter' })
})
