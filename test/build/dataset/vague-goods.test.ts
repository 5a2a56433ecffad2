import t from 'tap'
import type { Defect } from '../../../build/dataset/defect.js'
import { parseVagueGoods } from '../../../build/dataset/vague-goods.js'
import { Stemmer } from '../../../src/text/terms.js'
import { NO_WORDS } from '../../../src/text/word-data.js'

function read(...lines: string[]) {
  const defects: Defect[] = []
  const text = ['words_en,words_ar,missing_en,missing_ar', ...lines].join('\n')
  const parsed = parseVagueGoods(text, defects, new Stemmer(NO_WORDS))
  return { parsed, messages: defects.map(({ line, message }) => `${line}: ${message}`) }
}

t.test('a row has the detail that its vague words lack, or null if the words say nothing about goods', async t => {
  const { parsed, messages } = read('gift; Gift,هدية,what the gift is,ما الهدية', 'assorted,,,')
  t.strictSame(messages, [])
  t.equal(parsed.length, 2)
  t.equal(parsed[0].phrases.length, 2, 'phrases that differ only in capitals are stored once')
  t.strictSame(parsed[0].missing, { en: 'what the gift is', ar: 'ما الهدية' })
  t.equal(parsed[1].missing, null)
})

t.test('each defect of vague goods is reported with its line', async t => {
  const { messages } = read('gift,,what the gift is,ما الهدية', ',,what it is,ما هو', 'toys; gift,,what it is,')
  t.match(messages, [
    /^3: the words are missing$/,
    /^4: "gift" is already in line 2$/,
    /^4: the Arabic missing has no Arabic letter$/,
  ])
  t.equal(messages.length, 3)
})
