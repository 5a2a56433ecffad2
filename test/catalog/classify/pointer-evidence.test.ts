import t from 'tap'
import { Brands } from '../../../src/catalog/brands.js'
import { Catalog } from '../../../src/catalog/catalog.js'
import { PointerEvidence } from '../../../src/catalog/classify/pointer-evidence.js'
import { textTerms } from '../../../src/catalog/classify/text-terms.js'
import { Steps } from '../../../src/catalog/search/steps.js'
import { Vocabulary } from '../../../src/catalog/search/vocabulary.js'
import type { Columns } from '../../../src/snapshot/schema.js'
import { Stemmer } from '../../../src/text/terms.js'
import { fixtureSnapshot } from '../../support/service.js'

t.test(
  'a text with all words of a pointer is evidence for the target of the pointer and against the heading where it starts',
  async t => {
    const snapshot = await fixtureSnapshot()
    const { records, stemmer, level, parent } = new Catalog(snapshot)
    const headingOf = Int32Array.from(level, (_, record) => {
      let at = record
      while (at >= 0 && (level[at] as number) > 4) at = parent[at] as number
      return at
    })
    const pointers = new PointerEvidence(snapshot.columns, headingOf)
    const vocabulary = new Vocabulary(snapshot.vocabulary, new Stemmer(snapshot.meta.words), new Steps())
    const reading = { vocabulary, stemmer, brands: new Brands([]), isOfGoods: () => false }
    const evidenceOf = (text: string) =>
      Object.fromEntries(
        [...pointers.of(textTerms(text, reading).terms)].map(([record, weight]) => [records.code(record), weight]),
      )
    t.strictSame(evidenceOf('digital meters, telephone test, new'), { 8517: -0.7, 9031: 0.7 })
    t.strictSame(evidenceOf('عدادات فحص الهواتف'), { 8517: -0.7, 9031: 0.7 })
    t.strictSame(evidenceOf('telephone meters'), {}, 'there is no evidence if a word is missing')
    t.strictSame(evidenceOf(''), {})
  },
)

t.test('a heading to which one pointer leads gets no evidence against it from another pointer that starts there', async t => {
  const [FROM, MIDDLE, TO] = [0, 1, 2]
  const columns = {
    pointerFrom: Uint32Array.of(FROM, MIDDLE),
    pointerTo: Uint32Array.of(MIDDLE, TO),
    // the words of each pointer in English and Arabic: term 7, none, term 8, none
    pointerWordsAt: Uint32Array.of(0, 1, 1, 2, 2),
    pointerWord: Uint32Array.of(7, 8),
    pointerWordKey: Uint32Array.of(7, 8),
    pointerWordsOf: Uint32Array.of(0, 2),
  } as unknown as Columns
  const pointers = new PointerEvidence(columns, Int32Array.of(FROM, MIDDLE, TO))
  for (const terms of [
    [7, 8],
    [8, 7],
  ])
    t.strictSame(
      [...pointers.of(terms)].sort(([a], [b]) => a - b),
      [
        [FROM, -0.7],
        [MIDDLE, 0.7],
        [TO, 0.7],
      ],
      terms.join(),
    )
})
