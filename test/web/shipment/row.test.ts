/** Values derived from a row and its answers: status, proposals, needs, questions, exported cells. Tested without a server. */
import t from 'tap'
import { CLASSIFY_ITEMS_MAX, CLASSIFY_WITHIN_MAX, INVOICE_ITEMS_MAX } from '../../../src/limits.js'
import { asked, estimateOf, feesQuestion, totalsOf } from '../../../src/web/app/shipment/estimate-request.js'
import { fromCheck, restored } from '../../../src/web/app/shipment/kept.js'
import { pack, unpack } from '../../../src/web/app/shipment/link.js'
import { ADDED, codeColumn, rowsOut } from '../../../src/web/app/shipment/out.js'
import { type Ask, nextAsk, waiting } from '../../../src/web/app/shipment/plan.js'
import { readTable } from '../../../src/web/app/shipment/read-table.js'
import { EMPTY, NO_TEXT, newRow, reduce } from '../../../src/web/app/shipment/reduce.js'
import { certaintyOf, codeOf, correctionOf, needsOf, recordOf, titleOf } from '../../../src/web/app/shipment/row.js'
import type { Row, RowText, Shipment, Terms } from '../../../src/web/app/shipment/state.js'
import { AT_MS, changed, pasted } from './support.js'

const description = (code: string) => ({ en: `goods ${code}`, ar: `بضائع ${code}` })
const candidate = (hs_code: string, score = 0.9) => ({
  hs_code,
  description: description(hs_code),
  level: hs_code.length,
  tariff_rate: 5,
  score,
  matched: [],
})
const record = (hs_code: string) => ({ hs_code, description: description(hs_code), tariff_rate: 12 })
const resolved = (input: string, status: string, hs_code: string | null, more: object = {}) => ({
  input,
  status,
  hs_code,
  declarable: true,
  lines: hs_code === null ? 0 : 1,
  nearest: null,
  candidates: [],
  record: hs_code === null ? null : record(hs_code),
  ...more,
})
const classified = (status: string, codes: readonly string[], more: object = {}) => ({
  text: '',
  status,
  candidates: codes.map(code => candidate(code)),
  question: null,
  verdict: null,
  ...more,
})
const row = (text: Partial<RowText>, more: object = {}, id = 1): Row =>
  ({ ...newRow(id, null, { ...NO_TEXT, ...text }), ...more }) as Row
const shipment = (rows: readonly Row[], terms: Partial<Terms> = {}, more: object = {}): Shipment => ({
  ...EMPTY,
  rows,
  nextId: rows.length + 1,
  terms: { ...EMPTY.terms, ...terms },
  ...more,
})
const choice = (code: string, by: string, instead = '') => ({ code, description: description(code), rate: 5, by, instead })
const settled = (text: Partial<RowText>, code: string, id = 1, more: object = {}) =>
  row({ code, ...text }, { resolved: resolved(code, 'found', code), lines: 1, ...more }, id)

t.test('the row and its answers determine how certain its code is', async t => {
  for (const [one, expected] of [
    [row({ code: '0101' }), 'open'],
    [row({ words: 'tea leaves' }), 'open'],
    [row({ code: '9999' }, { resolved: resolved('9999', 'unknown', null) }), 'unknown'],
    [row({ code: '9999', words: 'tea' }, { resolved: resolved('9999', 'unknown', null) }), 'open'],
    [settled({}, '0101'), 'given'],
    [
      settled({ words: 'tea' }, '0101', 1, {
        classified: classified('clear', ['0902'], { verdict: { status: 'doubtful', against: [] } }),
      }),
      'doubtful',
    ],
    [settled({}, '0101', 1, { choice: choice('0102', 'typed') }), 'chosen'],
    [row({ words: 'tea' }, { classified: classified('unknown', ['0902']) }), 'unknown'],
    [row({ words: 'tea' }, { classified: classified('clear', []) }), 'unknown'],
    [row({ words: 'tea' }, { classified: classified('clear', ['0902']) }), 'sure'],
    [row({ words: 'tea' }, { classified: classified('ask', ['0902']) }), 'likely'],
    [row({ words: 'tea' }, { classified: classified('ask', [], { candidates: [candidate('0902', 0.1)] }) }), 'unlikely'],
    [row({ code: '8517' }, { resolved: resolved('8517', 'ambiguous', '8517') }), 'unknown'],
  ] as const)
    t.equal(certaintyOf(one), expected)
  t.equal(codeOf(row({ code: '8517' }, { resolved: resolved('8517', 'ambiguous', '8517') })), null)
  t.strictSame(recordOf(settled({}, '0101')), { description: description('0101'), rate: 12 })
  t.strictSame(recordOf(settled({}, '0101', 1, { choice: choice('0102', 'typed') })), {
    description: description('0102'),
    rate: 5,
  })
})

