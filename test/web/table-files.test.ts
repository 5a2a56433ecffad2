import t from 'tap'
import { csvBlob } from '../../src/web/app/shipment/table-files.js'

t.test('a downloaded table runs neither what was pasted nor what the server described, and keeps numbers and codes', async t => {
  const rows = [
    ['code', '=note', 'description'],
    ['0101', '-5', '=1+1'],
    ['0101', '\u0000=2', '@شاي'],
  ]
  // the text starts with a byte-order mark, which `text()` omits
  t.equal(await csvBlob(rows).text(), "code,'=note,description\r\n0101,-5,'=1+1\r\n0101,'=2,'@شاي\r\n")
})
