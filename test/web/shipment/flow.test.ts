/** From text to code to duty, with the planner's requests answered by a real server. */
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { estimateOf, isGood, totalsOf } from '../../../src/web/app/shipment/estimate-request.js'
import { nextAsk } from '../../../src/web/app/shipment/plan.js'
import { certaintyOf, clearRows, codeOf, correctionOf, needsOf } from '../../../src/web/app/shipment/row.js'
import type { Row, Shipment } from '../../../src/web/app/shipment/state.js'
import { placesOf } from '../../../src/web/app/text/amounts.js'
import { sumOf } from '../../../src/web/app/text/decimals.js'
import { openService } from '../../support/service.js'
import { changed, type Post, pasted, run } from './support.js'

const TABLE = [
  'item,hs code,unit',
  'Smartphones,8517.13,pcs',
  'Magnetic stripe key cards,010121,pcs',
  'Magnetic tapes and disks,852351,kg',
  'هواتف ذكية جوال موبايل,,l',
  'Old phones,851712,pcs',
].join('\n')

async function server(t: Test): Promise<Post> {
  const { post, auth } = await openService(t)
  return async (path, body) => {
    const { status, text } = await post(path, body, auth)
    return { status, text }
  }
}

const rowAt = ({ rows }: Shipment, at: number) => rows[at] as Row
const codes = ({ rows }: Shipment) => rows.map(codeOf)

t.test('dotted codes, codes without their zero and older codes are looked up; each correction has its reason', async t => {
  const post = await server(t)
  const text = '8517.13\n10121\n010121\n851712\n8517130000\nnothing\n8.5171E+11\n851713'
  const { state, asks } = await run(pasted(text), post)
  t.strictSame(codes(state), ['851713', '010121', '010121', null, '85171300', null, null, '851713'])
  t.strictSame(
    state.rows.map(row => correctionOf(row)?.reason ?? ''),
    ['separators', 'digit', '', 'edition', 'separators', '', '', ''],
  )
  t.match(correctionOf(rowAt(state, 0)), { isApplied: true, candidate: { hs_code: '851713' } })
  t.match(correctionOf(rowAt(state, 3)), { isApplied: false })
  t.equal(asks.filter(({ kind }) => kind === 'resolve').length, 1)
  t.ok(
    asks.every(ask => ask.kind !== 'resolve' || new Set(ask.body.codes).size === ask.body.codes.length),
    'the same code is requested only once',
  )
  const older = await run(pasted('852310', { edition: '2017' }), post)
  t.strictSame(codes(older.state), ['852329'])
  t.equal(correctionOf(rowAt(older.state, 0))?.reason, 'edition')
  t.equal(certaintyOf(rowAt(older.state, 0)), 'given')
})

t.test(
  'rows without a code are classified, others only on request; clear proposals are accepted together and can be undone',
  async t => {
    const post = await server(t)
    const first = await run(pasted(TABLE), post)
    t.strictSame(
      first.asks.filter(({ kind }) => kind === 'classify').map(({ keys }) => keys.length),
      [1],
      'one row has no code',
    )
    const { state } = await run(changed(first.state, { type: 'compare', isComparing: true }), post)
    t.strictSame(state.rows.map(certaintyOf), ['agrees', 'contradicts', 'doubtful', 'sure', 'likely'])
    t.strictSame(
      state.rows.map(row => correctionOf(row)?.reason),
      ['separators', 'better', 'better', 'words', 'edition'],
    )
    t.strictSame(codes(state), ['851713', '010121', '852351', null, null], 'nothing is accepted by itself')
    const clear = clearRows(state)
    const accepted = changed(state, { type: 'acceptedClear' })
    t.strictSame(
      accepted.rows.filter(({ choice }) => choice !== null).map(({ id }) => id),
      clear.map(({ row }) => row.id),
      'exactly the rows that were shown are accepted',
    )
    t.strictSame(
      clear.map(({ row }) => row.id),
      [2, 3, 4],
      'the successor of an old code is likely, not clear',
    )
    t.equal(rowAt(accepted, 1).choice?.instead, '010121')
    t.strictSame(codes(changed(accepted, { type: 'undoneAll' })), codes(state))
    const one = changed(accepted, { type: 'undone', id: rowAt(accepted, 1).id })
    t.equal(codeOf(rowAt(one, 1)), '010121')
    t.not(rowAt(one, 3).choice, null)
    const settled = await run(accepted, post)
    t.ok(
      settled.state.rows.every(({ lines }) => lines !== null),
      'the lines below accepted codes are loaded',
    )
    t.ok(settled.asks.every(({ kind }) => kind === 'resolve'))
  },
)

