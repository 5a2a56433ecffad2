/** Changes by the visitor: which data of the shipment they keep, and which they drop. */
import fc from 'fast-check'
import t from 'tap'
import { ROWS_MAX, readTable } from '../../../src/web/app/shipment/read-table.js'
import { EMPTY, NO_TEXT, newRow, reduce } from '../../../src/web/app/shipment/reduce.js'
import {
  codeOf,
  currencyOf,
  goodsValueOf,
  measureOf,
  problemOf,
  problemOfTerm,
  titleOf,
} from '../../../src/web/app/shipment/row.js'
import type { Row, RowText, Shipment, Source } from '../../../src/web/app/shipment/state.js'
import { changed, pasted } from './support.js'

const texts = ({ rows }: Shipment, ...fields: (keyof RowText)[]) => rows.map(({ text }) => fields.map(field => text[field]))
const row = (text: Partial<RowText>): Row => newRow(1, null, { ...NO_TEXT, ...text })
const inUsd = { ...EMPTY, terms: { ...EMPTY.terms, currency: 'USD' } }
const candidate = {
  hs_code: '851713',
  description: { en: 'Smartphones', ar: 'هواتف ذكية' },
  level: 6,
  tariff_rate: 5,
  score: 0.9,
  matched: [],
}

t.test('a field is read from the column that was reassigned to it; values typed into other fields stay', async t => {
  const state = pasted('item,code,a,b\nPhones,851713,100,7\nTea,090210,200,8\n\n,,,')
  t.strictSame(texts(state, 'words', 'code', 'value'), [
    ['Phones', '851713', '100'],
    ['Tea', '090210', '200'],
  ])
  const typed = changed(state, { type: 'edited', id: 1, field: 'origin', text: 'CN' }, { type: 'accepted', id: 1, candidate })
  const columns = { ...typed.source!.columns, value: 3 }
  const other = changed(typed, { type: 'columns', columns })
  t.strictSame(texts(other, 'value', 'origin', 'words'), [
    ['7', 'CN', 'Phones'],
    ['8', '', 'Tea'],
  ])
  t.equal(other.rows[0]?.choice?.code, '851713', 'the chosen code stays')
  const none = changed(other, { type: 'columns', columns: { ...columns, code: -1 } })
  t.strictSame(texts(none, 'code'), [[''], ['']], 'without a column of codes, no row has a code')
})

t.test('the first row becomes goods or a heading, and back, without loss', async t => {
  const state = pasted('Item\nBlue shirt\nGreen tea')
  t.equal(state.rows.length, 2)
  const goods = changed(state, { type: 'header', hasHeader: false })
  t.strictSame(texts(goods, 'words'), [['Item'], ['Blue shirt'], ['Green tea']])
  t.equal(new Set(goods.rows.map(({ id }) => id)).size, 3)
  const again = changed(goods, { type: 'header', hasHeader: true })
  t.strictSame(texts(again, 'words'), texts(state, 'words'))
  t.strictSame(again.source, state.source)
  t.strictSame(
    again.rows.map(({ at }) => at),
    [0, 1],
  )
  const typed = changed(
    goods,
    { type: 'edited', id: 2, field: 'value', text: '7' },
    { type: 'edited', id: 2, field: 'words', text: 'Tea' },
  )
  t.strictSame(texts(changed(typed, { type: 'header', hasHeader: true }), 'words', 'value'), [
    ['Blue shirt', ''],
    ['Tea', '7'],
  ])
  const table = changed(pasted('851713\t5\n0902\t6'), { type: 'header', hasHeader: true })
  t.strictSame(texts(table, 'code', 'value'), [['0902', '6']])
})

