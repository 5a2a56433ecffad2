import t from 'tap'
import type { Defect } from '../../../build/dataset/defect.js'
import type { Row } from '../../../build/dataset/rows.js'
import { checkTitles, parseTitles } from '../../../build/dataset/titles.js'

const rows = ['85', '8517', '851713'].map(hs_code => ({ hs_code }) as Row)

t.test('each title must belong to a subheading of the dataset and occur only once', async t => {
  const defects: Defect[] = []
  const titles = parseTitles(
    'hs_code,title\n851713,Phone\n8517,Phones\n851714,Radio\n851713,Phone\n851713,\n',
    'titles/85.csv',
    defects,
  )
  t.strictSame(
    [...defects, ...checkTitles(titles, rows)].map(({ line, message }) => `${line}: ${message}`),
    [
      '6: the title is missing',
      '3: 8517 is not a subheading of the dataset',
      '4: 851714 is not a subheading of the dataset',
      '5: the title is already in titles/85.csv:2',
    ],
  )
})