t.test('if a code is read as another one, the correction has a reason', async t => {
  const reason = (code: string, status: string, meant: string) =>
    correctionOf(row({ code }, { resolved: resolved(code, status, meant) }))?.reason
  t.equal(reason('8517.12', 'moved', '851713'), 'edition')
  t.equal(reason('10121', 'normalised', '010121'), 'digit')
  t.equal(reason('1012100', 'normalised', '010121'), 'digit', 'the code is longer, but the zero at its start is missing')
  t.equal(reason('0101.21', 'normalised', '010121'), 'separators')
  t.equal(reason('85171300', 'normalised', '851713'), 'separators')
  t.equal(reason('851712', 'normalised', '851713'), 'edition')
  t.equal(correctionOf(settled({}, '0101')), null)
  t.equal(correctionOf(row({ code: '0101' }, { resolved: resolved('0101', 'normalised', '0101', { record: null }) })), null)
  const old = row(
    { code: '851712', words: 'phone' },
    { resolved: resolved('851712', 'unknown', null, { candidates: ['851713', '851714'] }) },
  )
  t.match(correctionOf(old), { candidate: { hs_code: '851713', tariff_rate: Number.NaN }, isApplied: false, reason: 'edition' })
  const named = (code: string, status = 'choose') => correctionOf({ ...old, classified: classified(status, [code]) } as Row)
  t.match(named('851714'), { candidate: { hs_code: '851714' }, reason: 'edition' })
  t.match(named('090210'), { candidate: { hs_code: '090210' }, reason: 'words' })
  t.match(named('090210', 'unknown'), { candidate: { hs_code: '851713' } }, 'words without a result are ignored')
  const doubted = (status: string, verdict: object) =>
    correctionOf(settled({ words: 'tea' }, '0101', 1, { classified: classified(status, ['0902'], { verdict }) }))
  t.match(doubted('clear', { status: 'contradicts', against: [candidate('0903')] }), {
    candidate: { hs_code: '0903' },
    reason: 'better',
  })
  t.equal(doubted('clear', { status: 'agrees', against: [candidate('0903')] }), null)
  t.equal(doubted('unknown', { status: 'doubtful', against: [candidate('0903')] }), null)
  t.equal(correctionOf({ ...old, choice: choice('0101', 'typed') } as Row), null)
})

t.test('the missing inputs of a row are listed, the most urgent first', async t => {
  const needs = (one: Row, others: Row[] = [], terms: Partial<Terms> = {}) => needsOf(one, shipment([one, ...others], terms))
  t.strictSame(needs(row({})), [])
  t.strictSame(needs(row({ words: 'tea' })), ['code'])
  t.strictSame(needs(settled({}, '0101')), [])
  t.strictSame(needs(settled({}, '0101', 1, { lines: 2 })), ['line'])
  t.strictSame(needs(settled({}, '0101'), [row({ value: '5' }, {}, 2)]), ['value'])
  t.strictSame(needs(settled({ value: 'x' }, '0101')), ['value'])
  t.strictSame(needs(settled({}, '0101', 1, { asks: { unit: 'l', sugar: true } })), ['measure', 'sugar'])
  t.strictSame(needs(settled({ measure: '5 l', sugar: '9' }, '0101', 1, { asks: { unit: 'l', sugar: true } })), [])
  t.strictSame(needs(settled({ measure: '5 g' }, '0101', 1, { asks: { unit: 'l', sugar: false } })), ['measure'])
  t.strictSame(needs(settled({}, '0101', 1, { asks: { unit: '', sugar: false } })), [])
})

t.test('a title has at least two characters after its markup is removed', async t => {
  t.equal(titleOf(row({ words: 'ab' })), 'ab')
  t.equal(titleOf(row({ words: ' a ' })), '')
  t.equal(titleOf(row({ words: `${'a'.repeat(499)} bc` })), 'a'.repeat(499), 'a long title is cut, without a space at its end')
})

