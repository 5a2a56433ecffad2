import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.js'
import { Attributes } from '../../../src/catalog/classify/attributes.js'
import { EvidenceReader } from '../../../src/catalog/classify/evidence.js'
import { Vocabulary } from '../../../src/catalog/search/vocabulary.js'
import { shippedSnapshot } from '../../support/service.js'

t.test('the evidence of one text does not change when another text is read', async t => {
  const snapshot = await shippedSnapshot()
  const { search, stemmer, trie, firstChild, childCount, meta, records } = new Catalog(snapshot)
  const attributes = new Attributes(snapshot.columns, meta, records, stemmer)
  const reader = new EvidenceReader(snapshot, new Vocabulary(snapshot.vocabulary, stemmer), stemmer, search, attributes, records)
  const heading = trie.find('6109')
  const below = Array.from({ length: childCount[heading] as number }, (_, n) => (firstChild[heading] as number) + n)
  const read = () => reader.read('cotton t-shirt')
  const first = read()
  const [headings, among] = [[...first.headings], read().among(below, 1)]
  const other = reader.read('men shirt of man-made fibres, knitted')
  t.notSame(other.among(below, 1), among)
  t.strictSame(first.among(below, 1), among, 'the evidence for codes that are compared later does not change either')
  t.strictSame(first.headings, headings)
})
