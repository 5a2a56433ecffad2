/**
 * Shipments whose figures were derived by hand from the sources, not with the program. Every example names a day, so that neither
 * a later list nor the clock changes it.
 */
import { AE } from './worked/ae.js'
import { BH } from './worked/bh.js'
import { KW } from './worked/kw.js'
import { OM } from './worked/om.js'
import { QA } from './worked/qa.js'
import { SA } from './worked/sa.js'

export type Certainty = 'published' | 'general' | 'reported' | 'uncertain'

/** Amounts and rates are the text of the answer: reading them as doubles would hide a digit. */
export interface WorkedExample {
  goods: string
  /** The parameters of the request in addition to `country` and `as_of`. */
  query: Readonly<Record<string, string>>
  /** 2026-11-17 unless the example is about another day. */
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
  /** Fragments of `warnings` and `not_included`. */
  mentions?: readonly string[]
  /** Fragments that must not occur in either. */
  doesNotMention?: readonly string[]
  derivation: readonly string[]
}

export const WORKED_EXAMPLES: Readonly<Record<string, readonly WorkedExample[]>> = { AE, SA, BH, OM, QA, KW }