t.test(
  'codes are requested first, then words, then amounts; a repeated code is sent once, and a request has only one edition',
  async t => {
    const rows = [
      row({ code: '0101', value: '5' }, {}, 1),
      row({ code: '0101', value: '6' }, {}, 2),
      row({ words: 'tea' }, {}, 3),
    ]
    const state = shipment(rows, { country: 'SA', edition: '2017' })
    t.match(nextAsk(state, 9), { kind: 'resolve', body: { codes: ['0101'], edition: '2017', country: 'SA' } })
    t.strictSame(waiting(state), { resolve: 2, classify: 1, estimate: 0 })
    const mixed = shipment([row({}, { choice: choice('0102', 'typed') }, 1), ...rows.slice(0, 1)], { edition: '2017' })
    t.match(nextAsk(mixed, 9), { body: { codes: ['0102'], edition: '2022' } })
    const done = shipment([settled({ value: '5' }, '0101', 1), settled({ value: '6' }, '0101', 2), rows[2] as Row])
    t.match(nextAsk(done, 9), { kind: 'classify', body: { items: [{ text: 'tea' }], limit: 5 } })
    t.strictSame(waiting(done), { resolve: 0, classify: 1, estimate: 2 })
    t.match(nextAsk({ ...done, refusal: { kind: 'classify', code: '', message: '', parameter: '' } }, 9), { kind: 'estimate' })
    t.match(nextAsk({ ...done, refusal: { kind: 'estimate', code: '', message: '', parameter: '' } }, 9), { kind: 'classify' })
    t.equal(
      nextAsk({ ...done, rows: done.rows.slice(0, 2), refusal: { kind: 'estimate', code: '', message: '', parameter: '' } }, 9),
      null,
    )
    const unlined = shipment([
      settled({ value: '5' }, '0101', 1, { lines: null, resolved: null, choice: choice('0101', 'typed') }),
    ])
    t.equal(nextAsk(unlined, 9)?.kind, 'resolve', 'the code may still be corrected')
    t.equal(waiting(unlined).estimate, 0)
  },
)

t.test('words of a row are compared with its code only on request; if the code is invalid, they are classified', async t => {
  const ask = (one: Row, isComparing: boolean) => nextAsk(shipment([one], {}, { isComparing }), 9)
  const both = settled({ words: 'green tea' }, '0101')
  t.equal(ask(both, false), null)
  t.match(ask(both, true), { kind: 'classify', body: { items: [{ text: 'green tea', hs_code: '0101' }] } })
  const invalid = row({ code: '12x', words: 'green tea' }, { resolved: resolved('12x', 'invalid', null) })
  t.match(ask(invalid, false), { kind: 'classify', body: { items: [{ text: 'green tea' }] } })
  const old = row(
    { code: '851712', words: 'phone' },
    { resolved: resolved('851712', 'unknown', null, { candidates: ['851713'] }) },
  )
  t.equal(ask(old, false), null)
  t.match(ask(old, true), { body: { items: [{ text: 'phone', within: ['851713'] }] } })
  t.equal(ask({ ...old, choice: choice('0101', 'typed'), lines: 1 } as Row, true), null)
  const many = Array.from({ length: CLASSIFY_WITHIN_MAX + 1 }, (_, i) => `85${1_000 + i}`)
  const first = many.slice(0, -1)
  const sentWithin = (ask: Ask | null) => (ask?.kind === 'classify' ? ask.body.items[0]?.within : undefined)
  t.strictSame(sentWithin(ask(row({ words: 'phone' }, { steps: [many] }), false)), first, 'no more codes than the API accepts')
  const several = resolved('851712', 'unknown', null, { candidates: many })
  t.strictSame(sentWithin(ask(row({ code: '851712', words: 'phone' }, { resolved: several }), true)), first)
})

const estimate = (code: string, parts: object = {}) => ({
  hs_code: code,
  calculation: {
    declared_value: '100',
    import_duty_rate: '5',
    import_duty_amount: '5.004',
    vat_rate: '15',
    vat_amount: '15.75',
    ...parts,
  },
  warnings: [],
})
/** The shipment with answers to the current requests of its rows; `of` returns the answer for an id. */
function estimated(state: Shipment, of: (id: number) => object | null): Shipment {
  const items = asked(state)?.items
  const rows = state.rows.map(one => {
    const answer = of(one.id)
    return answer === null ? one : { ...one, estimate: { key: items?.get(one.id)?.key ?? '', answer } }
  })
  return { ...state, rows } as Shipment
}

