import fc from 'fast-check'
import t from 'tap'
import { readDutyNumber, readDutyText } from '../../../build/importers/duty-text.js'

const rate = (percent: string) => ({ status: 'allowed', rate: percent })

t.test('duty texts are read in both languages', async t => {
  for (const [text, expected] of [
    ['5 %', rate('5')],
    ['5%', rate('5')],
    ['5.00 % ', rate('5')],
    ['6.5 %', rate('6.5')],
    ['100 %', rate('100')],
    ...['Exempted', ' exempt', 'Free', 'FREE OF  DUTY', 'معفاة', 'معفى', 'معفاه'].map(text => [text, rate('0')] as const),
    ...[
      'Prohibited',
      'PROHIBITED',
      'Prohibited from Importing',
      'Prohibited from Exporting and Importing',
      'ممنوع',
      'ممنوع استيراده',
      'ممنوع إستيرادة',
      'ممنوع استيراده وتصديره',
    ].map(text => [text, { status: 'prohibited', rate: '' }] as const),
    ['Prohibited from Exporting', { status: 'export_prohibited', rate: '' }],
    ['ممنوع تصديره', { status: 'export_prohibited', rate: '' }],
    ['-', { status: 'unknown', rate: '' }],
  ] as const) {
    t.strictSame(readDutyText(text), expected, text)
    t.strictSame(readDutyNumber(text), expected, text)
  }
})

t.test('a text that is only partly understood is not read', async t => {
  for (const text of [
    '',
    '100% or SAR 20 per 1000',
    '5 % + 23.5 %',
    '5-10 %',
    '5,5 %',
    '-5 %',
    '٥ %',
    'Exempted?',
    '5 %%',
    'NaN',
    '1e2',
  ])
    for (const read of [readDutyText, readDutyNumber]) t.equal(read(text), undefined, text)
  t.equal(readDutyText('5'), undefined, 'a bare number is a percentage only in a column of percentages')
  t.equal(readDutyNumber('0.05'), undefined, '0.05 is ambiguous: 0.05 %, or 5 % from a cell with a percent format')
  for (const part of ['0.5', '0.99']) t.equal(readDutyNumber(part), undefined, part)
  t.strictSame(readDutyNumber('0'), rate('0'))
  t.strictSame(readDutyNumber('1'), rate('1'), 'the number 1 is one percent')
  t.strictSame(readDutyNumber('1.0'), rate('1'))
  t.strictSame(readDutyNumber('6.50'), rate('6.5'))
})

t.test('any percentage is read as its number, but not if other text follows', async t => {
  const percent = fc.tuple(fc.nat(9_999), fc.nat(9_999)).map(([whole, part]) => Number(`${whole}.${part}`))
  const blanks = fc.constantFrom('', ' ', '\n', '\u00a0', '  ')
  fc.assert(
    fc.property(percent, blanks, blanks, blanks, (number, before, between, after) => {
      const read = readDutyText(`${before}${number}${between}%${after}`)
      return read?.status === 'allowed' && Number(read.rate) === number
    }),
  )
  fc.assert(
    fc.property(
      percent,
      fc.string(),
      (number, added) => added.trim() === '' || readDutyText(`${number} % ${added}`) === undefined,
    ),
  )
  fc.assert(
    fc.property(fc.string(), text => {
      const read = readDutyNumber(text)
      return read === undefined || read.status !== 'allowed' || /\d|free|exempt/i.test(text)
    }),
  )
  t.pass('the property holds for all generated cases')
})
