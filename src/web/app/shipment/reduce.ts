/**
 * All changes to a shipment. Answers are matched to rows by their question, so an answer that arrives too late changes nothing.
 */
import type { Candidate, Classified, InvoiceItemError, Resolved } from '../../../answers/shapes.js'
import { currencyOf as currencyOfCountry } from '../data/country.js'
import { allCurrencies, readAmount } from '../text/amounts.js'
import { sumOf } from '../text/decimals.js'
import { recognise, sourceOf, textOf } from './columns.js'
import { asked, feesKey, feesQuestion, isGood } from './estimate-request.js'
import { type Ask, classifyKey, resolveKey } from './plan.js'
import { isBlank, ROWS_MAX } from './read-table.js'
import { clearRows, givenCode } from './row.js'
import {
  type Choice,
  type Columns,
  type ExactCharge,
  FIELDS,
  type Field,
  type Quote,
  type Refusal,
  ROLES,
  type Role,
  type Row,
  type RowEstimate,
  type RowText,
  type Shipment,
  type Source,
  type Terms,
} from './state.js'

/** An estimate's answer as `readAnswer` returns it. */
export interface EstimateAnswer {
  readonly items: readonly (RowEstimate | InvoiceItemError)[]
  /** Amounts with every digit. */
  readonly totals: { readonly declared_value: string; readonly vat_amount: string }
  readonly fees: readonly ExactCharge[]
}

/** Changes by the visitor. */
type Change =
  /** `isAdded`: adds rows after the existing ones instead of replacing them. */
  | { type: 'pasted'; cells: readonly (readonly string[])[]; isCut: boolean; isAdded: boolean }
  | { type: 'columns'; columns: Columns }
  /** Whether the first row of the table names the columns. */
  | { type: 'header'; hasHeader: boolean }
  | { type: 'edited'; id: number; field: Field; text: string }
  | { type: 'added' }
  | { type: 'removed'; id: number }
  | { type: 'accepted'; id: number; candidate: Candidate }
  | { type: 'acceptedClear' }
  | { type: 'undone'; id: number }
  | { type: 'undoneAll' }
  /** A code that the visitor found by searching in the row, or one of the lines below its code. */
  | { type: 'chosen'; id: number; code: string; description: Candidate['description']; rate: number | null; by: 'typed' | 'line' }
  | { type: 'answeredQuestion'; id: number; codes: readonly string[] }
  /** Undoes the last answer. */
  | { type: 'unanswered'; id: number }
  | { type: 'terms'; terms: Partial<Terms> }
  | { type: 'quote'; quote: Partial<Quote> }
  | { type: 'compare'; isComparing: boolean }

type Answered =
  | { type: 'resolved'; ask: Extract<Ask, { kind: 'resolve' }>; answers: readonly Resolved[]; atMs: number }
  | { type: 'classified'; ask: Extract<Ask, { kind: 'classify' }>; answers: readonly Classified[]; atMs: number }
  | { type: 'estimated'; ask: Extract<Ask, { kind: 'estimate' | 'fees' }>; answer: EstimateAnswer; atMs: number }
  /** The API has refused a whole question. */
  | { type: 'refused'; refusal: Refusal }

type Whole =
  | { type: 'cleared' }
  /** Stored work, or rows of a link (`isLink`). */
  | { type: 'restored'; shipment: Shipment }
  /** The country became known, or was chosen outside the shipment. This does not count as a change by the visitor. */
  | { type: 'country'; country: string }

export type Event = Change | Answered | Whole

export const NO_TEXT = Object.fromEntries(FIELDS.map(field => [field, ''])) as RowText
export const NO_TERMS: Terms = { country: '', currency: '', vat: '', freight: '', insurance: '', origin: '', edition: '' }
export const NO_QUOTE: Quote = { reference: '', from: '', to: '', logo: '' }

export const EMPTY: Shipment = {
  source: null,
  rows: [],
  nextId: 1,
  terms: NO_TERMS,
  quote: NO_QUOTE,
  fees: null,
  askedMs: 0,
  refusal: null,
  isComparing: false,
  isLink: false,
}

export const newRow = (id: number, at: number | null, text: RowText): Row => ({
  id,
  at,
  text,
  resolved: null,
  classified: null,
  steps: [],
  choice: null,
  lines: null,
  asks: null,
  estimate: null,
})

const hasAmounts = ({ rows, terms }: Shipment) =>
  [terms.freight, terms.insurance, ...rows.map(({ text }) => text.value)].some(text => text.trim() !== '')

/** The currency in the rows; '' if the rows name no currency or several. */
function currencyNamed(rows: readonly Row[]): string {
  const named = new Set<string>()
  for (const { text } of rows) {
    const reading = readAmount(text.value, 'USD', allCurrencies())
    if (reading.kind === 'amount' && reading.currency !== null) named.add(reading.currency)
  }
  const [only = '', second] = named
  return second === undefined ? only : ''
}