t.test('a row is estimated with the terms that apply to it', async t => {
  const two = [
    settled({ value: '300' }, '0101', 1),
    settled({ value: '100', origin: 'CN' }, '0102', 2),
    row({ value: '100' }, {}, 3),
  ]
  const items = (terms: Partial<Terms>, rows = two) =>
    [...(asked(shipment(rows, terms))?.items.values() ?? [])].map(({ item }) => item)
  t.strictSame(items({}), [
    { hs_code: '0101', value: '300' },
    { hs_code: '0102', value: '100' },
  ])
  t.strictSame(items({ country: 'SA', freight: '50', origin: 'US' }), [
    { hs_code: '0101', value: '300', freight: '30.00', origin: 'US' },
    { hs_code: '0102', value: '100', freight: '10.00', origin: 'CN' },
  ])
  t.strictSame(items({ country: 'SA', insurance: '5' })[0], { hs_code: '0101', value: '300', insurance: '3.00' })
  t.strictSame(items({}, [settled({ value: '5', origin: 'Atlantis' }, '0101')]), [])
  for (const bad of [{ vat: 'x' }, { freight: 'x' }, { insurance: 'x' }])
    t.equal(asked(shipment(two, { country: 'SA', ...bad })), null)
  const body = (terms: Partial<Terms>) => asked(shipment(two, terms))?.body
  t.strictSame(body({}), { include: ['exact'], currency: 'AED', include_vat: true })
  t.strictSame(body({ country: 'SA', vat: '5 %' }), { include: ['exact'], currency: 'SAR', vat_rate: 5, country: 'SA' })
  const excised = (asks: object, text: object = {}) =>
    items({ country: 'SA' }, [settled({ value: '5', measure: '7 l', sugar: '9', ...text }, '2202', 1, { asks })])[0]
  t.strictSame(excised({ unit: 'l', sugar: true }), { hs_code: '2202', value: '5', quantity: '7', unit: 'l', sugar: '9' })
  t.strictSame(excised({ unit: 'l', sugar: false }), { hs_code: '2202', value: '5', quantity: '7', unit: 'l' })
  t.strictSame(excised({ unit: '', sugar: false }, { measure: '7 ' }), { hs_code: '2202', value: '5' })
  t.strictSame(excised({ unit: 'g', sugar: false }), { hs_code: '2202', value: '5' })
})

t.test('an estimate is used only until its inputs change; totals name the rows that are missing', async t => {
  const state = estimated(
    shipment(
      [
        settled({ value: '100' }, '0101', 1),
        settled({ value: '100' }, '0102', 2, { lines: 3 }),
        row({ value: '7' }, {}, 3),
        row({}, {}, 4),
        settled({ value: '100' }, '2202', 5, { asks: { unit: '', sugar: true } }),
        settled({ value: '100' }, '2203', 6, { asks: { unit: 'l', sugar: false } }),
      ],
      { country: 'SA' },
    ),
    id => (id === 3 || id === 4 ? null : estimate('0101')),
  )
  const total = totalsOf(state)
  t.match(total, { isComplete: false, left: [3, 5, 6], undecided: [2], declared_value: '400', import_duty_amount: '20.02' })
  t.equal(total, totalsOf(state), 'the totals are cached')
  t.strictSame([...(total?.rows.keys() ?? [])], [1, 2, 5, 6])
  t.equal(feesQuestion(state)?.item.value, '400')
  const other = changed(state, { type: 'edited', id: 1, field: 'value', text: '101' })
  t.equal(estimateOf(other.rows[0] as Row, other), null)
  t.match(totalsOf(other)?.left, [1, 3, 5, 6])
  t.equal(totalsOf(shipment([settled({ value: '1' }, '0101')])), null)
  t.equal(
    feesQuestion(estimated(shipment([settled({ value: '100' }, '0101')]), () => estimate('0101'))),
    null,
    'without a country there are no fees',
  )
})

t.test('fees are used only until the customs value of all rows changes; 400.0 and 400 are the same value', async t => {
  const two = (value: string) =>
    estimated(shipment([settled({ value: '1' }, '0101', 1), settled({ value: '1' }, '0102', 2)], { country: 'SA' }), () =>
      estimate('0101', { declared_value: value }),
    )
  const state = two('200.00')
  const ask = nextAsk(state, 9)
  t.match(ask, { kind: 'fees', keys: [feesQuestion(state)?.key], body: { items: [{ hs_code: '0101', value: '400' }] } })
  t.equal(totalsOf(state)?.isComplete, false, 'the fees are not known yet')
  if (ask?.kind !== 'fees') throw new Error('fees come last')
  const answer = {
    items: [estimate('0101', { vat_amount: '60' })],
    totals: { declared_value: '400', vat_amount: '63' },
    fees: [{ code: 'fee', amount: '20.006' }],
  }
  const known = reduce(state, { type: 'estimated', ask, answer: answer as never, atMs: AT_MS })
  t.match(known.fees, { key: feesQuestion(two('200'))?.key, vat: '3' })
  t.match(totalsOf(known), { isComplete: true, fees_amount: '20.01', feesVat: '3', vat_amount: '34.5' })
  t.equal(nextAsk(known, 9), null)
  const more = { ...known, rows: two('250').rows }
  t.match(totalsOf(more), { isComplete: false, fees_amount: '0' })
  t.match(nextAsk(more, 9), { kind: 'fees' })
  const none = reduce(state, { type: 'estimated', ask, answer: { ...answer, items: [{ error: {} }] } as never, atMs: AT_MS })
  t.match(none.fees, { charges: [], vat: '0' }, 'a refused request for fees is not repeated')
  const single = estimated(shipment([settled({ value: '1' }, '0101')], { country: 'SA' }), () => null)
  const first = nextAsk(single, 9)
  if (first?.kind !== 'estimate') throw new Error('no estimate')
  const both = { items: [estimate('0101')], totals: { declared_value: '100.0', vat_amount: '16' }, fees: answer.fees }
  const whole = reduce(single, { type: 'estimated', ask: first, answer: both as never, atMs: AT_MS })
  t.match(whole.fees, { vat: '0.25' }, 'the answer for all rows also has the fees')
  t.equal(whole.askedMs, AT_MS)
  t.equal(
    reduce(whole, { type: 'estimated', ask: first, answer: both as never, atMs: AT_MS + 5 }).askedMs,
    AT_MS,
    'the time is that of the oldest answer',
  )
})

