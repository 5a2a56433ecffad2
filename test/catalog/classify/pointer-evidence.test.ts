import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.js'
import { PointerEvidence } from '../../../src/catalog/classify/pointer-evidence.js'
import { textTerms } from '../../../src/catalog/classify/text-terms.js'
import { Steps } from '../../../src/catalog/search/steps.js'
import { Vocabulary } from '../../../src/catalog/search/vocabulary.js'
import { Stemmer } from '../../../src/text/terms.js'
import { fixtureSnapshot } from '../../support/service.js'

t.test('a text with all words of a pointer is evidence for its target and against the heading where it starts', async t => {
  const snapshot = await fixtureSnapshot()
  const { records, stemmer, level, parent } = new Catalog(snapshot)
  const headingOf = Int32Array.from(level, (_, record) => {
    let at = record
    while (at >= 0 && (level[at] as number) > 4) at = parent[at] as number
    return at
  })
  const pointers = new PointerEvidence(snapshot.columns, headingOf)
  const vocabulary = new Vocabulary(snapshot.vocabulary, new Stemmer(snapshot.meta.words), new Steps())
  const evidenceOf = (text: string) =>
    Object.fromEntries(
      [...pointers.of(textTerms(text, vocabulary, stemmer).terms)].map(([record, weight]) => [records.code(record), weight]),
    )
  t.strictSame(evidenceOf('digital meters, telephone test, new'), { 8517: -0.7, 9031: 0.7 })
  t.strictSame(evidenceOf('عدادات فحص الهواتف'), { 8517: -0.7, 9031: 0.7 })
  t.strictSame(evidenceOf('telephone meters'), {}, 'not where a word is missing')
  t.strictSame(evidenceOf(''), {})
})
