/** Pasted text becomes cells, columns and rows: titles, codes, codes with values, whole invoices. */
import fc from 'fast-check'
import t from 'tap'
import { codeInCell, looksLikeCode } from '../../../src/codes/in-text.js'
import { recognise, sourceOf, textOf } from '../../../src/web/app/shipment/columns.js'
import { ROWS_MAX, readTable } from '../../../src/web/app/shipment/read-table.js'
import { originOf } from '../../../src/web/app/text/origin-names.js'

const rowsOf = (text: string) => {
  const { cells, isCut } = readTable(text)
  const source = sourceOf(cells, isCut)
  return source.cells.filter(row => row.some(cell => cell.trim() !== '')).map(row => textOf(row, source))
}
const columnsOf = (text: string) => recognise(readTable(text).cells).columns
const given = (text: string) => rowsOf(text).map(({ code, value, quantity, origin }) => [code, value, quantity, origin])

const TITLES = [
  'Shirt, cotton, men, blue',
  'قميص رجالي قطني، أزرق',
  '<b>Running shoes</b> &amp; socks, size 42',
  '📱 Phone case, silicone',
  'Smartphones 128 GB',
  'Green tea, 100 bags; loose',
  'شاي أخضر 500 غ',
  'Olive oil 750 ml',
  '"Slim" laptop sleeve',
  'TV 55" LED',
  'Chair, office',
  'Desk lamp, LED, 12 W',
  'زيت زيتون بكر ممتاز',
  'Wireless mouse',
  'USB-C cable, 2 m',
  'Baby stroller, foldable',
  'Steel screws M4 x 20',
  'Dog food, dry, 15 kg',
  'سجادة صلاة',
  '2024 calendar',
]

t.test('twenty titles are twenty rows with words and without codes, whatever characters they have', async t => {
  for (const end of ['\n', '\r\n', '\n\n']) {
    const rows = rowsOf(TITLES.join(end))
    t.strictSame(
      rows.map(({ words }) => words),
      TITLES,
    )
    t.ok(rows.every(({ code, value }) => code === '' && value === ''))
  }
  t.equal(recognise(readTable(TITLES.join('\n')).cells).hasHeader, false, 'the first title is not a heading')
  const evenly = TITLES.map((_, at) => `Shirt ${at}, cotton, blue`)
  t.strictSame(
    rowsOf(evenly.join('\n')).map(({ words }) => words),
    evenly,
    'titles with commas stay whole',
  )
  t.strictSame(
    rowsOf('Product title\nBlue shirt\nGreen tea').map(({ words }) => words),
    ['Blue shirt', 'Green tea'],
    'a heading is recognised',
  )
})

t.test('a list of only codes is read, however it is arranged', async t => {
  const codes = (text: string) => rowsOf(text).map(({ code }) => code)
  t.strictSame(codes('8517.13\n10121\n0902 10\n\n'), ['8517.13', '10121', '0902 10'])
  t.strictSame(codes('851713, 010121;0902\t85'), ['851713', '010121', '0902', '85'])
  t.strictSame(codes('851713, 010121\n0902\n85, 0101'), ['851713', '010121', '0902', '85', '0101'])
  t.strictSame(codes('\ufeff٨٥١٧١٣\r\n8.5171E+11'), ['٨٥١٧١٣', '8.5171E+11'])
  t.strictSame(codes('HS code\n851713'), ['851713'], 'a heading is not a code')
  t.strictSame(codes('8517130000\n8517.13.00.00.00\n8517120000'), ['8517130000', '8517.13.00.00.00', '8517120000'])
  const mixed = rowsOf('851713\nWireless mouse\n0902')
  t.strictSame(
    mixed.map(({ code, words }) => [code, words]),
    [
      ['851713', ''],
      ['', 'Wireless mouse'],
      ['0902', ''],
    ],
    'codes and titles may alternate',
  )
})