t.test('an estimate names the inputs for excise; a quantity in another unit is then removed', async t => {
  const inputs = (measure: string, unit: string) => {
    const state = shipment([settled({ value: '5', measure }, '2202')], { country: 'SA' })
    const ask = nextAsk(state, 9)
    if (ask?.kind !== 'estimate') throw new Error('no estimate')
    const answer = { ...estimate('2202'), excise_inputs: unit === '' ? null : { unit, sugar: unit === 'l' } }
    const totals = { declared_value: '1', vat_amount: '0' }
    return reduce(state, { type: 'estimated', ask, answer: { items: [answer], totals, fees: [] } as never, atMs: AT_MS }).rows[0]
  }
  t.match(inputs('7 l', 'l'), { asks: { unit: 'l', sugar: true }, text: { measure: '7 l' } })
  t.match(inputs('7 g', 'l'), { text: { measure: '' } })
  t.match(inputs('7 g', ''), { asks: null, text: { measure: '7 g' } })
  t.match(inputs('', 'g'), { asks: { unit: 'g', sugar: false }, text: { measure: '' } })
})

const cellsOf = (state: Shipment, at = 0) => {
  const [head = [], ...lines] = rowsOut(state, { edition: '', version: 'v' })
  return Object.fromEntries((lines.at(at) ?? []).map((cell, i) => [head[i] as string, cell]))
}

t.test('an exported row has its status and codes', async t => {
  const out = (one: Row) => {
    const { status, candidates, hs_code, certainty, reason, corrected_from, tariff_rate } = cellsOf(shipment([one]))
    return [status, candidates, hs_code, certainty, reason, corrected_from, tariff_rate].join('|')
  }
  t.equal(out(row({ code: '0101' })), 'open|||open|||')
  t.equal(out(row({ words: 'tea' })), 'open|||open|||')
  t.equal(out(settled({}, '0101')), 'found||0101|given|||12')
  t.equal(
    out(row({ code: '9999' }, { resolved: resolved('9999', 'unknown', null, { nearest: '99' }) })),
    'unknown|99||unknown|||',
  )
  t.equal(out(settled({}, '0101', 1, { choice: choice('0102', 'proposal', '0101') })), 'corrected||0102|chosen||0101|5')
  t.equal(out(row({ words: 'x1' }, { choice: { ...choice('0102', 'typed'), rate: null } })), 'chosen||0102|chosen||(blank)|')
  const six = ['0901', '0902', '0903', '0904', '0905', '0906']
  t.equal(
    out(row({ words: 'tea' }, { classified: classified('choose', six) })),
    'proposed|0901 0902 0903 0904 0905||likely|words||',
  )
  t.equal(out(row({ words: 'tea' }, { classified: classified('unknown', []) })), 'unknown|||unknown|||')
  const compared = row(
    { code: '9999', words: 'tea' },
    { resolved: resolved('9999', 'unknown', null, { candidates: ['0901', '0907'] }), classified: classified('choose', ['0901']) },
  )
  t.equal(out(compared), 'proposed|0901 0907||likely|digit||'.replace('digit', correctionOf(compared)?.reason ?? ''))
})

