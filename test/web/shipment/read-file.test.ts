/** Files of any encoding, and workbooks. */
import t from 'tap'
import { decodeText, readFile } from '../../../src/web/app/shipment/read-file.js'
import { ROWS_MAX } from '../../../src/web/app/shipment/read-table.js'
import { excelBlob } from '../../../src/web/app/shipment/table-files.js'

/** The encoding in which Excel saves CSV on Arabic Windows. */
function windows1256(text: string): Buffer {
  const decoder = new TextDecoder('windows-1256')
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Buffer.from(Array.from(text, char => byteOf.get(char) ?? 63))
}

t.test('a text file is read in the encoding in which it was saved', async t => {
  const text = 'رمز,صنف\n851713,هاتف'
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16, Buffer.from(utf16).swap16(), windows1256(text)]) {
    t.equal(decodeText(bytes), text)
    t.strictSame(await readFile(new Blob([new Uint8Array(bytes)])), [
      ['رمز', 'صنف'],
      ['851713', 'هاتف'],
    ])
  }
  t.equal(decodeText(Buffer.from('PK\u0003\u0004\u0000')), null, 'a ZIP file is not text')
  t.equal(decodeText(new Uint8Array()), '')
})

t.test('a workbook gives its cells as text, with blank rows in place, however large it is', async t => {
  const rows = [['item', 'code', 'value'], ['Tea', '090210', 340.5], [], ['شاي 📱', '0101', 1200]]
  const cells = await readFile(excelBlob(rows, true))
  t.strictSame(
    cells?.map(row => row.filter(cell => cell !== '')),
    [['item', 'code', 'value'], ['Tea', '090210', '340.5'], [], ['شاي 📱', '0101', '1200']],
  )
  const many = Array.from({ length: ROWS_MAX + 50 }, (_, at) => [`Goods number ${at}`, '090210', at])
  const long = await readFile(excelBlob(many, false))
  t.ok((long?.length ?? 0) > ROWS_MAX + 1, 'more rows are read than are kept, so that the page can report that rows are left out')
  t.strictSame(long?.[ROWS_MAX], [`Goods number ${ROWS_MAX}`, '090210', String(ROWS_MAX)])
})

t.test('a file that is neither text nor a workbook is refused, and so is one that is too large', async t => {
  for (const bytes of ['PK\u0003\u0004\u0000', '\u0000\u0001', 'PK\u0003\u0004 is not one'])
    t.equal(await readFile(new Blob([bytes])), null)
  t.equal(await readFile(new Blob([new Uint8Array(8_000_001)])), null)
})
