import t from 'tap'
import { Likeness, PhraseRarity } from '../../../src/catalog/classify/likeness.js'
import { Model } from '../../../src/catalog/classify/model.js'
import { SLOTS } from '../../../src/catalog/search/slots.js'

/** The terms. The model has a class for the first and is without the other, which is in too many classes to be kept. */
const [RARE, COMMON] = [0, 1]
/** The records: each has one phrase of one term. */
const [WITH_RARE, WITH_COMMON] = [0, 1]

const model = new Model({ at: Uint32Array.of(0, 1, 1), classes: Uint16Array.of(0), weights: Int16Array.of(1) }, 2)
const columns = {
  phrasesAt: Uint32Array.of(0, 1, 2),
  phraseTermsAt: Uint32Array.of(0, 1, 2),
  phraseLength: Uint16Array.of(1, 1),
  phraseHead: Uint16Array.of(0, 0),
  phraseTerm: Uint32Array.of(RARE, COMMON),
  postingsAt: Uint32Array.from({ length: 2 * SLOTS + 1 }, (_, list) => Math.ceil(list / SLOTS)),
  postings: Uint32Array.of(WITH_RARE, WITH_COMMON),
  firstChild: new Uint32Array(2),
  childCount: new Uint32Array(2),
  level: Uint8Array.of(6, 6),
}
const likeness = (terms: readonly number[]) => new Likeness(new PhraseRarity(columns, model, 2, 2), terms, -1)

t.test('a record that shares only common terms with a text is not like it, unless the text has no others', async t => {
  const mixed = likeness([RARE, COMMON])
  t.ok(mixed.atOrBelow(WITH_RARE) > 0)
  t.equal(mixed.atOrBelow(WITH_COMMON), 0)
  t.equal(mixed.coverage(WITH_COMMON), 0)
  t.equal(likeness([COMMON]).atOrBelow(WITH_COMMON), 1)
})
