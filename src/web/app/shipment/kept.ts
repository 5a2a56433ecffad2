/** The visitor's shipments that this browser stores, and stored work of the former check and invoice pages. */
import type { Candidate } from '../../../answers/shapes.js'
import { type Stored, WorkStore } from '../data/work-store.js'
import { readTable } from './read-table.js'
import { EMPTY, NO_TEXT, newRow, reduce } from './reduce.js'
import type { Row, Shipment } from './state.js'

export interface Work extends Stored {
  shipment: Shipment
  /** The visitor has stopped the requests; they do not resume by themselves. */
  isStopped?: boolean
  /** The status by which the table is filtered; '' for all. */
  only?: string
}

/** Rates change with the dataset, so older results are requested again. */
const RESULTS_MS = 24 * 3600_000

export const works = new WorkStore<Work>({ database: 'hsapi-shipment', store: 'shipment', tab: 'hsapi-shipment' })

const withoutAnswers = (row: Row): Row => ({
  ...row,
  resolved: null,
  classified: null,
  lines: null,
  asks: null,
  estimate: null,
  choice: row.choice && { ...row.choice, rate: null },
})

/** Prepares stored work for display: keeps choices and drops old answers. */
export function restored(shipment: Shipment, nowMs: number): Shipment {
  // EMPTY supplies the fields that are missing in work stored by an earlier version
  const whole = { ...EMPTY, ...shipment, refusal: null }
  const isOld = whole.askedMs !== 0 && nowMs - whole.askedMs > RESULTS_MS
  return isOld ? { ...whole, rows: whole.rows.map(withoutAnswers), fees: null, askedMs: 0 } : whole
}

/** Work stored by the former check page. */
export interface CheckWork extends Stored {
  text: string
  column: number | null
  words?: number | null
  edition: string
  checked: {
    text: string
    column: number
    words?: number
    edition: string
    country: string
    accepted?: ReadonlyMap<number, Pick<Candidate, 'hs_code' | 'description'> & { tariff_rate: number | null }>
  } | null
}

/** Null if the work is empty. */
export function fromCheck({ text, column, words, edition, checked }: CheckWork): Shipment | null {
  const { cells, isCut } = readTable(checked?.text ?? text)
  if (cells.length === 0) return null
  const terms = { ...EMPTY.terms, edition: checked?.edition ?? edition, country: checked?.country ?? '' }
  const read = reduce({ ...EMPTY, terms }, { type: 'pasted', cells, isCut, isAdded: false })
  const { source } = read
  if (source === null) return null
  const columns = {
    ...source.columns,
    code: checked?.column ?? column ?? source.columns.code,
    words: checked?.words ?? words ?? source.columns.words,
  }
  const chosen = cells[0]?.length === 1 ? read : reduce(read, { type: 'columns', columns })
  const accepted = checked?.accepted ?? new Map()
  const rows = chosen.rows.map(row => {
    const one = row.at === null ? undefined : accepted.get(row.at)
    if (one === undefined) return row
    const choice = { code: one.hs_code, description: one.description, rate: one.tariff_rate, by: 'proposal' as const }
    return { ...row, choice: { ...choice, instead: row.text.code } }
  })
  return { ...chosen, rows }
}

/** Work stored by the former invoice page. */
export interface InvoiceWork extends Stored {
  rows: readonly Readonly<Partial<Record<'code' | 'value' | 'quantity' | 'origin' | 'sugar' | 'excise', string>>>[]
  terms: Readonly<Partial<Record<'currency' | 'vat' | 'freight' | 'insurance' | 'origin', string>>>
  country: string
}

/** Null if the work is empty. */
export function fromInvoice({ rows, terms, country }: InvoiceWork): Shipment | null {
  if (rows.length === 0) return null
  const made = rows.map(({ excise = '', ...text }, at) => newRow(at + 1, null, { ...NO_TEXT, ...text, measure: excise }))
  return { ...EMPTY, rows: made, nextId: made.length + 1, terms: { ...EMPTY.terms, ...terms, country } }
}

export interface Offer {
  shipment: Shipment
  savedMs: number
}

const OFFERED = 'hsapi-former-work'

/** Work stored by the former pages, latest first; none after `settleFormer` was called in this browser. */
export async function formerWorks(): Promise<Offer[]> {
  try {
    if (localStorage.getItem(OFFERED) !== null) return []
  } catch {
    return []
  }
  const checks = new WorkStore<CheckWork>({ database: 'hsapi', store: 'check', tab: 'hsapi-check' })
  const invoices = new WorkStore<InvoiceWork>({ database: 'hsapi-invoice', store: 'invoice', tab: 'hsapi-invoice' })
  const [checked, invoiced] = await Promise.all([checks.others(), invoices.others()])
  const offers = [
    ...checked.map(work => ({ shipment: fromCheck(work), savedMs: work.savedMs })),
    ...invoiced.map(work => ({ shipment: fromInvoice(work), savedMs: work.savedMs })),
  ]
  return offers.filter((one): one is Offer => one.shipment !== null).sort((a, b) => b.savedMs - a.savedMs)
}

/**
 * Call this when the visitor has opened or declined the work of the former pages, so that it is not offered again. It stays
 * stored, in case the visitor pressed the wrong button.
 */
export function settleFormer(): void {
  try {
    localStorage.setItem(OFFERED, 'settled')
  } catch {}
}
