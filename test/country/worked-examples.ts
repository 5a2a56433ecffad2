/**
 * Shipments whose figures were derived by hand from the sources, not with the program. Every example has a fixed day, so that
 * the result does not change with time or with a new list of rates.
 */
import { AE } from './worked/ae.js'
import { BH } from './worked/bh.js'
import { KW } from './worked/kw.js'
import { OM } from './worked/om.js'
import { QA } from './worked/qa.js'
import { SA } from './worked/sa.js'

export type Certainty = 'published' | 'general' | 'reported' | 'uncertain'

/** Amounts and rates are compared as the text of the answer, because a number could lose digits. */
export interface WorkedExample {
  goods: string
  /** The parameters of the request in addition to `country` and `as_of`. */
  query: Readonly<Record<string, string>>
  /** The day of the estimate; 2026-11-17 by default. */
  asOf?: string
  list: string
  /** Customs value (CIF): goods, freight and insurance. */
  value: string
  duty: readonly [rate: string, amount: string, certainty: Certainty]
  excise?: readonly [amount: string, certainty: Certainty]
  fee?: readonly [amount: string, certainty: Certainty]
  vat: readonly [rate: string, amount: string, certainty: Certainty]
  total: string
  landed: string
  threshold?: readonly [below: string, vat: 'charged' | 'free' | 'none', certainty: Certainty]
  /** Texts that `warnings` or `not_included` must contain. */
  mentions?: readonly string[]
  /** Texts that neither `warnings` nor `not_included` may contain. */
  doesNotMention?: readonly string[]
  derivation: readonly string[]
}

export const WORKED_EXAMPLES: Readonly<Record<string, readonly WorkedExample[]>> = { AE, SA, BH, OM, QA, KW }
