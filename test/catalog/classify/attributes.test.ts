import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.js'
import { Attributes } from '../../../src/catalog/classify/attributes.js'
import { shippedSnapshot } from '../../support/service.js'

const snapshot = await shippedSnapshot()
const { meta, records, stemmer, trie } = new Catalog(snapshot)
const attributes = new Attributes(snapshot.columns, meta, records, stemmer)
const question = (attribute: number) => meta.attributes[attribute]?.question.en

const STATED: [text: string, questions: string[]][] = [
  ['vest', []],
  ['', []],
  ['knitted vest', ['How is the fabric made?']],
  ['قميص تريكو', ['How is the fabric made?']],
  ['frozen hamour', ['In what state is it?']],
  ['سمك مجمد', ['In what state is it?']],
  ['roasted coffee, decaffeinated', ['Is it roasted?', 'Is it decaffeinated?']],
]

t.test('a text states attributes by its words, in both languages', async t => {
  for (const [text, questions] of STATED) t.strictSame([...attributes.statedIn(text)].map(question), questions, text)
})

const GROUPS: [codes: string, question: string, groups: string[]][] = [
  ['0303 0302', 'In what state is it?', ['0303', '0302']],
  ['090111 090121', 'Is it roasted?', ['090111', '090121']],
  ['090111 090112', 'Is it decaffeinated?', ['090111', '090112']],
  ['090111 090112 090121', 'Is it roasted?', ['090111 090112', '090121']],
  ['090111 090112 090121', 'Is it decaffeinated?', ['090111 090121', '090112']],
]

t.test('codes with the same value of an attribute are one group', async t => {
  for (const [codes, asked, groups] of GROUPS) {
    const own = codes.split(' ').map(code => trie.find(code))
    const [found] = attributes.statements(own).filter(([attribute]) => question(attribute) === asked)
    const parts = found === undefined ? [] : attributes.groups(found[0], own, found[1])
    t.strictSame(
      parts.map(({ members }) => members.map(i => records.code(own[i] as number)).join(' ')),
      groups,
      `${asked} ${codes}`,
    )
  }
})

t.test('two overlapping phrases both count; if one phrase contains the other, only the longer one counts', async t => {
  const { attribute } = meta.attributeValues[0] as (typeof meta.attributeValues)[number]
  const phrases = ['cold roll', 'roll thin', 'thin']
  const values = phrases.map(phrase => ({ ...meta.attributeValues[0], attribute, isOther: false, phrases: [phrase] }))
  const own = new Attributes(
    snapshot.columns,
    { ...meta, attributeValues: values as typeof meta.attributeValues },
    records,
    stemmer,
  )
  const stated = (text: string) => own.valuesIn(text).get(attribute)?.has
  t.strictSame(stated('cold roll thin'), [0, 1])
  t.strictSame(stated('roll thin'), [1])
  t.strictSame(stated('thin roll'), [2])
})