/** The first amount determines the currency; after that only the visitor changes it. */
function withCurrency(state: Shipment): Shipment {
  const { terms } = state
  if (terms.currency !== '' || !hasAmounts(state)) return state
  return { ...state, terms: { ...terms, currency: currencyNamed(state.rows) || currencyOfCountry(terms.country) } }
}

const withRow = (state: Shipment, id: number, change: (row: Row) => Row): Shipment => ({
  ...state,
  rows: state.rows.map(row => (row.id === id ? change(row) : row)),
})

/** Drops results that depend on the changed fields. A chosen code stays unless the row's own code has changed. */
function withText(row: Row, text: RowText): Row {
  const isCode = text.code !== row.text.code
  const isWords = text.words !== row.text.words
  if (!isCode && !isWords) return { ...row, text }
  const changed = { ...row, text, classified: null, steps: [] }
  return isCode ? { ...changed, resolved: null, choice: null, lines: null, asks: null } : changed
}

/** The rows of goods of a table. A blank line stays in the table but is not a row of goods. */
function rowsOf(source: Source, firstId: number): Row[] {
  const rows: Row[] = []
  for (const [at, cells] of source.cells.entries())
    if (!isBlank(cells)) rows.push(newRow(firstId + rows.length, at, textOf(cells, source)))
  return rows
}

function pasted(state: Shipment, { cells, isCut, isAdded }: Extract<Event, { type: 'pasted' }>): Shipment {
  const before = isAdded ? state : { ...EMPTY, terms: state.terms, quote: state.quote, nextId: state.nextId }
  const all = sourceOf(cells, isCut)
  const room = Math.max(0, ROWS_MAX - before.rows.length)
  const read = { ...all, cells: all.cells.slice(0, room), isCut: isCut || all.cells.length > room }
  const source = before.source === null ? read : merged(before.source, read)
  const from = source.cells.length - read.cells.length
  const rows = rowsOf(read, before.nextId).map(row => ({ ...row, at: (row.at as number) + from }))
  // existing amounts keep their currency
  const named = hasAmounts(before) ? '' : currencyNamed(rows)
  return {
    ...before,
    source,
    rows: [...before.rows, ...rows],
    nextId: before.nextId + rows.length,
    terms: named === '' ? before.terms : { ...before.terms, currency: named },
  }
}

/** Merges two tables: columns of the same role become one, others are appended. */
function merged(before: Source, added: Source): Source {
  const widthOf = ({ header, cells }: Source) => Math.max(header?.length ?? 0, ...cells.map(row => row.length))
  const width = widthOf(before)
  let end = width
  const columns: Record<string, number> = { ...before.columns }
  const place = Array.from({ length: widthOf(added) }, () => -1)
  for (const role of ROLES) {
    const at = added.columns[role]
    if (at < 0 || place[at] !== -1) continue
    if ((columns[role] as number) < 0) columns[role] = end++
    // one earlier column may have two roles, such as words and codes, but takes only one of the added columns
    place[at] = place.includes(columns[role] as number) ? end++ : (columns[role] as number)
  }
  for (const [at, to] of place.entries()) if (to === -1) place[at] = end++
  const moved = (row: readonly string[]) => {
    const made = Array.from({ length: end }, () => '')
    for (const [at, cell] of row.entries()) made[place[at] as number] = cell
    return made
  }
  const names = added.header && moved(added.header)
  const header =
    before.header === null && names === null
      ? null
      : Array.from(
          { length: end },
          (_, at) => before.header?.[at] || (at >= width || before.header === null ? names?.[at] : '') || '',
        )
  return {
    header,
    cells: [...before.cells, ...added.cells.map(moved)],
    columns: columns as unknown as Columns,
    isCut: before.isCut || added.isCut,
  }
}

/**
 * Reads the fields of changed columns again. A quantity or value is also read again if its heading or the column of currencies
 * now states something else about it. Other fields keep their typed values.
 */
function withSource(state: Shipment, source: Source): Shipment {
  const before = state.source
  const isOther = (role: Role) => source.columns[role] !== before?.columns[role]
  const fields: Field[] = ROLES.flatMap(role => (role !== 'currency' && isOther(role) ? role : []))
  const rows = state.rows.map(row => {
    const cells = row.at === null ? undefined : source.cells[row.at]
    if (cells === undefined) return row
    const read = textOf(cells, source)
    const was = before && textOf(cells, before)
    const stated = (['quantity', 'value'] as const).filter(field => was?.[field] !== read[field])
    // a column that mixed words and codes had filled both fields
    const isBoth = fields.includes('words') || fields.includes('code')
    const again = new Set<Field>([...fields, ...stated, ...(isBoth ? (['words', 'code'] as const) : [])])
    return withText(row, { ...row.text, ...Object.fromEntries([...again].map(field => [field, read[field]])) })
  })
  return { ...state, source, rows }
}

