/**
 * The state of the shipment page and the events that change it. One row goes from text to code to declarable line to duty.
 * Nothing here knows elements or the network.
 */
import type { Candidate, Classified, InvoiceItemError, Resolved, TariffEstimate } from '../../../answers/shapes.js'
import type { Exact, ExactEstimate } from '../estimate/shipment.js'

/** What a column of a pasted table may hold. */
export const ROLES = ['words', 'code', 'value', 'quantity', 'origin', 'sku'] as const
export type Role = (typeof ROLES)[number]
/** The column of each role; -1 if the table has none. */
export type Columns = Readonly<Record<Role, number>>

/** A pasted table or file, kept so that columns can be corrected and exports have every cell. */
export interface Source {
  /** The first row if it names the columns, otherwise null; it is not among the cells. */
  readonly header: readonly string[] | null
  readonly cells: readonly (readonly string[])[]
  readonly columns: Columns
  /** Rows beyond the limit were left out. */
  readonly isCut: boolean
}

/** What a visitor can type into a row. `measure` is the quantity in the unit of an excise, with its unit, such as `792 l`. */
export const FIELDS = ['words', 'code', 'value', 'quantity', 'origin', 'measure', 'sugar', 'sku'] as const
export type Field = (typeof FIELDS)[number]
export type RowText = Readonly<Record<Field, string>>

/** A code and why the row has it. */
export interface Choice {
  readonly code: string
  readonly description: Candidate['description']
  /** Null if it is not known for the chosen country. */
  readonly rate: number | null
  /** `proposal`: accepted from the words. `typed`: typed or searched for in the row. `line`: chosen among the lines. */
  readonly by: 'proposal' | 'typed' | 'line'
  /** What the row had before, '' for nothing. */
  readonly instead: string
}

export interface Row {
  /** Stable while the page is open: rows are drawn and answered by it. */
  readonly id: number
  /** Index in `source.cells`, or null for a row that was typed. */
  readonly at: number | null
  readonly text: RowText
  /** What the code of the row is today; null until asked, or if the row has no code. */
  readonly resolved: Resolved | null
  /** What the words say; null until asked. */
  readonly classified: Classified | null
  /** Answers to the questions about the words: the codes that each answer left. */
  readonly steps: readonly (readonly string[])[]
  readonly choice: Choice | null
  /** Number of lines at or below the row's code (see `codeOf`); null until the code is looked up. */
  readonly lines: number | null
  /** What excise in this country asks for, known once the row was estimated. */
  readonly asks: { readonly unit: string; readonly sugar: boolean } | null
  /** The last estimate. It counts only while `key` is what would be asked for now: use `estimateOf`. */
  readonly estimate: { readonly key: string; readonly answer: RowEstimate | InvoiceItemError } | null
}

/** Amounts are text with every digit. With a country an estimate has more than without. */
export type RowEstimate = Exact<TariffEstimate> & {
  readonly calculation: Partial<ExactEstimate['calculation']>
} & Partial<Pick<ExactEstimate, 'charges' | 'rounded' | 'warnings' | 'not_included' | 'origin' | 'excise_inputs'>>

export type ExactCharge = ExactEstimate['charges'][number]

/** Charged once for the whole shipment, on its customs value. */
export interface Fees {
  /** As with a row's estimate. */
  readonly key: string
  readonly charges: readonly ExactCharge[]
  /** VAT on the fees. */
  readonly vat: string
}

/** What holds for the whole shipment, as typed. */
export interface Terms {
  readonly country: string
  /** '' until an amount or the visitor decides; then it does not change by itself. */
  readonly currency: string
  readonly vat: string
  readonly freight: string
  readonly insurance: string
  readonly origin: string
  /** Edition of the pasted codes. */
  readonly edition: string
}

/** Printed on a quote; kept in the browser only. */
export interface Quote {
  readonly reference: string
  readonly from: string
  readonly to: string
  /** A small image as a data address, '' for none. */
  readonly logo: string
}

export interface Shipment {
  readonly source: Source | null
  readonly rows: readonly Row[]
  readonly nextId: number
  readonly terms: Terms
  readonly quote: Quote
  readonly fees: Fees | null
  /** When the oldest answer came; 0 if there is none. */
  readonly askedMs: number
  /** The API refused this kind of question as a whole; the visitor's next change clears it. */
  readonly refusal: Refusal | null
  /** Words are compared with the codes of the rows only if the visitor wants it: each comparison counts as a request. */
  readonly isComparing: boolean
  /** The rows came from a link and were not changed yet: they replace no work. */
  readonly isLink: boolean
}

/** In the order in which they are asked. */
export type Kind = 'resolve' | 'classify' | 'estimate' | 'fees'

export interface Refusal {
  readonly kind: Kind
  readonly code: string
  readonly message: string
  /** The parameter at fault, such as `vat_rate`; '' if none is named. */
  readonly parameter: string
}

/** What a row still lacks, most urgent first. */
export type Need = 'code' | 'line' | 'value' | 'measure' | 'sugar'

/** Why another code is proposed than the one that the row has. */
export type Reason = 'edition' | 'digit' | 'separators' | 'better' | 'words'
