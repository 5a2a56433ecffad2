import fc from 'fast-check'
import t from 'tap'
import { csvCells, spreadsheetText } from '../../src/tables/csv-text.js'

const SEPARATORS = [',', ';', '\t']

t.test('a cell is quoted if a reader could end it at one of its characters', async t => {
  for (const separator of SEPARATORS) {
    for (const cell of ['a\rb', 'a\nb', 'a\r\nb', 'x;=2+2', 'x,=2+2', 'x\t=2+2', '\r'])
      t.equal(csvCells(['1', cell, '2'], separator), ['1', `"${cell}"`, '2'].join(separator), JSON.stringify({ cell, separator }))
    t.equal(csvCells(['a"b'], separator), '"a""b"')
  }
})

t.test('other cells are written unchanged', async t => {
  for (const separator of SEPARATORS)
    t.equal(csvCells(['tea', ' =1+1', '', 'شاي، أخضر'], separator), ['tea', ' =1+1', '', 'شاي، أخضر'].join(separator))
})

t.test('text that a spreadsheet would run as a formula gets an apostrophe, and invisible characters are removed', async t => {
  for (const [text, safe] of [
    ['=1+1', "'=1+1"],
    ['+971 4 123', "'+971 4 123"],
    ['-1+cmd|x', "'-1+cmd|x"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['- - Other', "'- - Other"],
    ['  =1', "'  =1"],
    ['\uff1d1+1', "'\uff1d1+1"],
    ['\u0000=1+1', "'=1+1"],
    ['\u202e=1+1', "'=1+1"],
    ['a;=1\n@x\t+y', "a;'=1\n'@x\t'+y"],
    ['tea\u0000 \u202egreen\u2066', 'tea green'],
  ] as const) {
    t.equal(spreadsheetText(text), safe)
    t.equal(spreadsheetText(safe), safe, 'no second apostrophe is added')
  }
})

t.test('numbers, codes and harmless texts are unchanged', async t => {
  for (const text of [
    '-5',
    '+3.5',
    '-1,234.50',
    '-1e-7',
    '-5%',
    '-',
    '0101',
    '8517.13',
    '010121 010129',
    '',
    'tea = drink',
    'شاي - أخضر',
    "'tea",
    'two\nlines\tof text',
  ])
    t.equal(spreadsheetText(text), text)
  fc.assert(
    fc.property(
      fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()),
      number => spreadsheetText(String(number)) === String(number),
    ),
  )
})

t.test(
  'for any text, no part starts a formula, wherever a spreadsheet splits the text, and no invisible character remains',
  async () => {
    const strange = fc.string({
      unit: fc.constantFrom('=', '+', '-', '@', ' ', ';', '\t', '\r', '\n', '\u0000', '\u202e', '\u2069', 'a', '1', '"'),
    })
    fc.assert(
      fc.property(fc.oneof(strange, fc.string({ unit: 'binary' })), text => {
        const safe = spreadsheetText(text)
        if (/[\u202a-\u202e\u2066-\u2069]|(?![\t\r\n])\p{Cc}/u.test(safe)) return false
        return safe.split(/[;\t\r\n]/).every(part => !/^ *[=+\-@]/.test(part) || /^[-+](\d[\d.,]*)?$/.test(safe))
      }),
      { numRuns: 2_000 },
    )
  },
)