t.test('a second table is added below the first; columns of the same kind are merged', async t => {
  const first = pasted('item,code,value\nPhones,851713,100')
  const added = changed(first, { type: 'pasted', ...readTable('Value;Size;HS code\n200;XL;0902\n300;S;0101'), isAdded: true })
  t.strictSame(texts(added, 'words', 'code', 'value'), [
    ['Phones', '851713', '100'],
    ['', '0902', '200'],
    ['', '0101', '300'],
  ])
  t.strictSame(added.source?.header, ['item', 'code', 'value', 'Size'])
  t.strictSame(added.source?.cells.at(-1), ['', '0101', '300', 'S'])
  t.equal(new Set(added.rows.map(({ id }) => id)).size, 3)
  const titles = changed(pasted('Blue shirt\nGreen tea'), { type: 'pasted', ...readTable('851713\n0902'), isAdded: true })
  t.strictSame(texts(titles, 'words', 'code'), [
    ['Blue shirt', ''],
    ['Green tea', ''],
    ['', '851713'],
    ['', '0902'],
  ])
  const replaced = changed(first, { type: 'pasted', ...readTable('Green tea'), isAdded: false })
  t.strictSame(texts(replaced, 'words'), [['Green tea']])
})

t.test('a shipment has a size limit, however often a table is added', async t => {
  const many = { type: 'pasted', ...readTable('851713\n'.repeat(ROWS_MAX - 1)), isAdded: true } as const
  const full = changed(EMPTY, many)
  t.equal(full.rows.length, ROWS_MAX - 1)
  t.notOk(full.source?.isCut)
  const over = changed(full, many)
  t.equal(over.rows.length, ROWS_MAX)
  t.ok(over.source?.isCut)
  const beyond = changed(over, { type: 'added' }, { type: 'added' }, many)
  t.equal(beyond.rows.length, ROWS_MAX + 2, 'a table adds nothing to rows that already exceed the limit')
})

t.test('the first amount sets the currency; after that only the visitor changes it', async t => {
  const start = { ...EMPTY, terms: { ...EMPTY.terms, country: 'SA' } }
  t.equal(currencyOf(start), 'SAR')
  t.equal(
    currencyOf(reduce(start, { type: 'country', country: 'KW' })),
    'KWD',
    'without amounts, the currency is that of the country',
  )
  const typed = changed(start, { type: 'added' }, { type: 'edited', id: 1, field: 'value', text: '100' })
  t.equal(currencyOf(changed(typed, { type: 'country', country: 'KW' })), 'SAR')
  t.equal(currencyOf(changed(start, { type: 'terms', terms: { freight: '5' } }, { type: 'country', country: 'KW' })), 'SAR')
  const named = pasted('code,value\n851713,$5\n0902,7', { country: 'SA' })
  t.equal(currencyOf(named), 'USD', 'the only currency in the rows is used')
  t.equal(currencyOf(pasted('code,value\n851713,$5\n0902,€7', { country: 'SA' })), 'SAR', 'the rows name two currencies')
  const more = changed(typed, { type: 'pasted', ...readTable('code,value\n851713,€5\n0902,7'), isAdded: true })
  t.equal(currencyOf(more), 'SAR', 'existing amounts keep their currency')
  t.match(problemOf(more.rows[1] as Row, 'value', more), { kind: 'otherCurrency', currency: 'EUR' })
  t.equal(currencyOf(changed(more, { type: 'terms', terms: { currency: 'eur' } })), 'EUR')
})

t.test('a currency in the heading of the values, or in a column of its own, is the currency of the amounts', async t => {
  for (const heading of ['Value USD', 'Unit price (USD)', 'Amount in US$', 'القيمة بالدولار', 'القيمة (دولار أمريكي)']) {
    const named = pasted(`HS code\t${heading}\n851713\t500\n090210\t7`, { country: 'SA' })
    t.equal(currencyOf(named), 'USD', heading)
    t.equal(goodsValueOf(named.rows[0] as Row, named), '500')
  }
  t.equal(currencyOf(pasted('HS code\tValue JPY\n851713\t500', { country: 'SA' })), 'JPY', 'the pages do not offer this currency')
  const column = pasted('HS code\tValue\tCurrency\n851713\t500\tEUR\n090210\t7\tEUR', { country: 'SA' })
  t.equal(currencyOf(column), 'EUR')
  t.equal(currencyOf(pasted('851713,500,EUR\n090210,7,EUR', { country: 'SA' })), 'EUR', 'the table has no headings')
  const mixed = pasted('HS code\tValue (USD)\tCurrency\n851713\t500\tEUR\n090210\t7\t\n090220\t€9\tUSD', { country: 'SA' })
  t.strictSame(
    mixed.rows.map(({ text }) => text.value),
    ['500 EUR', '7 USD', '€9'],
    'the cell decides, then the row, then the heading',
  )
  t.match(problemOf(mixed.rows[0] as Row, 'value', mixed), { kind: 'otherCurrency', currency: 'EUR' })
  const plain = pasted('HS code\tValue all\n851713\t500', { country: 'SA' })
  t.equal(currencyOf(plain), 'SAR', 'a word in lower case is not a currency code')
  const other = changed(column, { type: 'columns', columns: { ...(column.source as Source).columns, currency: -1 } })
  t.equal(other.rows[0]?.text.value, '500', 'without its column of currencies, the value has no currency')
})

