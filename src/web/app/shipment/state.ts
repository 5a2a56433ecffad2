/**
 * The state of the shipment page and the events that change it. A row goes from text to code, to declarable line, to duty. This
 * file uses neither the DOM nor the network.
 */
import type { Candidate, Classified, InvoiceItemError, Resolved, TariffEstimate } from '../../../answers/shapes.js'
import type { Exact, ExactEstimate } from '../estimate/shipment.js'

/** The roles that a column of a pasted table may have. */
export const ROLES = ['words', 'code', 'value', 'quantity', 'origin', 'sku', 'currency'] as const
export type Role = (typeof ROLES)[number]
/** The column of each role; -1 if the table has none. */
export type Columns = Readonly<Record<Role, number>>

/** A pasted table or file. It is kept so that the roles of columns can be corrected and exports include every cell. */
export interface Source {
  /** The first row if it is a heading, otherwise null; it is not part of `cells`. */
  readonly header: readonly string[] | null
  readonly cells: readonly (readonly string[])[]
  readonly columns: Columns
  /** Whether rows beyond the limit were left out. */
  readonly isCut: boolean
}

/** The fields of a row that a visitor can fill in. `measure` is the quantity for excise with its unit, such as `792 l`. */
export const FIELDS = ['words', 'code', 'value', 'quantity', 'origin', 'measure', 'sugar', 'sku'] as const
export type Field = (typeof FIELDS)[number]
export type RowText = Readonly<Record<Field, string>>

/** A code and why the row has it. */
export interface Choice {
  readonly code: string
  readonly description: Candidate['description']
  /** Null if unknown for the chosen country. */
  readonly rate: number | null
  /** `proposal`: proposed and accepted. `typed`: typed or searched for in the row. `line`: chosen among the lines. */
  readonly by: 'proposal' | 'typed' | 'line'
  /** The row's code before the choice; '' for none. */
  readonly instead: string
}

export interface Row {
  /** Stable while the page is open: it identifies the row for rendering and for answers. */
  readonly id: number
  /** Index in `source.cells`, or null for a row that was typed. */
  readonly at: number | null
  readonly text: RowText
  /** The API's reading of the row's code; null until requested, or if the row has no code. */
  readonly resolved: Resolved | null
  /** The classifier's answer for the words; null until requested. */
  readonly classified: Classified | null
  /** The visitor's answers to questions about the words: the codes that remained after each answer. */
  readonly steps: readonly (readonly string[])[]
  readonly choice: Choice | null
  /** Number of lines at or below the row's code (see `codeOf`); null until the code is looked up. */
  readonly lines: number | null
  /** The inputs that excise in this country needs; known after the first estimate of the row. */
  readonly asks: { readonly unit: string; readonly sugar: boolean } | null
  /** The last estimate. It is valid only while `key` equals the current request: use `estimateOf`. */
  readonly estimate: { readonly key: string; readonly answer: RowEstimate | InvoiceItemError } | null
}

/** Amounts are text with every digit. An estimate for a country has more fields. */
export type RowEstimate = Exact<TariffEstimate> & {
  readonly calculation: Partial<ExactEstimate['calculation']>
} & Partial<Pick<ExactEstimate, 'charges' | 'rounded' | 'warnings' | 'not_included' | 'origin' | 'excise_inputs'>>

export type ExactCharge = ExactEstimate['charges'][number]

/** The fees, which are charged once for the whole shipment, on its customs value. */
export interface Fees {
  /** Identifies the request, as in a row's estimate. */
  readonly key: string
  readonly charges: readonly ExactCharge[]
  /** VAT on the fees. */
  readonly vat: string
}

/** Fields of the whole shipment, as typed. */
export interface Terms {
  readonly country: string
  /** '' until set by an amount or by the visitor; after that it does not change by itself. */
  readonly currency: string
  readonly vat: string
  readonly freight: string
  readonly insurance: string
  readonly origin: string
  /** Edition of the pasted codes. */
  readonly edition: string
}

/** Texts and logo of a printed quote, kept in the browser only. */
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
  /** The time of the oldest answer; 0 if there is none. */
  readonly askedMs: number
  /** Set if the API has refused a whole question, not only a row; the visitor's next change clears it. */
  readonly refusal: Refusal | null
  /** Whether the visitor wants words to be compared with the codes of the rows; each comparison counts as a request. */
  readonly isComparing: boolean
  /** Whether the rows come from a link and have not been changed: then they do not replace stored work. */
  readonly isLink: boolean
}

/** Kinds of questions, in the order in which they are sent. */
export type Kind = 'resolve' | 'classify' | 'estimate' | 'fees'

export interface Refusal {
  readonly kind: Kind
  readonly code: string
  readonly message: string
  /** The parameter at fault, such as `vat_rate`; '' if none is named. */
  readonly parameter: string
}

/** What is still missing in a row, most urgent first. */
export type Need = 'code' | 'line' | 'value' | 'measure' | 'sugar'

/** Why a code is proposed that differs from the row's. */
export type Reason = 'edition' | 'digit' | 'separators' | 'better' | 'words'