t.test('blank lines keep their places, so that results line up with the pasted table', async t => {
  t.strictSame(readTable('8517.13\r\n\r\n  \r\n0902\r\n\r\n').cells, [['8517.13'], [''], [''], ['0902']])
  t.strictSame(readTable('\n851713\n0902').cells, [[''], ['851713'], ['0902']])
  const source = sourceOf(readTable('\nHS code\n\n851713').cells, false)
  t.strictSame(source.cells, [[''], ['851713']], 'the blank lines below the heading are kept')
  const table = sourceOf(readTable('item,code\nPhones,851713\n\n,\nTea,0902\n').cells, false)
  t.strictSame(table.cells, [['Phones', '851713'], [''], ['', ''], ['Tea', '0902']])
  t.equal(table.columns.code, 1)
})

t.test('quotes may contain separators and line ends; an unclosed quote is an inch mark', async t => {
  t.strictSame(readTable('a,code\n"two\nlines",851713\n"x ""y""",010121').cells, [
    ['a', 'code'],
    ['two\nlines', '851713'],
    ['x "y"', '010121'],
  ])
  t.equal(columnsOf('"Tea, green";"090210";"3"\n"He said ""hi""";"851713";"1"').code, 1)
  t.strictSame(readTable('"19 inch rack\nTV 55" LED').cells, [['"19 inch rack'], ['TV 55" LED']])
})

t.test('columns are recognised by their headings, in both languages, and otherwise by their cells', async t => {
  const phones = ['8517.13', '12,000', '40', 'CN']
  t.strictSame(given('Item,HS Code,Unit price,Qty,Amount,Country of origin\nPhones,8517.13,300,40,"12,000",CN'), [phones])
  t.strictSame(given('الصنف;رمز البند;القيمة;الكمية;بلد المنشأ\nهاتف;8517.13;12,000;40;CN'), [phones])
  t.strictSame(given('Phones\t851713\t12,000\t40\tChina\nTea\t090210\t300\t9\tKenya')[1], ['090210', '300', '9', 'Kenya'])
  t.strictSame(given('8517.13; 12,000; 40; CN'), [phones], 'one line is a row')
  t.strictSame(given('8517.13 12,000'), [['8517.13', '12,000', '', '']])
  t.strictSame(given('0902 10'), [['0902 10', '', '', '']], 'the 10 belongs to the code and is not a value')
  t.strictSame(given('code,value\n851713,5\n,\n0902,6\n').length, 2, 'blank rows do not count')
  t.strictSame(given('   '), [])
  t.strictSame(
    rowsOf('Blue shirt\t12000\nGreen tea\t34000').map(({ words, code, value }) => [words, code, value]),
    [
      ['Blue shirt', '', '12000'],
      ['Green tea', '', '34000'],
    ],
    'values are not read as codes',
  )
  t.strictSame(columnsOf('2024\t851713\tPhones\n2023\t010121\tHorses').code, 1, 'years are not read as codes')
  t.equal(recognise(readTable('851713,12\n010121,500').cells).hasHeader, false)
})

t.test('the column of words is the one with such a heading, or the one with most letters', async t => {
  const column = (text: string) => columnsOf(text).words
  t.equal(column('code,supplier,description\n851713,Long Name Trading Company,Smartphones\n010121,The Other Company,Horses'), 2)
  t.equal(column('851713\tPhones with cameras\tAED\n010121\tHorses for riding\tAED'), 1)
  t.equal(column('الصنف;رمز\nهاتف;851713\nشاي;090210'), 0)
  t.equal(column('851713,12\n010121,500'), -1, 'no column has words')
  t.equal(column('851713,AED\n010121,KWD'), -1, 'a column of currencies is not read as words')
  t.equal(column('851713\n010121'), -1)
})