t.test('an exported row has its amounts and the facts of the table', async t => {
  const state = estimated(
    shipment([settled({ value: '100', quantity: '7 l' }, '0101', 1), settled({ value: '1' }, '0102', 2), row({}, {}, 3)], {
      country: 'SA',
    }),
    id =>
      id === 1
        ? {
            ...estimate('0101', { goods_value: '90', freight: '8', insurance: '2', excise_amount: '3' }),
            origin: { country: 'CN' },
          }
        : { error: { code: 'invalid_value' } },
  )
  t.match(cellsOf(state), {
    origin: 'CN',
    value: '90',
    freight: '8',
    insurance: '2',
    cif_value: '100',
    currency: 'SAR',
    duty: '5',
    excise: '3',
    vat_rate: '15',
    excise_quantity: '7',
    excise_unit: 'l',
    error: '',
    destination: 'SA',
    edition: 'HS 2022',
    given_edition: 'HS 2022',
    dataset: 'v',
  })
  t.match(cellsOf(state, 1), { error: 'invalid_value', landed_cost: '', value: '' })
  t.match(cellsOf(state, -1), { status: 'total_incomplete', needs: 'rows 2', cif_value: '100' })
  t.equal(rowsOut(state, { edition: '', version: '' }).length, 4, 'an empty row is not exported')
  const common = estimated(shipment([settled({ value: '100' }, '0101')]), () => estimate('0101'))
  t.match(cellsOf(common), { destination: 'GCC', value: '100', freight: '', origin: '', currency: 'AED' })
  t.match(cellsOf(common, -1), { status: 'total', needs: '', fees: '0' })
  t.ok(rowsOut(common, { edition: 'HS 2028', version: '' })[1]?.includes('HS 2028'))
})

t.test('columns without names get names, and added columns never have the name of a pasted one', async t => {
  const names = (text: string) => rowsOut(pasted(text), { edition: '', version: '' })[0]?.slice(0, 3)
  t.equal(names('0101\n0102')?.[0], 'input')
  t.strictSame(names('0101\t5\n0102\t6')?.slice(0, 2), ['column_1', 'column_2'])
  const head = rowsOut(pasted('Item, HS_Code ,value\nTea,0101,5'), { edition: '', version: '' })[0] ?? []
  t.ok(head.includes('hs_code_2'))
  t.equal(head.length, 3 + ADDED.length)
  const typed = (field: 'quantity' | 'measure' | 'sugar' | 'words', text: string) => {
    const state = changed(pasted('item,quantity (kg)\nTea,5\nCoffee,6'), { type: 'edited', id: 1, field, text })
    return cellsOf(state)[`typed_${field}`]
  }
  t.equal(typed('quantity', '5 kg'), undefined, 'the unit comes from the heading and was not typed')
  t.equal(typed('quantity', '50 kg'), '50 kg')
  t.equal(typed('measure', '7 l'), '7 l')
  t.equal(typed('sugar', '9'), '9')
  t.equal(typed('words', ' Tea '), undefined)
})

t.test('the column of codes lines up with the pasted rows, including blank ones', async t => {
  const state = changed(pasted('0101\n\n0102\n0103'), { type: 'removed', id: 2 }, { type: 'added' }, { type: 'added' })
  const rows = state.rows.map(one =>
    one.text.code === '' ? one : { ...one, resolved: resolved(one.text.code, 'found', one.text.code) },
  )
  t.strictSame(codeColumn({ ...state, rows } as Shipment), ['0101', '', '0103'])
})

t.test('a link contains every kind of choice, and at most as many rows as can be read back', async t => {
  const line = row({ code: '0101', value: ' 5 ' }, { choice: choice('010121000000', 'line', '0101') })
  const back = unpack(pack(shipment([line], { freight: ' 7 ' })) ?? {})
  t.match(back?.rows[0], { id: 1, text: { value: '5' }, choice: { code: '010121000000', by: 'line', instead: '0101' } })
  t.match(back, { nextId: 2, terms: { freight: '7' } })
  t.equal(pack(EMPTY), null)
  const many = (count: number) => Array.from({ length: count }, (_, at) => row({ code: '1' }, {}, at + 1))
  t.ok(pack(shipment(many(500))))
  t.equal(pack(shipment(many(501))), null)
  t.equal(unpack({ rows: Array.from({ length: 501 }, () => '1').join('*') })?.rows.length, 500)
  t.equal(unpack({ rows: '0101_________x' })?.rows[0]?.choice, null)
})