t.test('a question is answered in the row; below a subheading, lines are proposed', async t => {
  const post = await server(t)
  const { state } = await run(pasted('magnetic cards\nsmartphone'), post)
  const { id } = rowAt(state, 0)
  const heading = changed(state, { type: 'answeredQuestion', id, codes: ['8523'] })
  const ask = nextAsk(heading, 10)
  t.match(ask, { kind: 'classify', body: { items: [{ within: ['8523'] }] } })
  t.notOk(ask?.kind === 'classify' && 'level' in ask.body)
  const within = await run(heading, post)
  t.ok(rowAt(within.state, 0).classified?.candidates.every(({ hs_code }) => hs_code.startsWith('8523')))
  const lines = changed(within.state, { type: 'answeredQuestion', id, codes: ['852321'] })
  t.match(nextAsk(lines, 10), { kind: 'classify', body: { level: 12, items: [{ within: ['852321'] }] } })
  const back = changed(lines, { type: 'unanswered', id })
  t.match(nextAsk(back, 10), { body: { items: [{ within: ['8523'] }] } })
})

t.test('after a change of edition and country, choices stay and get the new rates; amounts keep their currency', async t => {
  const post = await server(t)
  const text = 'item,code,value\nMagnetic stripe key cards,010121,100\nSmartphones,851713,5'
  const compared = await run(changed(pasted(text), { type: 'compare', isComparing: true }), post)
  const [first] = compared.state.rows
  const candidate = correctionOf(first as Row)?.candidate
  if (first === undefined || candidate === undefined) throw new Error('nothing was proposed')
  const accepted = await run(changed(compared.state, { type: 'accepted', id: first.id, candidate }), post)
  t.equal(codeOf(rowAt(accepted.state, 0)), '852321')
  t.equal(rowAt(accepted.state, 0).choice?.rate, 5)
  t.equal(accepted.state.terms.currency, 'AED')
  const moved = changed(accepted.state, { type: 'country', country: 'SA' }, { type: 'terms', terms: { edition: '2017' } })
  t.equal(codeOf(rowAt(moved, 0)), '852321')
  t.equal(rowAt(moved, 0).choice?.rate, null, 'the rate of another country is not shown')
  t.equal(rowAt(moved, 0).choice?.instead, '010121')
  t.equal(moved.terms.currency, 'AED')
  const again = await run(moved, post)
  t.equal(rowAt(again.state, 0).choice?.rate, 20)
  t.equal(codeOf(rowAt(again.state, 0)), '852321')
  t.ok(again.asks.every(ask => ask.kind !== 'resolve' || ask.body.country === 'SA'))
  t.match(again.asks[0]?.body, { country: 'SA' })
  const editions = again.asks.flatMap(ask => (ask.kind === 'resolve' ? [[ask.body.codes, ask.body.edition]] : []))
  t.strictSame(
    editions,
    [
      [['852321'], '2022'],
      [['851713'], '2017'],
    ],
    'a chosen code is looked up in the current edition',
  )
})

t.test('a late answer to an earlier request changes nothing', async t => {
  const post = await server(t)
  const before = pasted('code,value\n851713,100\n0101,50')
  const ask = nextAsk(before, 10)
  if (ask?.kind !== 'resolve') throw new Error('codes come first')
  const { text } = await post('/api/v1/resolve', ask.body)
  const event = { type: 'resolved' as const, ask, answers: JSON.parse(text).data, atMs: 1 }
  const edited = changed(before, { type: 'edited', id: 1, field: 'code', text: '0102' })
  const after = changed(edited, event)
  t.equal(rowAt(after, 0).resolved, null)
  t.equal(codeOf(rowAt(after, 1)), '0101')
  const elsewhere = changed(before, { type: 'country', country: 'SA' }, event)
  t.ok(elsewhere.rows.every(({ resolved }) => resolved === null))
})

