import t from 'tap'
import { csvCells } from '../../src/tables/csv-text.js'

const SEPARATORS = [',', ';', '\t']

t.test('a cell with anything that some reader ends a cell or a line at is written in quotes', async t => {
  for (const separator of SEPARATORS) {
    for (const cell of ['a\rb', 'a\nb', 'a\r\nb', 'x;=2+2', 'x,=2+2', 'x\t=2+2', '\r'])
      t.equal(csvCells(['1', cell, '2'], separator), ['1', `"${cell}"`, '2'].join(separator), JSON.stringify({ cell, separator }))
    t.equal(csvCells(['a"b'], separator), '"a""b"')
  }
})

t.test('a cell without is written as it is', async t => {
  for (const separator of SEPARATORS)
    t.equal(csvCells(['tea', ' =1+1', '', 'شاي، أخضر'], separator), ['tea', ' =1+1', '', 'شاي، أخضر'].join(separator))
})