t.test('stored results are used for at most a day; work of the former page keeps its chosen columns', async t => {
  const kept = shipment(
    [settled({}, '0101', 1, { choice: choice('0101', 'typed') }), settled({}, '0102', 2)],
    {},
    { askedMs: AT_MS },
  )
  const day = 24 * 3600_000
  t.equal(restored(kept, AT_MS + day).rows[0]?.choice?.rate, 5)
  t.match(restored(kept, AT_MS + day + 1), { askedMs: 0, rows: [{ choice: { rate: null } }, { choice: null, resolved: null }] })
  t.equal(restored({ ...kept, refusal: { kind: 'resolve', code: '', message: '', parameter: '' } }, AT_MS).refusal, null)
  const stored = { id: 'a', savedMs: 1, address: '', edition: '2012' }
  const read = (more: object) =>
    fromCheck({ ...stored, text: 'Tea,0101,0102\nTin,0103,0104', column: null, checked: null, ...more })
  t.equal(read({ column: 2 })?.rows[0]?.text.code, '0102')
  t.equal(read({})?.rows[0]?.text.code, '0101')
  t.equal(read({})?.terms.edition, '2012')
  t.match(read({ column: 1, words: 2 })?.rows[0]?.text, { code: '0101', words: '0102' })
})

const choose = (state: Shipment, id: number, code: string) =>
  changed(state, { type: 'chosen', id, code, description: description(code), rate: 7, by: 'typed' })

t.test('a change of edition removes results of codes, but keeps choices and results of rows with only words', async t => {
  const answers = { classified: classified('clear', ['0902']), steps: [['0902']], asks: { unit: 'l', sugar: false } }
  const state = shipment([
    settled({}, '0101', 1, answers),
    settled({}, '0102', 2, { choice: choice('0103', 'typed', '0102'), ...answers }),
    row({ words: 'tea' }, answers, 3),
  ])
  const [own, chosen, words] = changed(state, { type: 'terms', terms: { edition: '2017' } }).rows
  t.match(own, { resolved: null, classified: null, lines: null, steps: [], asks: null })
  t.match(chosen, { resolved: null, choice: { code: '0103', rate: 5 }, lines: 1, classified: answers.classified })
  t.equal(words, state.rows[2])
  t.equal(changed(state, { type: 'terms', terms: { edition: '' } }).rows, state.rows, 'choosing the same edition changes no row')
})

t.test(
  'a change of country removes results that depend on the country; the rate of a chosen code is requested again',
  async t => {
    const answers = { classified: classified('clear', ['0902']), asks: { unit: 'l', sugar: false } }
    const state = shipment(
      [settled({}, '0101', 1, answers), settled({}, '0102', 2, { choice: choice('0103', 'typed'), ...answers })],
      {
        country: 'SA',
        vat: '15',
      },
    )
    const moved = changed(state, { type: 'terms', terms: { country: 'KW', vat: '3' } })
    t.equal(moved.terms.vat, '3', 'the VAT rate was set together with the country')
    t.match(moved.rows[0], { resolved: null, lines: null, classified: null, asks: null, choice: null })
    t.match(moved.rows[1], { choice: { code: '0103', rate: null }, lines: null })
    t.equal(changed(state, { type: 'country', country: 'SA' }).rows, state.rows, 'choosing the same country changes no row')
  },
)

t.test('a choice stores the original code of the row; if it is undone, the row uses that code again', async t => {
  const state = shipment([settled({}, '0101', 1, { lines: 1, resolved: resolved('0101', 'found', '0101', { lines: 4 }) })])
  const once = choose(state, 1, '0102')
  t.match(once.rows[0], { choice: { code: '0102', instead: '0101', rate: 7 }, lines: null, asks: null })
  const twice = choose(once, 1, '0103')
  t.match(twice.rows[0]?.choice, { code: '0103', instead: '0101' })
  t.match(changed(twice, { type: 'undone', id: 1 }).rows[0], { choice: null, lines: 4 })
  t.equal(changed(state, { type: 'undone', id: 1 }).rows[0], state.rows[0], 'a row without a choice stays as it is')
  const unrated = { ...candidate('0104'), tariff_rate: Number.NaN }
  t.equal(changed(state, { type: 'accepted', id: 1, candidate: unrated as never }).rows[0]?.choice?.rate, null)
})

t.test('all proposals that are clear are accepted, and no others', async t => {
  const rows = [
    row({ words: 'tea' }, { classified: classified('clear', ['0902', '0903']) }, 1),
    row({ words: 'coffee' }, { classified: classified('choose', ['0901']) }, 2),
    row({ code: '0101' }, { resolved: resolved('0101', 'unknown', null, { candidates: ['0102'] }) }, 3),
  ]
  t.strictSame(
    changed(shipment(rows), { type: 'acceptedClear' }).rows.map(one => one.choice?.code ?? null),
    ['0902', null, null],
  )
})