t.test('rows add up to totals, with freight, two origins and fees charged once; an incomplete total names its rows', async t => {
  const post = await server(t)
  const text =
    'item,code,value,qty,origin\nHorses,0101.29.10,"1,000",,\nDiscs,852321,2000.333,3,Switzerland\nPhones,851713,50,,CN\nCattle,010221,900,"2,400",\nOdd,zzz,10,,\nCards,852321,0.07,,'
  for (const country of ['SA', 'AE', '']) {
    const { state } = await run(pasted(text, { country, freight: '305', insurance: '9.99' }), post)
    const total = totalsOf(state)
    if (total === null) throw new Error('no totals')
    t.strictSame(total.left.includes(5), true, 'the row without a code is left out')
    t.notOk(total.isComplete)
    checkSum(t, state)
  }
  const { state } = await run(pasted(text, { country: 'SA' }), post)
  t.ok(needsOf(rowAt(state, 3), state).includes('measure'), '2,400 cans are not litres')
  t.strictSame(totalsOf(state)?.left, [4, 5])
  const measured = changed(
    state,
    { type: 'edited', id: rowAt(state, 3).id, field: 'measure', text: '792 l' },
    { type: 'edited', id: rowAt(state, 3).id, field: 'sugar', text: '9' },
    { type: 'removed', id: rowAt(state, 4).id },
  )
  t.notOk(totalsOf(measured)?.isComplete, 'the total is incomplete until the changed row is requested')
  const whole = await run(measured, post)
  t.strictSame(
    whole.asks.map(({ kind, keys }) => [kind, keys.length]),
    [['estimate', 1]],
    'only the changed row is requested: its customs value is the same, so the fees are, too',
  )
  t.equal(totalsOf(whole.state)?.rows.get(rowAt(whole.state, 3).id)?.excise_amount, '863.28', '792 litres at 1.09')
  t.ok(totalsOf(whole.state)?.isComplete)
  const withoutFees = { ...whole.state, fees: null }
  t.equal(nextAsk(withoutFees, 1)?.kind, 'fees')
  t.equal(nextAsk(withoutFees, 0), null, 'nothing is asked if the quota is used up')
  t.ok(totalsOf(changed(whole.state, { type: 'added' }))?.isComplete, 'an empty row is not goods')
  checkSum(t, whole.state)
})

t.test('a row whose line is not chosen yet is in the total, which stays incomplete and names the row', async t => {
  const post = await server(t)
  const { state } = await run(pasted('code,value\n010121,100\n0101,50', { country: 'SA' }), post)
  t.match(totalsOf(state), { isComplete: false, left: [], undecided: [2] })
  t.equal(totalsOf(state)?.rows.size, 2)
})

/** Checks that rows and columns add up, to the last unit of the currency. */
function checkSum(t: Test, state: Shipment): void {
  const total = totalsOf(state)
  if (total === null) throw new Error('no totals')
  const rows = [...total.rows.values()]
  const sum = (texts: readonly string[]) => Number(sumOf(texts))
  for (const name of ['declared_value', 'import_duty_amount', 'excise_amount'] as const)
    t.equal(sum(rows.map(row => row[name])), Number(total[name]), name)
  t.equal(sum([...rows.map(row => row.vat_amount), total.feesVat]), Number(total.vat_amount))
  t.equal(sum([...rows.map(row => row.landed_cost), total.fees_amount, total.feesVat]), Number(total.landed_cost))
  t.equal(
    sum([total.declared_value, total.import_duty_amount, total.excise_amount, total.fees_amount, total.vat_amount]),
    Number(total.landed_cost),
  )
  for (const row of rows)
    for (const amount of Object.values(row)) t.ok((amount.split('.')[1]?.length ?? 0) <= placesOf(total.currency))
}

t.test('amounts are the same whether they are requested in small parts or all at once', async t => {
  const post = await server(t)
  const text = `code;value;origin\n${Array.from({ length: 40 }, (_, i) => `${i % 3 === 0 ? '852321' : '0101.29.10'};${100 + i}.2551;${i % 5 === 0 ? 'CN' : ''}\n`).join('')}`
  const start = pasted(text, { country: 'SA', freight: '77.7' })
  const whole = await run(start, post)
  t.equal(whole.asks.filter(({ path }) => path === 'tariff/calculate').length, 1, 'all rows fit into one request')
  let asked = 0
  const pieces = await run(start, post, () => [3, 7, 1, 12][asked++ % 4] as number)
  t.ok(pieces.asks.filter(({ kind }) => kind === 'estimate').length > 3)
  t.strictSame(totalsOf(pieces.state), totalsOf(whole.state))
  const answer = await post('/api/v1/tariff/calculate', whole.asks.find(({ kind }) => kind === 'estimate')?.body)
  const { rounded } = JSON.parse(answer.text).data
  const total = totalsOf(whole.state)
  for (const name of ['declared_value', 'import_duty_amount', 'vat_amount', 'fees_amount', 'landed_cost'] as const)
    t.equal(Number(total?.[name]), rounded[name], `${name} is rounded as by the API`)
  checkSum(t, whole.state)
})

