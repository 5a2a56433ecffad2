/** The visitor's invoices, which this browser keeps. */

import { type Stored, WorkStore } from '../data/work-store.js'
import type { TermTexts } from './invoice-terms.js'
import type { RowText } from './invoice-text.js'

export interface Work extends Stored {
  rows: readonly RowText[]
  terms: TermTexts
  /** Whether the visitor chose the currency; otherwise it is the destination's until an amount is entered. */
  isCurrencyChosen: boolean
  country: string
  /** The last answer, as long as nothing has changed since. */
  answer: { atMs: number; text: string } | null
}

export const works = new WorkStore<Work>({ database: 'hsapi-invoice', store: 'invoice', tab: 'hsapi-invoice' })