t.test('after a change of country, the typed VAT rate is cleared and the other terms stay', async t => {
  const terms = { country: 'SA', vat: '15', freight: '5', origin: 'CN', currency: 'USD' }
  const moved = changed({ ...EMPTY, terms: { ...EMPTY.terms, ...terms } }, { type: 'country', country: 'AE' })
  t.match(moved.terms, { country: 'AE', vat: '', freight: '5', origin: 'CN', currency: 'USD' })
})

t.test('a field that cannot be read has a message with the reason', async t => {
  for (const [text, field, kind] of [
    [{ code: 'phones' }, 'code', 'badCode'],
    [{ code: '8.5171E+11' }, 'code', 'science'],
    [{ value: 'many' }, 'value', 'badValue'],
    [{ value: '€5' }, 'value', 'otherCurrency'],
    [{ value: '1.234' }, 'value', 'unclear'],
    [{ measure: 'some l' }, 'measure', 'badQuantity'],
    [{ measure: '1.234 l' }, 'measure', 'unclear'],
    [{ origin: 'Atlantis' }, 'origin', 'badOrigin'],
    [{ sugar: 'x' }, 'sugar', 'badSugar'],
  ] as const)
    t.match(problemOf(row(text), field, inUsd), { kind }, JSON.stringify(text))
  const good = row({
    code: 'HS ٨٥١٧.١٣',
    value: '$1,200.50',
    origin: 'china',
    sugar: '9',
    measure: '1,500 l',
    quantity: '2,000 cans',
  })
  for (const field of ['code', 'value', 'origin', 'sugar', 'measure', 'quantity', 'words'] as const)
    t.equal(problemOf(good, field, inUsd), null, field)
  t.equal(goodsValueOf(good, inUsd), '1200.50')
  t.equal(measureOf(good), '1500 l')
  const withTerms = (terms: object) => ({ ...inUsd, terms: { ...inUsd.terms, ...terms } })
  t.equal(problemOfTerm('vat', withTerms({ vat: '500' })), 'badVat')
  t.equal(problemOfTerm('freight', withTerms({ freight: '€5' })), 'badAmount')
  t.equal(problemOfTerm('freight', withTerms({ freight: '1,200' })), null)
})

t.test('a quantity counts for excise only if its unit is stated', async t => {
  for (const [quantity, expected] of [
    ['2400', ''],
    ['2,400', ''],
    ['2400 cans', ''],
    ['24 x 330 ml', ''],
    ['330 ml', ''],
    ['2400 عبوة', ''],
    ['792 l', '792 l'],
    ['1,792.5 Litres', '1792.5 l'],
    ['1.234 l', ''],
    ['500g', '500 g'],
    ['792 لتر', '792 l'],
    ['٧٩٢ l', '792 l'],
  ] as const)
    t.equal(measureOf(row({ quantity })), expected, quantity)
})