t.test('each answer to a question is a step; the words are then classified again, and the last step can be undone', async t => {
  const start = shipment([row({ words: 'tea' }, { classified: classified('ask', ['0902']) })])
  const first = changed(start, { type: 'answeredQuestion', id: 1, codes: ['0902', '0903'] })
  t.match(first.rows[0], { steps: [['0902', '0903']], classified: null })
  t.match(nextAsk(first, 9), { body: { items: [{ text: 'tea', within: ['0902', '0903'] }], limit: 5 } })
  const second = changed(first, { type: 'answeredQuestion', id: 1, codes: ['090210'] })
  t.match(nextAsk(second, 9), { body: { items: [{ within: ['090210'] }], level: 12, limit: 20 } })
  const answeredNow = {
    ...second,
    rows: second.rows.map(one => ({ ...one, classified: classified('clear', ['0902']) })),
  } as Shipment
  t.match(changed(answeredNow, { type: 'unanswered', id: 1 }).rows[0], { steps: [['0902', '0903']], classified: null })
})

t.test('a code that was looked up has its number of lines, 0 if it is unknown; a chosen code gets its description', async t => {
  const state = shipment([row({ code: '0101' }, {}, 1), row({ code: '9999' }, {}, 2)])
  const ask = nextAsk(state, 9)
  if (ask?.kind !== 'resolve') throw new Error('codes come first')
  const answers = [resolved('0101', 'found', '0101', { lines: 3 }), resolved('9999', 'unknown', null, { lines: 8 })] as never[]
  const done = reduce(state, { type: 'resolved', ask, answers, atMs: AT_MS })
  t.strictSame(
    done.rows.map(({ lines }) => lines),
    [3, 0],
  )
  const chosen = choose(done, 2, '0102')
  const again = nextAsk(chosen, 9)
  if (again?.kind !== 'resolve') throw new Error('the lines of the chosen code were not requested')
  const one = [resolved('0102', 'found', '0102', { lines: 2 })] as never[]
  t.match(reduce(chosen, { type: 'resolved', ask: again, answers: one, atMs: AT_MS }).rows[1], {
    lines: 2,
    resolved: { status: 'unknown' },
    choice: { code: '0102', rate: 12, description: description('0102') },
  })
})

t.test(
  'a request has at most 200 codes, or as many other rows as the API accepts, and never more than the given number',
  async t => {
    const many = (of: (i: number) => Row) =>
      shipment(
        Array.from({ length: 260 }, (_, i) => of(i)),
        { country: 'SA' },
      )
    const kinds = {
      resolve: many(i => row({ code: String(100_000 + i) }, {}, i + 1)),
      classify: many(i => row({ words: `goods ${i}` }, {}, i + 1)),
      estimate: many(i => settled({ value: String(i + 1) }, '0101', i + 1)),
    }
    const max = { resolve: 200, classify: CLASSIFY_ITEMS_MAX, estimate: INVOICE_ITEMS_MAX }
    for (const kind of ['resolve', 'classify', 'estimate'] as const) {
      t.equal(nextAsk(kinds[kind], 1_000)?.kind, kind)
      t.equal(nextAsk(kinds[kind], 1_000)?.keys.length, max[kind])
      t.equal(nextAsk(kinds[kind], 7)?.keys.length, 7)
      t.equal(nextAsk(kinds[kind], 0), null)
    }
  },
)

t.test('added tables keep their headings, and rows that were left out are reported', async t => {
  const heading = (first: string, second: string) =>
    changed(pasted(first), { type: 'pasted', ...readTable(second), isAdded: true }).source?.header
  t.strictSame(heading('item,code,size\nTea,0902,L', 'item,code,colour\nTin,8001,red'), ['item', 'code', 'size', 'colour'])
  t.strictSame(heading('0101\t5\n0102\t6', 'HS code\tSize\n0103\tL'), ['HS code', '', 'Size'])
  t.equal(heading('0101\n0102', '0103\n0104'), null)
  const cut = { ...readTable('0101\n0102'), isCut: true }
  t.ok(changed(pasted('0103\n0104'), { type: 'pasted', ...cut, isAdded: true }).source?.isCut)
  t.ok(
    changed(changed(EMPTY, { type: 'pasted', ...cut, isAdded: false }), { type: 'pasted', ...readTable('01'), isAdded: true })
      .source?.isCut,
  )
})

t.test('clearing the work keeps the country and the texts printed on a quote', async t => {
  const state = shipment(
    [settled({}, '0101')],
    { country: 'SA', freight: '5', currency: 'USD' },
    { quote: { ...EMPTY.quote, from: 'us' } },
  )
  t.strictSame(reduce(state, { type: 'cleared' }), {
    ...EMPTY,
    terms: { ...EMPTY.terms, country: 'SA' },
    quote: { ...EMPTY.quote, from: 'us' },
  })
})
