import t from 'tap'
import {
  checkKeywordLanguages,
  checkKeywordRates,
  checkKeywordSubjects,
  subjectOf,
} from '../../../build/checks/house-keywords.js'
import { AcceptedKeywords, parseAcceptedKeywords } from '../../../build/dataset/accepted-keywords.js'
import type { Defect } from '../../../build/dataset/defect.js'
import type { Row } from '../../../build/dataset/rows.js'
import { row } from '../../support/rows.js'

const noneAccepted = () => new AcceptedKeywords([])
const rateOf = ({ tariff_rate }: Row) => tariff_rate
const messages = (defects: Defect[]) => defects.map(({ message }) => message)
const accepting = (...lines: string[]) => {
  const defects: Defect[] = []
  const entries = parseAcceptedKeywords(['keyword,codes,reason', ...lines].join('\n'), defects)
  t.strictSame(defects, [])
  return new AcceptedKeywords(entries)
}

const COINS = [
  row('7118', { tariff_rate: '0', keywords_en: 'proof coins' }),
  row('9705', { tariff_rate: '5', keywords_en: 'stamps; Proof Coins' }),
]

t.test('a keyword of headings with different rates is reported with these headings', async t => {
  t.strictSame(messages(checkKeywordRates(COINS, rateOf, noneAccepted())), [
    '"Proof Coins" leads to different rates: 7118 (0 %), 9705 (5 %)',
  ])
  const arabic = [
    row('7118', { tariff_rate: '0', keywords_ar: 'عملات إثبات' }),
    row('9705', { tariff_rate: '5', keywords_ar: 'عملات اثبات' }),
  ]
  t.equal(checkKeywordRates(arabic, rateOf, noneAccepted()).length, 1, 'different spellings of hamza count as equal')
})

t.test('a keyword may occur several times within one heading, and in headings with the same rate', async t => {
  const at = (code: string, tariff_rate: string) => row(code, { tariff_rate, keywords_en: 'coins' })
  t.strictSame(checkKeywordRates([at('711810', '0'), at('711890', '5')], rateOf, noneAccepted()), [])
  t.strictSame(checkKeywordRates([at('7118', '5'), at('9705', '5')], rateOf, noneAccepted()), [])
})

t.test('the subject of a description ends at the first qualifying word', async t => {
  for (const [description, subject] of [
    ['Cranes and derricks', 'cranes'],
    ['Igniters for explosives', 'igniters'],
    ['Melamine', 'melamine'],
    ['Gas cylinders (empty)', 'gas cylinders'],
    ['شموع وما شابهها', 'شموع'],
    ['طاولات للرسم', 'طاولات'],
    ['Wire rod of high speed steel', ''],
    ['Salmon, prepared or preserved', ''],
    ['Flax (linen) yarn', ''],
    ['Cement-bound boards', ''],
    ['Goat or kid skins', ''],
    ['Very long wooden beams', ''],
    ['أنابيب من حديد', ''],
  ] as const) {
    t.equal(subjectOf(description), subject, description)
  }
})

t.test('a bare keyword that is the subject of another heading is reported; a more precise keyword is not', async t => {
  const about = row('8426', { description_en: 'Cranes and derricks', description_ar: 'رافعات وأوناش' })
  const birds = (keywords: Partial<Row>) => [about, row('0106', { description_en: 'Live birds', ...keywords })]
  t.match(messages(checkKeywordSubjects(birds({ keywords_en: 'storks; cranes' }), noneAccepted())), [
    /^the bare keyword "cranes" is the subject of 8426: Cranes and derricks$/,
  ])
  t.match(messages(checkKeywordSubjects(birds({ keywords_ar: 'رافعات' }), noneAccepted())), [/"رافعات" is the subject of 8426/])
  t.strictSame(checkKeywordSubjects(birds({ keywords_en: 'crowned cranes' }), noneAccepted()), [])
  const ofSameSubject = row('8431', { description_en: 'Cranes and their parts', keywords_en: 'cranes' })
  t.strictSame(checkKeywordSubjects([about, ofSameSubject], noneAccepted()), [], "a keyword may be the row's own subject")
  const within = row('842611', { keywords_en: 'cranes' })
  t.strictSame(checkKeywordSubjects([about, within], noneAccepted()), [], 'a keyword may be the subject of its own heading')
})

t.test('an accepted keyword is reported only between headings that are not listed for it', async t => {
  t.strictSame(checkKeywordRates(COINS, rateOf, accepting('proof coins,7118 9705,two kinds')), [])
  t.equal(checkKeywordRates(COINS, rateOf, accepting('proof coins,7118 8306,two kinds')).length, 1)
})

t.test('an accepted keyword must be removed from the list if no rule reports it any more', async t => {
  const accepted = accepting('proof coins,7118 9705,two kinds', 'medals,7118 9705,old')
  checkKeywordRates(COINS, rateOf, accepted)
  t.strictSame(accepted.unusedEntries(), [
    {
      file: 'accepted-keywords.csv',
      line: 3,
      message: 'no rule reports "medals" any more; remove it from the list',
    },
  ])
})

t.test('each defect in the list of accepted keywords is reported', async t => {
  const defects: Defect[] = []
  const lines = ['keyword,codes,reason', ',7118 9705,x', 'a,7118,x', 'b,7118 9705,', 'B,7118 9705,x']
  parseAcceptedKeywords(lines.join('\n'), defects)
  t.match(messages(defects), [
    /keyword is missing/,
    /"7118" are not two headings/,
    /reason is missing/,
    /"B" is already at line 4/,
  ])
})

t.test('a row must have keywords in both languages or in neither; codes and formulas do not count', async t => {
  const messagesFor = (keywords_en: string, keywords_ar: string) =>
    messages(checkKeywordLanguages([row('2940', { keywords_en, keywords_ar })]))
  t.strictSame(messagesFor('galactose', ''), ['keywords are in English only'])
  t.strictSame(messagesFor('', 'غالاكتوز'), ['keywords are in Arabic only'])
  t.strictSame(messagesFor('59-23-4; galactose', ''), ['keywords are in English only'])
  for (const [english, arabic] of [
    ['', ''],
    ['galactose', 'غالاكتوز'],
    ['59-23-4; E966; na2so4; IPM', ''],
    ['59-23-4', 'غالاكتوز'],
  ] as const)
    t.strictSame(messagesFor(english, arabic), [], `the keywords "${english}" and "${arabic}" are accepted`)
})