t.test('for any pasted table, the planner never requests more than the quota allows, and comes to an end', async t => {
  const post = await server(t)
  const cell = fc.constantFrom(
    '851713',
    '8517.12',
    '0101',
    'x',
    '',
    'magnetic cards',
    'هاتف',
    '<b>tea</b>',
    '99999',
    '10121',
    '12',
    '$5',
  )
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 })
  const room = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(table, room, fc.constantFrom('', 'SA', 'KW'), fc.boolean(), async (rows, rooms, country, isComparing) => {
      let at = 0
      const asked: number[] = []
      const next = () => {
        asked.push(rooms[at++ % rooms.length] as number)
        return asked.at(-1) as number
      }
      const start = pasted(rows.map(row => row.join('\t')).join('\n'), { country })
      const { state, asks } = await run(changed(start, { type: 'compare', isComparing }), post, next)
      const kept = asks.every(({ keys }, i) => keys.length <= (asked[i] as number))
      const again = nextAsk(state, 100)
      return kept && again === null && nextAsk(state, 0) === null
    }),
    { numRuns: 40 },
  )
})

t.test('a quantity is not sent if its unit is not that of the excise', async t => {
  const post = await server(t)
  const { state, asks } = await run(pasted('code,value,qty\n010221,900,500 g\n0101,50,3', { country: 'SA' }), post)
  t.notMatch(JSON.stringify(asks.map(({ body }) => body)), '"unit"')
  t.ok(needsOf(rowAt(state, 0), state).includes('measure'))
  const litres = await run(pasted('code,value,qty\n010221,900,500 l\n0101,50,3', { country: 'SA' }), post)
  t.match(JSON.stringify(litres.asks.map(({ body }) => body)), '"quantity":"500","unit":"l"')
  t.notOk(needsOf(rowAt(litres.state, 0), litres.state).includes('measure'))
})

t.test('a better code that is not clear is not accepted together with clear proposals', async t => {
  const one = (hs_code: string) => ({
    hs_code,
    description: { en: hs_code, ar: '' },
    level: 6,
    tariff_rate: 5,
    score: 0.9,
    matched: [],
  })
  const { state } = await run(pasted('item,code\nCards,851713\nHorses,0101'), await server(t))
  const classified = (first: string): Shipment => ({
    ...state,
    rows: state.rows.map(row => ({
      ...row,
      classified: {
        text: row.text.words,
        status: 'clear' as const,
        candidates: [one(first)],
        question: null,
        verdict: { status: 'doubtful' as const, against: [one('852321')] },
      },
    })),
  })
  t.strictSame(clearRows(classified('851713')), [])
  t.equal(clearRows(classified('852321')).length, 2)
})

t.test('a request that is refused as a whole is not repeated until something changes', async t => {
  const state = pasted('a title of goods')
  t.equal(nextAsk(state, 5)?.kind, 'classify')
  const refusal = { kind: 'classify', code: 'invalid_parameter', message: '', parameter: 'items' } as const
  const refused = changed(state, { type: 'refused', refusal })
  t.equal(nextAsk(refused, 5), null)
  t.equal(nextAsk(changed(refused, { type: 'edited', id: 1, field: 'words', text: 'other goods' }), 5)?.kind, 'classify')
})

t.test('if the estimate of one row is refused, the row says why and is left out of the total', async t => {
  const post = await server(t)
  const { state } = await run(pasted('code,value\n851713,100\n0101,0.001'), post)
  const answer = estimateOf(rowAt(state, 1), state)
  t.match(answer, { error: { code: 'invalid_value' } })
  t.ok(answer !== null && !isGood(answer))
  t.strictSame(totalsOf(state)?.left, [2])
})