t.test("the seller's own numbers are not codes, although some look like one", async t => {
  for (const text of [
    'SKU,Title\n090111,Green mug\n100234,Blue shirt',
    '090111\tGreen mug for coffee\nA-1001\tBlue shirt\nA-1002\tRed shirt',
    '100234\tBlue shirt\n100235\tGreen mug\n100236\tRed hat',
    'رقم الصنف;الوصف\n090111;كوب أخضر\n100234;قميص أزرق',
    'Item No.\tDescription\n090111\tGreen mug\n080810\tBlue shirt',
  ])
    t.equal(columnsOf(text).code, -1, text)
  t.equal(columnsOf('SKU,Title\n090111,Green mug\n100234,Blue shirt').sku, 0)
  const both = columnsOf('SKU,Title,HS code\n090111,Green mug,6912.00\n100234,Blue shirt,6205.20')
  t.match(both, { sku: 0, code: 2, words: 1 })
})

t.test('a quantity states its unit in the cell or in the heading, or has none', async t => {
  const quantity = (heading: string, cell: string) =>
    rowsOf(`code,value,${heading}\n220210,1000,${cell}\n220210,1000,${cell}`)[1]?.quantity
  t.equal(quantity('Qty (L)', '792'), '792 l')
  t.equal(quantity('Quantity in litres', '"1,792"'), '1,792 l')
  t.equal(quantity('الكمية باللتر', '٧٩٢'), '٧٩٢ l')
  t.equal(quantity('qty (pcs)', '2400'), '2400')
  t.equal(quantity('qty', '792 l'), '792 l')
})

t.test('rows beyond the limit are left out, and this is reported', async t => {
  const { cells, isCut } = readTable(`code,item\n${'851713,x\n'.repeat(ROWS_MAX)}`)
  t.equal(cells.length, ROWS_MAX + 1)
  t.notOk(isCut)
  const long = readTable(`code,item\n${'851713,x\n'.repeat(ROWS_MAX + 1)}`)
  t.equal(long.cells.length, ROWS_MAX + 1)
  t.ok(long.isCut)
})

t.test('any text is read without an exception, and titles never lose a line', async _t => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' }), text => {
      recognise(readTable(text).cells)
    }),
  )
  const word = fc.stringMatching(/^[A-Za-zا-ي]{2,9}$/u)
  const title = fc
    .array(word, { minLength: 2, maxLength: 6 })
    .chain(words => fc.constantFrom(', ', ' ', '; ').map(by => words.join(by)))
  fc.assert(
    fc.property(fc.array(title, { minLength: 2, maxLength: 20, size: 'max' }), titles => {
      const words = readTable(titles.join('\n')).cells
      return words.length === titles.length && words.every((row, at) => row.length === 1 && row[0] === titles[at])
    }),
  )
})

t.test('words before a code are not part of the code', async t => {
  for (const one of [
    'HS 8471.30',
    'HS8471.30',
    'hs: 8471.30',
    'H.S. Code: 8471.30',
    'HS-8471.30',
    'HSN 8471.30',
    'رمز 8471.30',
  ]) {
    t.equal(codeInCell(one), '8471.30', one)
    t.ok(looksLikeCode(one), one)
  }
  for (const one of ['horses', 'HS', 'HS code', 'shs 12']) t.equal(codeInCell(one), one)
})

t.test('codes are distinguished from other text', async t => {
  for (const one of ['85', '8517.13', '0902 10', "'010121", '8517-13-00', 'HS 8517', '٨٥١٧', '8.5E+11'])
    t.ok(looksLikeCode(one), one)
  for (const one of ['', '8', 'tea', '12 kg', '123456789012345', '85a']) t.notOk(looksLikeCode(one), one)
})

t.test('origins are read as invoices write them', async t => {
  for (const [text, code] of [
    ['cn', 'CN'],
    ['China', 'CN'],
    ['الصين', 'CN'],
    ['USA', 'US'],
    ['UAE', 'AE'],
    ['السعودية', 'SA'],
    ['', ''],
  ] as const)
    t.equal(originOf(text), code, text)
  t.equal(originOf('XX'), null)
})