t.test('markup in a title is not sent, and stays in the row', async t => {
  for (const [words, title] of [
    ['<b>Running</b> shoes &amp; socks', 'Running shoes & socks'],
    ['Tea<br/>100&nbsp;g &#39;fine&#39; &unknown; x', "Tea 100 g 'fine' x"],
    ['size < 5 and > 3', 'size < 5 and > 3'],
    ['قميص&nbsp;قطن', 'قميص قطن'],
    ['x', ''],
    ['<p></p>', ''],
    ['📱 phone', '📱 phone'],
    ['a'.repeat(600), 'a'.repeat(500)],
  ] as const)
    t.equal(titleOf(row({ words })), title)
  t.equal(pasted('<b>Running</b> shoes\nGreen tea').rows[0]?.text.words, '<b>Running</b> shoes')
})

t.test('an edit drops the results that it invalidates, and only those', async t => {
  const accepted = changed(pasted('Blue shirt\nGreen tea'), { type: 'accepted', id: 1, candidate })
  const [first] = accepted.rows
  t.match(first, { choice: { code: '851713', by: 'proposal', instead: '', rate: 5 }, lines: null })
  t.equal(codeOf(changed(accepted, { type: 'edited', id: 1, field: 'words', text: 'Red shirt' }).rows[0] as Row), '851713')
  t.equal(codeOf(changed(accepted, { type: 'edited', id: 1, field: 'code', text: '0902' }).rows[0] as Row), null)
  const line = { type: 'chosen', id: 1, code: '851713000000', description: candidate.description, rate: 5, by: 'line' } as const
  t.match(changed(accepted, line).rows[0]?.choice, { code: '851713000000', by: 'line', instead: '' })
  t.equal(changed(accepted, { type: 'undone', id: 1 }).rows[0]?.choice, null)
  const other = changed(accepted, { type: 'edited', id: 2, field: 'value', text: '5' })
  t.equal(other.rows[0], first, 'other rows are the same objects')
})

t.test("rows of a link become the visitor's own work after an edit, but not after a refusal or a change of country", async t => {
  const link = { ...pasted('Blue shirt\nGreen tea'), isLink: true }
  t.notOk(changed(link, { type: 'edited', id: 1, field: 'value', text: '5' }).isLink)
  t.ok(changed(link, { type: 'country', country: 'SA' }).isLink)
  const refusal = { kind: 'classify', code: '', message: '', parameter: '' } as const
  const refused = changed(link, { type: 'refused', refusal })
  t.ok(refused.isLink)
  t.equal(
    changed(refused, { type: 'country', country: 'SA' }).refusal,
    null,
    'in another country, refused questions are asked again',
  )
})

t.test('after any sequence of changes, ids are unique and every pasted row is in its place', async _t => {
  const id = fc.integer({ min: 1, max: 8 })
  const columns = fc.record(
    Object.fromEntries(
      ['words', 'code', 'value', 'quantity', 'origin', 'sku'].map(role => [role, fc.integer({ min: -1, max: 3 })]),
    ),
  )
  const event = fc.oneof(
    fc
      .constantFrom('851713\n0902', 'item,value\nTea,5\nShirt,6', 'Blue shirt\nRed hat')
      .chain(text => fc.boolean().map(isAdded => ({ type: 'pasted', ...readTable(text), isAdded }))),
    columns.map(columns => ({ type: 'columns', columns })),
    fc.boolean().map(hasHeader => ({ type: 'header', hasHeader })),
    id.map(id => ({ type: 'removed', id })),
    id.map(id => ({ type: 'accepted', id, candidate })),
    id.map(id => ({ type: 'undone', id })),
    fc
      .tuple(id, fc.constantFrom('words', 'code', 'value'), fc.string())
      .map(([id, field, text]) => ({ type: 'edited', id, field, text })),
    fc.constantFrom('SA', 'KW', '').map(country => ({ type: 'country', country })),
    fc.constantFrom({ type: 'added' }, { type: 'acceptedClear' }, { type: 'undoneAll' }),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), events => {
      const state = (events as never[]).reduce(reduce, EMPTY)
      const ids = state.rows.map(one => one.id)
      const places = state.rows.flatMap(({ at }) => (at === null ? [] : [at]))
      return (
        new Set(ids).size === ids.length &&
        ids.every(one => one < state.nextId) &&
        new Set(places).size === places.length &&
        places.every(at => at >= 0 && at < (state.source?.cells.length ?? 0))
      )
    }),
    { numRuns: 300 },
  )
})
