import t from 'tap'
import { checkBrands, parseBrands } from '../../../build/dataset/brands.js'
import type { Defect } from '../../../build/dataset/defect.js'
import type { Row } from '../../../build/dataset/rows.js'

function read(...lines: string[]) {
  const defects: Defect[] = []
  const parsed = parseBrands(['name,aliases,codes,note', ...lines].join('\n'), defects)
  return { parsed, messages: defects.map(({ line, message }) => `${line}: ${message}`) }
}

t.test('a brand has spellings, codes and a kind', async t => {
  const { parsed, messages } = read('Head & Shoulders,هيد أند شولدرز;head n shoulders,330510;3305,line', 'Samsung,,8517;8528,')
  t.strictSame(messages, [])
  t.strictSame(
    parsed.map(({ spellings, codes, kind }) => ({ spellings, codes, kind })),
    [
      { spellings: ['head shoulders', 'هيد اند شولدرز', 'head n shoulders'], codes: ['330510', '3305'], kind: 'line' },
      { spellings: ['samsung'], codes: ['8517', '8528'], kind: '' },
    ],
  )
})

t.test('every defect of a row is reported', async t => {
  const { messages } = read(',,8517,', 'One,,,', 'Two,,8517;8517,often', 'TWO,,8517,', 'a b c d e f g,,8517,')
  t.strictSame(messages, [
    '2: the name is missing',
    '2: a name has no letters',
    '3: the codes are missing',
    '4: a code is given twice',
    '4: the note is "often", not line, word or blank',
    '5: "two" is already in line 4',
    '6: "a b c d e f g" has more than 6 words',
  ])
})

t.test('the codes of a brand must be headings or subheadings of the dataset', async t => {
  const rows = ['8517', '851713', '85'].map(hs_code => ({ hs_code })) as Row[]
  const { parsed } = read('One,,8517;851713,', 'Two,,85;9999,')
  t.strictSame(
    checkBrands(parsed, rows).map(({ line, message }) => `${line}: ${message}`),
    ['3: 85 is not a heading or subheading of the dataset', '3: 9999 is not a heading or subheading of the dataset'],
  )
})
