/** Exported files with every row, addresses, and stored work. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { readSheet } from 'read-excel-file/node'
import t from 'tap'
import { Decisions } from '../../../src/catalog/decisions.js'
import { readDecisions } from '../../../src/decisions/decisions-file.js'
import { fromCheck, fromInvoice, restored } from '../../../src/web/app/shipment/kept.js'
import { pack, unpack } from '../../../src/web/app/shipment/link.js'
import {
  ADDED,
  codeColumn,
  columnHtml,
  csvFile,
  decisionRows,
  decisionsFile,
  excelFile,
  rowsOut,
} from '../../../src/web/app/shipment/out.js'
import { readTable } from '../../../src/web/app/shipment/read-table.js'
import { EMPTY, NO_TEXT, newRow } from '../../../src/web/app/shipment/reduce.js'
import { codeOf } from '../../../src/web/app/shipment/row.js'
import type { Row, Shipment } from '../../../src/web/app/shipment/state.js'
import { fixtureCatalog, openService, temporaryDirectory } from '../../support/service.js'
import { changed, pasted, run } from './support.js'

const FACTS = { edition: 'HS 2022', version: '1.2.3' }
const candidate = {
  hs_code: '851713',
  description: { en: 'Smartphones', ar: 'هواتف ذكية' },
  level: 6,
  tariff_rate: 5,
  score: 0.9,
  matched: [],
}

const named = (table: string[][]) =>
  table.slice(1).map(cells => Object.fromEntries(cells.map((cell, at) => [table[0]?.[at] as string, cell])))

t.test('every pasted cell is exported in its row and column, including rows that were not recognised', async _t => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }).map(text => text.replace(/["\t\r\n\ufeff]/g, ' ')),
    fc.constantFrom('', '851713', '8517.13', '<b>Tea</b> &amp; milk', '=1+1', '1,200', 'قميص', '📱'),
  )
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 10 }))
  fc.assert(
    fc.property(table, rows => {
      const read = readTable(rows.map(row => row.join('\t')).join('\n')).cells
      const state = pasted(rows.map(row => row.join('\t')).join('\n'))
      const out = rowsOut(state, FACTS)
      const width = Math.max(0, ...read.map(row => row.length))
      const first = read.findIndex(row => row.some(one => one.trim() !== ''))
      const wanted = state.source?.header === null ? read : read.slice(first + 1)
      const got = out.slice(1, 1 + wanted.length).map(row => row.slice(0, width))
      const isHead = state.source?.header == null || out[0]?.slice(0, width).join('\t') === read[first]?.join('\t')
      return isHead && wanted.every((row, at) => row.every((one, column) => got[at]?.[column] === one))
    }),
    { numRuns: 300 },
  )
})

t.test('rows have status, code, certainty, amounts, destination, edition and version; proposals are not lost', async t => {
  const { post, auth } = await openService(t)
  const ask = async (path: string, body: unknown) => {
    const { status, text } = await post(path, body, auth)
    return { status, text }
  }
  const text =
    'item,hs code,value\nPhones,8517.13,12000\n=1+1,HS 0101.21,7.0051\n\nMagnetic tapes,,\nOld,851712,50\nSaved,010121,1'
  const start = pasted(text, { country: 'SA' })
  const { state: answered } = await run(start, ask)
  const last = answered.rows.at(-1) as Row
  const state = (await run(changed(answered, { type: 'accepted', id: last.id, candidate }), ask)).state
  const table = rowsOut(state, FACTS)
  t.strictSame(
    table[0],
    ['item', 'hs code', 'value', ...ADDED.map(name => (name === 'value' ? 'value_2' : name))],
    'column names are unique',
  )
  const rows = named(table)
  t.match(rows[0], {
    item: 'Phones',
    'hs code': '8517.13',
    status: 'normalised',
    hs_code: '851713',
    description_ar: 'هواتف ذكية',
    certainty: 'given',
    reason: 'separators',
    destination: 'SA',
    edition: 'HS 2022',
    dataset: '1.2.3',
    currency: 'SAR',
  })
  t.match(rows[0]?.landed_cost, /^\d+\.\d\d$/)
  t.strictSame(
    table[3]?.filter(cell => cell !== ''),
    [],
    'a blank row stays blank',
  )
  t.match(rows[3], { item: 'Magnetic tapes', status: 'proposed', hs_code: '', candidates: /^8523/, landed_cost: '' })
  t.match(rows[3]?.needs, /^code/)
  t.match(rows[4], { status: 'unknown', candidates: /851713/, needs: /^code/ })
  t.match(rows[5], { status: 'corrected', hs_code: '851713', corrected_from: '010121', certainty: 'chosen' })
  t.match(rows.at(-1), { status: 'total_incomplete', needs: 'rows 3 4' })
  const sum = (name: string) => rows.slice(0, -1).reduce((all, row) => all + Math.round(Number(row[name] ?? 0) * 100), 0)
  for (const name of ['cif_value', 'duty', 'excise']) t.equal(sum(name), Math.round(Number(rows.at(-1)?.[name]) * 100), name)

  const csv = await csvFile(state, FACTS).text()
  t.match(csv, "\r\n'=1+1,HS 0101.21,", 'pasted text cannot become a formula')
  const sheet = await readSheet(Buffer.from(await excelFile(state, FACTS, true).arrayBuffer()))
  t.strictSame(sheet[2]?.slice(0, 2), ['=1+1', 'HS 0101.21'])
  t.equal(sheet[1]?.[2], 12000, 'numbers are numbers')
  t.equal(sheet[2]?.[3 + ADDED.indexOf('hs_code')], '010121', 'codes are text')
  t.strictSame(codeColumn(state), ['hs_code', '851713', '010121', '', '', '', '851713'])
  t.match(columnHtml(['010121']), /<td[^>]*>010121<\/td>/)
})

t.test('typed rows and changes have their own columns, next to the pasted ones', async t => {
  const state = changed(
    pasted('item,value\nTea,5\nShirt,6'),
    { type: 'edited', id: 1, field: 'value', text: '7' },
    { type: 'added' },
    { type: 'edited', id: 3, field: 'code', text: '0902' },
    { type: 'removed', id: 2 },
  )
  const rows = named(rowsOut(state, FACTS))
  t.equal(rows.length, 2, 'a removed row is gone')
  t.match(rows[0], { item: 'Tea', value: '5', typed_value: '7' })
  t.match(rows[1], { item: '', typed_code: '0902' })
})

const fieldText = fc.string({ unit: 'grapheme', maxLength: 10 }).map(text => text.trim())

t.test('an exported file can be read again, with the chosen codes', async t => {
  for (const table of ['Item,HS code,Value,Origin\nPhones,8517.1O,1200,CN\nTea,0902 10,340,LK', 'Phones with a case\nGreen tea'])
    for (const accepted of [true, false]) {
      const state = pasted(table)
      const first = state.rows[0] as Row
      const done = accepted ? changed(state, { type: 'accepted', id: first.id, candidate }) : state
      const again = pasted(await csvFile(done, FACTS).text())
      t.equal(again.rows.length, state.rows.length)
      t.strictSame(
        again.rows.map(({ text }) => text.words),
        state.rows.map(({ text }) => text.words),
      )
      t.strictSame(
        again.rows.map(({ text }) => [text.value, text.origin]),
        state.rows.map(({ text }) => [text.value, text.origin]),
      )
      if (accepted) t.equal(again.rows[0]?.text.code, '851713')
    }
})

t.test('rows are unchanged after conversion to an address and back, for any typed text', async _t => {
  const text = fc.record(Object.fromEntries(Object.keys(NO_TEXT).map(name => [name, fieldText])))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, fc.constantFrom('', '851713', '010121000000')), { minLength: 1, maxLength: 4 }),
      fieldText,
      (all, freight) => {
        const rows = all.map(([one, code], at) => {
          const row = newRow(at + 1, null, one as never)
          const choice = { code, description: { en: '', ar: '' }, rate: null, by: 'proposal' as const, instead: row.text.code }
          return code === '' ? row : { ...row, choice }
        })
        const state: Shipment = { ...EMPTY, rows, nextId: rows.length + 1, terms: { ...EMPTY.terms, freight, edition: '2012' } }
        const packed = pack(state)
        if (packed === null) return new URLSearchParams(JSON.stringify(rows)).toString().length > 600
        // an empty row does not count
        const back = unpack(Object.fromEntries(new URLSearchParams(new URLSearchParams(packed).toString())))
        if (packed.rows === '') return back === null
        return JSON.stringify(back) === JSON.stringify({ ...state, isLink: true })
      },
    ),
    { numRuns: 500 },
  )
})

t.test('addresses of the former pages can be read', async t => {
  const checked = unpack({ codes: '8517.13,852310, ,0902', edition: '2017' })
  t.strictSame(
    checked?.rows.map(({ text }) => text.code),
    ['8517.13', '852310', '0902'],
  )
  t.match(checked, { terms: { edition: '2017' }, isLink: true })
  const invoice = unpack({ rows: '851713_1200.5__CN*a b____9*220210_5____792 l', currency: 'USD', freight: '5' })
  t.match(
    invoice?.rows.map(({ text }) => text),
    [
      { code: '851713', value: '1200.5', origin: 'CN' },
      { code: 'a b', sugar: '9' },
      { code: '220210', measure: '792 l' },
    ],
  )
  t.match(invoice?.terms, { currency: 'USD', freight: '5' })
  t.equal(unpack({}), null)
  t.equal(unpack({ currency: 'USD' }), null)
  const first = pack({ ...EMPTY, rows: [newRow(1, null, { ...NO_TEXT, code: '851713', value: '1200.5', origin: 'CN' })] })
  t.strictSame(first, { rows: '851713_1200.5__CN' })
  const long = Array.from({ length: 200 }, (_, at) => newRow(at + 1, null, { ...NO_TEXT, words: 'magnetic cards' }))
  t.equal(pack({ ...EMPTY, rows: long }), null, 'no address is made if it is so long that mail programs would cut it')
})

t.test("stored work is restored; yesterday's answers are requested again, choices are not", async t => {
  const { post, auth } = await openService(t)
  const { state } = await run(pasted('item,code,value\nPhones,851713,5\nTea,0101,6', { country: 'SA' }), async (path, body) => {
    const { status, text } = await post(path, body, auth)
    return { status, text }
  })
  const kept = structuredClone(changed(state, { type: 'accepted', id: 1, candidate }))
  t.strictSame(restored(kept, kept.askedMs + 1000), kept)
  const old = restored(kept, kept.askedMs + 25 * 3600_000)
  t.ok(old.rows.every(({ resolved, estimate, lines }) => resolved === null && estimate === null && lines === null))
  t.match(old.rows[0]?.choice, { code: '851713', rate: null })
  t.strictSame(
    old.rows.map(({ text }) => text),
    kept.rows.map(({ text }) => text),
  )
})

t.test('work of the former pages becomes a shipment', async t => {
  const stored = { id: 'a', savedMs: 1, address: '' }
  const check = fromCheck({
    ...stored,
    text: 'ignored',
    column: null,
    edition: '2022',
    checked: {
      text: 'sku,item,code\n1,Cards,010121\n\n2,Phones,851713',
      column: 2,
      words: 1,
      edition: '2017',
      country: 'SA',
      accepted: new Map([[0, { hs_code: '852321', description: { en: 'Cards', ar: '' }, tariff_rate: 5 }]]),
    },
  })
  t.match(check?.terms, { edition: '2017', country: 'SA' })
  t.match(
    check?.rows.map(({ text }) => text),
    [
      { words: 'Cards', code: '010121' },
      { words: 'Phones', code: '851713' },
    ],
  )
  t.equal(codeOf(check?.rows[0] as Row), '852321')
  t.equal(restored(check as Shipment, stored.savedMs + 25 * 3600_000).rows[0]?.choice?.rate, 5, 'no outdated answer was kept')
  t.equal(check?.rows[0]?.choice?.instead, '010121')
  t.equal(check?.rows[1]?.choice, null)
  const only = fromCheck({ ...stored, text: '851713\n0902', column: null, edition: '', checked: null })
  t.strictSame(
    only?.rows.map(({ text }) => text.code),
    ['851713', '0902'],
  )
  t.equal(fromCheck({ ...stored, text: ' ', column: null, edition: '', checked: null }), null)
  const invoice = fromInvoice({
    ...stored,
    rows: [{ code: '851713', value: '5', quantity: '', origin: 'CN', sugar: '', excise: '7 l' }, { code: '0902' }],
    terms: { currency: 'USD', freight: '9' },
    country: 'KW',
  })
  t.match(invoice?.rows[0]?.text, { code: '851713', value: '5', origin: 'CN', measure: '7 l', words: '' })
  t.match(invoice?.rows[1]?.text, { code: '0902', value: '' })
  t.match(invoice?.terms, { currency: 'USD', freight: '9', country: 'KW', edition: '' })
  t.equal(fromInvoice({ ...stored, rows: [], terms: {}, country: '' }), null)
})

t.test('decided rows are exported as own decisions, and the classifier then returns these decisions', async t => {
  const text = 'sku,item\n=A-1,Phones\n4006381333931,"Cards, magnetic"\nA-3,Horses\n,Tapes\nA-5,Oxen'
  const state = changed(
    pasted(text, { country: 'SA' }),
    { type: 'accepted', id: 1, candidate },
    { type: 'accepted', id: 2, candidate: { ...candidate, hs_code: '852321' } },
    { type: 'accepted', id: 4, candidate: { ...candidate, hs_code: '852329' } },
    { type: 'edited', id: 3, field: 'code', text: '010121' },
    { type: 'added' },
    { type: 'accepted', id: 6, candidate },
  )
  const decider = { who: 'Mona', day: '2026-11-01', insteadOf: (code: string) => `instead of ${code}` }
  const rows = decisionRows(state, decider)
  t.strictSame(rows, [
    ['sku', 'gtin', 'text', 'code', 'country', 'who', 'day', 'why'],
    ['=A-1', '', 'Phones', '851713', 'SA', 'Mona', '2026-11-01', ''],
    ['4006381333931', '4006381333931', 'Cards, magnetic', '852321', 'SA', 'Mona', '2026-11-01', ''],
    ['', '', 'Tapes', '852329', 'SA', 'Mona', '2026-11-01', ''],
  ])
  const file = join(temporaryDirectory(t), 'decisions.csv')
  writeFileSync(file, Buffer.from(await decisionsFile(state, decider).arrayBuffer()))
  const read = await readDecisions(file)
  t.strictSame(
    read.rows.map(row => ['sku', 'gtin', 'text', 'code', 'country', 'who', 'day', 'why'].map(name => row[name as 'sku'])),
    rows.slice(1),
    'decisions are read back unchanged, although the file protects the first from running as a formula',
  )
  const catalog = await fixtureCatalog()
  catalog.decisions = new Decisions(read)
  const saudi = catalog.countries.find('SA')?.newest
  for (const [keys, code] of [
    [{ sku: '=A-1', gtin: '', text: '' }, '851713'],
    [{ sku: '', gtin: '04006381333931', text: '' }, '852321'],
    [{ sku: '', gtin: '', text: 'TAPES' }, '852329'],
    [{ sku: 'A-3', gtin: '', text: 'Horses' }, undefined],
  ] as const)
    t.equal(catalog.decisions.find(catalog, keys, saudi)?.row.code, code)
})