/** Makes the first row of the table its heading, or a row of goods. */
function withHeader(state: Shipment, hasHeader: boolean): Shipment {
  const { source } = state
  if (source === null || (source.header !== null) === hasHeader) return state
  if (source.header !== null) {
    const all = [source.header, ...source.cells]
    const first = newRow(state.nextId, 0, NO_TEXT)
    const later = state.rows.map(row => (row.at === null ? row : { ...row, at: row.at + 1 }))
    const { columns } = recognise(all, false)
    const next: Source = { ...source, header: null, cells: all, columns }
    const rows = isBlank(source.header) ? later : [{ ...first, text: textOf(source.header, next) }, ...later]
    return withSource({ ...state, rows, nextId: state.nextId + 1 }, next)
  }
  const at = source.cells.findIndex(row => !isBlank(row))
  const header = source.cells[at]
  if (header === undefined) return state
  const rows = state.rows.filter(row => row.at !== at).map(row => (row.at === null ? row : { ...row, at: row.at - at - 1 }))
  const { columns } = recognise(source.cells, true)
  return withSource({ ...state, rows }, { ...source, header, cells: source.cells.slice(at + 1), columns })
}

const choiceOf = (row: Row, { hs_code, description, tariff_rate }: Candidate, by: Choice['by']): Choice => ({
  code: hs_code,
  description,
  rate: Number.isNaN(tariff_rate) ? null : tariff_rate,
  by,
  instead: row.choice?.instead ?? givenCode(row),
})

/** Drops results that belong to the previous code. */
const withChoice = (row: Row, choice: Choice): Row => ({ ...row, choice, lines: null, asks: null })

function withoutChoice(row: Row): Row {
  if (row.choice === null) return row
  return { ...row, choice: null, lines: row.resolved?.lines ?? null, asks: null }
}

/** Rates depend on the country, so the rates of chosen codes and of open proposals are requested again. */
function inCountry(state: Shipment, country: string): Shipment {
  if (country === state.terms.country) return state
  // amounts keep their currency, even if it is the previous destination's; the VAT rate becomes the new destination's
  const { terms } = withCurrency(state)
  const rows = state.rows.map(row => ({
    ...row,
    resolved: null,
    lines: null,
    classified: null,
    asks: null,
    choice: row.choice && { ...row.choice, rate: null },
  }))
  return { ...state, rows, terms: { ...terms, country, vat: '' } }
}

/** Codes of another edition have other meanings. Chosen codes are current ones, so they stay. */
function inEdition(state: Shipment, edition: string): Shipment {
  if (edition === state.terms.edition) return state
  const rows = state.rows.map(row => {
    if (givenCode(row) === '') return row
    if (row.choice !== null) return { ...row, resolved: null }
    return { ...row, resolved: null, lines: null, classified: null, steps: [], asks: null }
  })
  return { ...state, rows, terms: { ...state.terms, edition } }
}

function withTerms(state: Shipment, terms: Partial<Terms>): Shipment {
  const { country = state.terms.country, edition = state.terms.edition, ...others } = terms
  const moved = inEdition(inCountry(state, country), edition)
  return { ...moved, terms: { ...moved.terms, ...others } }
}

function changed(state: Shipment, event: Change): Shipment {
  switch (event.type) {
    case 'pasted':
      return pasted(state, event)
    case 'columns':
      return state.source === null ? state : withSource(state, { ...state.source, columns: event.columns })
    case 'header':
      return withHeader(state, event.hasHeader)
    case 'edited':
      return withRow(state, event.id, row => withText(row, { ...row.text, [event.field]: event.text }))
    case 'added':
      return { ...state, rows: [...state.rows, newRow(state.nextId, null, NO_TEXT)], nextId: state.nextId + 1 }
    case 'removed':
      return { ...state, rows: state.rows.filter(({ id }) => id !== event.id) }
    case 'accepted':
      return withRow(state, event.id, row => withChoice(row, choiceOf(row, event.candidate, 'proposal')))
    case 'acceptedClear': {
      const clear = new Map(clearRows(state).map(({ row, candidate }) => [row.id, candidate]))
      const accept = (row: Row, candidate = clear.get(row.id)) =>
        candidate === undefined ? row : withChoice(row, choiceOf(row, candidate, 'proposal'))
      return { ...state, rows: state.rows.map(row => accept(row)) }
    }
    case 'undone':
      return withRow(state, event.id, withoutChoice)
    case 'undoneAll':
      return { ...state, rows: state.rows.map(withoutChoice) }
    case 'chosen': {
      const { code, description, rate, by } = event
      return withRow(state, event.id, row =>
        withChoice(row, { code, description, rate, by, instead: row.choice?.instead ?? givenCode(row) }),
      )
    }
    case 'answeredQuestion':
      return withRow(state, event.id, row => ({ ...row, steps: [...row.steps, event.codes], classified: null }))
    case 'unanswered':
      return withRow(state, event.id, row => ({ ...row, steps: row.steps.slice(0, -1), classified: null }))
    case 'terms':
      return withTerms(state, event.terms)
    case 'quote':
      return { ...state, quote: { ...state.quote, ...event.quote } }
    case 'compare':
      return { ...state, isComparing: event.isComparing }
  }
}

