/** What is sent for an invoice, and what comes back, matched with its rows. */
import type { InvoiceItemError, InvoiceRequest, TariffEstimate } from '../../../answers/shapes.js'
import type { Charge } from '../data/api.js'
import { type Exact, type ExactEstimate, isInputMissing, type Needs, readExact } from '../estimate/shipment.js'
import type { Words } from '../shared/language.js'
import { sharesOf } from '../text/decimals.js'
import { type Item, type Problem, type RowText, splitMeasure } from './invoice-text.js'

/** With a country it has more than without. */
export type RowEstimate = Exact<TariffEstimate> & {
  readonly calculation: Partial<ExactEstimate['calculation']>
} & Partial<Pick<ExactEstimate, 'charges' | 'rounded' | 'warnings' | 'not_included' | 'origin' | 'excise_inputs'>>

export type Outcome =
  | { kind: 'problem'; problem: Problem }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'good'; estimate: RowEstimate }

/** A row that is not blank, by its place in the table. */
export interface Line {
  at: number
  text: RowText
  /** Null where the row could not be read. */
  item: Item | null
  outcome: Outcome | null
  /** Of the code, once they are known. */
  description: Words | null
}

export interface Terms {
  country: string
  currency: string
  /** '' for the country's own. */
  vat: string
  /** Of the whole invoice; '' where nothing is written. */
  freight: string
  insurance: string
  /** Of rows that name none. */
  origin: string
}

const given = (parts: Record<string, string>) => Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== ''))

export interface InvoiceBody extends InvoiceRequest {
  readonly currency: string
}

const EXACT = { include: ['exact'] } as const

/** Freight and insurance are shared out by value. Excise takes a quantity in its own unit only, which `needs` has by code. */
export function requestBody(items: readonly Item[], terms: Terms, needs: ReadonlyMap<string, Needs>): InvoiceBody {
  const { country, currency, vat, freight, insurance, origin } = terms
  const vatRate = vat === '' ? {} : { vat_rate: Number(vat) }
  if (country === '')
    return {
      ...EXACT,
      currency,
      include_vat: true,
      ...vatRate,
      items: items.map(({ code, value }) => ({ hs_code: code, value })),
    }
  const weights = items.map(({ value }) => value)
  const shares = (total: string) => (total === '' ? items.map(() => '') : sharesOf(total, weights))
  const [freights, insurances] = [shares(freight), shares(insurance)]
  const rows = items.map((item, at) => {
    const { unit = '', sugar: needsSugar = false } = needs.get(item.code) ?? {}
    const [amount, ownUnit] = splitMeasure(item.excise)
    const isMeasured = unit !== '' && unit === ownUnit
    return {
      hs_code: item.code,
      value: item.value,
      ...given({
        freight: freights[at] as string,
        insurance: insurances[at] as string,
        origin: item.origin || origin,
        quantity: isMeasured ? amount : '',
        unit: isMeasured ? unit : '',
        sugar: needsSugar ? item.sugar : '',
      }),
    }
  })
  return { ...EXACT, country, currency, ...vatRate, items: rows }
}

export type Totals = Exact<TariffEstimate['calculation']> & Partial<Record<'excise_amount' | 'fees_amount', string>>

export interface InvoiceAnswer {
  items: readonly (RowEstimate | InvoiceItemError)[]
  /** Rounded as the currency is where the API rounds them. */
  totals: Totals
  /** With every digit. */
  exact: Totals
  fees: readonly Exact<Charge>[]
}

export function readAnswer(text: string): InvoiceAnswer {
  const { items, totals, rounded, fees } = readExact<unknown>(text) as unknown as InvoiceAnswer & { rounded?: Totals }
  return { items, totals: rounded ?? totals, exact: totals, fees: fees ?? [] }
}

export const outcomeOf = (one: RowEstimate | InvoiceItemError): Outcome =>
  'error' in one ? { kind: 'refused', code: one.error.code, message: one.error.message } : { kind: 'good', estimate: one }

export const estimatesOf = (lines: readonly Line[]): RowEstimate[] =>
  lines.flatMap(({ outcome }) => (outcome?.kind === 'good' ? [outcome.estimate] : []))

/** Whether excise is not in the amounts because its quantity or sugar was not given. */
export const lacksExcise = ({ excise_inputs, not_included = [] }: RowEstimate) =>
  Boolean(excise_inputs) && not_included.some(isInputMissing)

export interface CalculatedInvoice {
  country: string
  currency: string
  lines: readonly Line[]
  answer: InvoiceAnswer
  /** '' where the rows do not fit into one. */
  link: string
}
