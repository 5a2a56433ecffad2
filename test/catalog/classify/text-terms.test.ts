import t from 'tap'
import { Brands } from '../../../src/catalog/brands.js'
import { Catalog } from '../../../src/catalog/catalog.js'
import { TERMS_MAX } from '../../../src/catalog/classify/features.js'
import { textTerms } from '../../../src/catalog/classify/text-terms.js'
import { Vocabulary } from '../../../src/catalog/search/vocabulary.js'
import { CLASSIFY_CHARS_MAX } from '../../../src/limits.js'
import { fixtureSnapshot } from '../../support/service.js'

const snapshot = await fixtureSnapshot()
const { stemmer } = new Catalog(snapshot)
const vocabulary = new Vocabulary(snapshot.vocabulary, stemmer)
const read = (text: string) => textTerms(text, { vocabulary, stemmer, brands: new Brands([]), isOfGoods: () => false })

t.test('each term keeps its word as written, from the first letter or digit to the last', async t => {
  const written = (text: string) => read(text).written
  t.strictSame(written('("horses"),  —cards!— 😀'), ['horses', 'cards'])
  t.strictSame(written('magnetic/cards!'), ['magnetic/cards', 'magnetic/cards'])
  t.strictSame(written('\ud83dhorses\udc00'), ['horses'])
})

t.test('a title of many terms is read up to the limit', async t => {
  const hostile = `${'horses/'.repeat(70)}${'😀'.repeat(CLASSIFY_CHARS_MAX)}`
  const { terms, written } = read(hostile)
  t.equal(terms.length, TERMS_MAX)
  t.strictSame([...new Set(written)], ['horses/'.repeat(70).slice(0, -1)])
})