function resolved(row: Row, answer: Resolved): Row {
  const lines = answer.hs_code === null ? 0 : answer.lines
  if (row.choice === null) return { ...row, resolved: answer, lines }
  const { record } = answer
  const words = record && { description: record.description, rate: record.tariff_rate }
  return { ...row, lines, choice: { ...row.choice, ...words } }
}

/** Assigns answers to the rows that still have the same question. */
function matched<A>(
  state: Shipment,
  ask: Ask,
  answers: readonly A[],
  keyOf: (row: Row) => string,
  take: (row: Row, answer: A) => Row,
) {
  const byKey = new Map(ask.keys.map((key, at) => [key, answers[at]]))
  const rows = state.rows.map(row => {
    const answer = byKey.get(keyOf(row))
    return answer === undefined ? row : take(row, answer)
  })
  return { ...state, rows }
}

function estimated(row: Row, key: string, answer: RowEstimate | InvoiceItemError): Row {
  const inputs = isGood(answer) ? answer.excise_inputs : null
  const asks = inputs ? { unit: inputs.unit, sugar: Boolean(inputs.sugar) } : null
  // a number typed for another unit is no longer valid
  const unit = row.text.measure.slice(row.text.measure.lastIndexOf(' ') + 1)
  const isOther = row.text.measure !== '' && asks !== null && asks.unit !== unit
  return { ...row, estimate: { key, answer }, asks, text: isOther ? { ...row.text, measure: '' } : row.text }
}

/** Every answer has fees; they are used if the request was for the customs value of the whole shipment. */
function withFees(state: Shipment, ask: Extract<Ask, { kind: 'estimate' | 'fees' }>, answer: EstimateAnswer): Shipment {
  const wanted = feesQuestion(state)
  if (wanted === null) return state
  const good = answer.items.filter(isGood)
  const { items, ...body } = ask.body
  const isAbout =
    ask.kind === 'fees' ? ask.keys[0] === wanted.key : feesKey(body as never, answer.totals.declared_value) === wanted.key
  if (!isAbout) return state
  if (good.length === 0) return { ...state, fees: { key: wanted.key, charges: [], vat: '0' } }
  const onRows = good.map(({ calculation }) => `-${calculation.vat_amount}`)
  return { ...state, fees: { key: wanted.key, charges: answer.fees, vat: sumOf([answer.totals.vat_amount, ...onRows]) } }
}

function answered(state: Shipment, event: Answered): Shipment {
  if (event.type === 'refused') return { ...state, refusal: event.refusal }
  const { ask, atMs } = event
  const asOf = { ...state, askedMs: state.askedMs || atMs }
  switch (event.type) {
    case 'resolved':
      return matched(asOf, ask, event.answers, row => resolveKey(row, state), resolved)
    case 'classified':
      return matched(
        asOf,
        ask,
        event.answers,
        row => classifyKey(row, state),
        (row, classified) => ({ ...row, classified }),
      )
    case 'estimated': {
      if (event.ask.kind === 'fees') return withFees(asOf, event.ask, event.answer)
      const items = asked(state)?.items
      const keyOf = (row: Row) => items?.get(row.id)?.key ?? ''
      const next = matched(asOf, ask, event.answer.items, keyOf, (row, answer) => estimated(row, keyOf(row), answer))
      return withFees(next, event.ask, event.answer)
    }
  }
}

export function reduce(state: Shipment, event: Event): Shipment {
  switch (event.type) {
    case 'cleared':
      return { ...EMPTY, terms: { ...NO_TERMS, country: state.terms.country }, quote: state.quote }
    case 'restored':
      return event.shipment
    case 'country':
      return { ...inCountry(state, event.country), refusal: null }
    case 'resolved':
    case 'classified':
    case 'estimated':
    case 'refused':
      return answered(state, event)
    default:
      return { ...withCurrency(changed(state, event)), refusal: null, isLink: false }
  }
}
