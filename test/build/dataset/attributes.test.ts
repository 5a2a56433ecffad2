import t from 'tap'
import { checkAttributes, parseAttributes, parseAttributeValues } from '../../../build/dataset/attributes.js'
import type { Defect } from '../../../build/dataset/defect.js'
import { row } from '../../support/rows.js'
import { STEMMER } from '../../support/words.js'

const ATTRIBUTES =
  'attribute,codes,across,after_for,unstated,shares,question_en,question_ar,yes_no_en,yes_no_ar,answer_en,answer_ar,other_en,other_ar'
const TEXTS = 'How is it?,ما حالته؟,Is it {}?,هل هو {}؟,{},{},Otherwise,غير ذلك'
const VALUES = 'attribute,value,broader,name_en,name_ar,words_en,words_ar'

function attributes(...lines: string[]) {
  const defects: Defect[] = []
  const parsed = parseAttributes([ATTRIBUTES, ...lines].join('\n'), defects)
  return { parsed, messages: defects.map(({ line, message }) => `${line}: ${message}`) }
}

function values(...lines: string[]) {
  const defects: Defect[] = []
  const parsed = parseAttributeValues([VALUES, ...lines].join('\n'), defects, STEMMER)
  return { parsed, messages: defects.map(({ line, message }) => `${line}: ${message}`) }
}

t.test('ranges in the codes of an attribute are expanded', async t => {
  const { parsed, messages } = attributes(`state,02-04 1604,0302-0304; 04 1604,yes,no,yes,${TEXTS}`)
  t.strictSame(messages, [])
  t.match(parsed, [
    {
      attribute: 'state',
      codes: ['02', '03', '04', '1604'],
      across: [
        ['0302', '0303', '0304'],
        ['04', '1604'],
      ],
      afterFor: 'yes',
      isAbsentUnlessStated: true,
      hasShares: true,
      question: { en: 'How is it?', ar: 'ما حالته؟' },
      yesNo: { en: 'Is it {}?' },
      answer: { ar: '{}' },
      other: { en: 'Otherwise' },
    },
  ])
})

t.test('defects of an attribute are reported with their line', async t => {
  const { messages } = attributes(
    `a,,,,,,${TEXTS}`,
    `a,02,,,,,${TEXTS}`,
    `b,04-02,,,,,${TEXTS}`,
    `c,02-0304,020,,,,${TEXTS}`,
    `d,02,,always,yes,no,${TEXTS}`,
    `e,02,,,,,,how,Is it?,هل هو {} {}؟,{},{},Otherwise,غير ذلك`,
  )
  t.match(messages, [
    /^2: the codes are missing/,
    /^3: "a" is already in line 2/,
    /^4: the codes "04-02" are not written as/,
    /^5: the codes "02-0304" are not written as/,
    /^5: the codes "020" are not written as/,
    /^6: after_for is "always", not yes, only or blank/,
    /^6: unstated is "yes", not no or blank/,
    /^6: shares is "no", not yes or blank/,
    /^7: the English question is missing/,
    /^7: the Arabic question has no Arabic letter/,
    /^7: yes_no_en must have \{\} once/,
    /^7: yes_no_ar must have \{\} once/,
  ])
})

t.test('the words that state a value become terms of the search index', async t => {
  const { parsed, messages } = values('state,frozen,,frozen,مجمد,frozen; in brine; ^parts; ~fish,مجمدة')
  t.strictSame(messages, [])
  t.strictSame(parsed[0].phrases, [
    { terms: ['frozen'], isAtStart: false, isUnlessNarrower: false },
    { terms: ['in', 'brine'], isAtStart: false, isUnlessNarrower: false },
    { terms: ['part'], isAtStart: true, isUnlessNarrower: false },
    { terms: ['fish'], isAtStart: false, isUnlessNarrower: true },
    { terms: STEMMER.terms('مجمدة'), isAtStart: false, isUnlessNarrower: false },
  ])
})

t.test('defects of a value are reported with their line', async t => {
  const { messages } = values(
    'state,,,frozen,مجمد,frozen,مجمد',
    'state,cold,warm,cold,بارد,cold,بارد',
    'state,cold,,cold,cold,cold; ;,بارد',
  )
  t.match(messages, [
    /^2: the value has no name/,
    /^3: the broader value "warm" must be listed before it/,
    /^4: "cold" of state is already in line 3/,
    /^4: the Arabic name has no Arabic letter/,
    /^4: the words include a phrase without letters/,
  ])
})

t.test('attributes, values and codes that do not match each other are reported', async t => {
  const { parsed } = attributes(`state,02 0301-0303,0302 04,,,,${TEXTS}`, `empty,02,,,,,${TEXTS}`)
  const { parsed: parsedValues } = values(
    'state,frozen,,frozen,مجمد,frozen,مجمد',
    'state,ice,,in ice,في الثلج,frozen,ثلج',
    'age,old,,old,قديم,old,قديم',
  )
  const rows = ['02', '03', '0301', '0302'].map(code => row(code))
  const messages = checkAttributes(parsed, parsedValues, rows).map(({ file, line, message }) => `${file}:${line}: ${message}`)
  t.match(messages, [
    /^attributes.csv:2: 04 is in across but not in codes/,
    /^attributes.csv:2: the code 0303 is not in the dataset/,
    /^attributes.csv:3: no value of "empty" is in attribute-values.csv/,
    /^attribute-values.csv:3: "frozen" already states frozen, in line 2/,
    /^attribute-values.csv:4: the attribute "age" is not in attributes.csv/,
  ])
})
