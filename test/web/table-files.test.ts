import t from 'tap'
import { csvBlob } from '../../src/web/app/shipment/table-files.js'

t.test('in a downloaded table, no pasted or server text runs as a formula, and numbers and codes keep their type', async t => {
  const rows = [
    ['code', '=note', 'description'],
    ['0101', '-5', '=1+1'],
    ['0101', '\u0000=2', '@شاي'],
  ]
  // the text starts with a byte-order mark, which `text()` omits
  t.equal(await csvBlob(rows).text(), "code,'=note,description\r\n0101,-5,'=1+1\r\n0101,'=2,'@شاي\r\n")
})
