import t from 'tap'
import type { Defect } from '../../../build/dataset/defect.js'
import { parseVagueGoods } from '../../../build/dataset/vague-goods.js'
import { Stemmer } from '../../../src/text/terms.js'
import { NO_WORDS } from '../../../src/text/word-data.js'

function read(...lines: string[]) {
  const defects: Defect[] = []
  const text = ['words_en,words_ar,missing_en,missing_ar', ...lines].join('\n')
  const parsed = parseVagueGoods(text, defects, new Stemmer(NO_WORDS))
  return { parsed, told: defects.map(({ line, message }) => `${line}: ${message}`) }
}

t.test('words that do not name goods have a missing fact, or none if they add nothing to other words', async t => {
  const { parsed, told } = read('gift; Gift,هدية,what the gift is,ما الهدية', 'assorted,,,')
  t.strictSame(told, [])
  t.equal(parsed.length, 2)
  t.equal(parsed[0].phrases.length, 2, 'the same words in capitals are one phrase')
  t.strictSame(parsed[0].missing, { en: 'what the gift is', ar: 'ما الهدية' })
  t.equal(parsed[1].missing, null)
})

t.test('every defect of a row is reported with its line', async t => {
  const { told } = read('gift,,what the gift is,ما الهدية', ',,what it is,ما هو', 'toys; gift,,what it is,')
  t.match(told, [
    /^3: the words are missing$/,
    /^4: "gift" is already in line 2$/,
    /^4: the Arabic missing has no Arabic letter$/,
  ])
  t.equal(told.length, 3)
})
