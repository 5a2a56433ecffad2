/** Reads an estimate from the API's text: exact amounts, the fields that excise needs, a fee's minimum. */
import type { Charge, CountryEstimate } from '../data/api.js'

/** The same type with numbers as text. */
export type Exact<T> = T extends number
  ? string
  : T extends string | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Exact<Item>[]
      : { readonly [Name in keyof T]: Exact<T[Name]> }

export type ExactEstimate = Exact<CountryEstimate>
export type ExactCharge = Exact<Charge>

/**
 * Parses the data of an answer. Amounts are exact if the request had `include=exact`; they stay text, because a float would
 * round large ones.
 */
export function readExact<T = CountryEstimate>(text: string): Exact<T> {
  return (JSON.parse(text, (_, part) => (typeof part === 'number' ? String(part) : withExact(part))) as { data: Exact<T> }).data
}

interface WithExact {
  exact?: Readonly<Record<string, string>>
  calculation?: object
  totals?: object
  charges?: readonly ExactCharge[]
}

/** Replaces the rounded amounts of an estimate or an invoice with those in its field `exact`. */
function withExact(part: unknown): unknown {
  const { exact, calculation, totals, charges } = (part ?? {}) as WithExact
  if (exact === undefined) return part
  // `exact` has no amount for each fee, only their sum
  const exactCharge = (charge: ExactCharge) =>
    charge.kind === 'fee' ? charge : { ...charge, amount: exact[FIGURE_OF[charge.kind]] }
  return {
    ...(part as object),
    ...(calculation && { calculation: { ...calculation, ...exact } }),
    ...(totals && { totals: { ...totals, ...exact } }),
    ...(charges && { charges: charges.map(exactCharge) }),
  }
}

/** The name of a charge's amount in `calculation`. */
export const FIGURE_OF = { duty: 'import_duty_amount', excise: 'excise_amount', fee: 'fees_amount', vat: 'vat_amount' }

/** The fields that excise needs. */
export interface Needs {
  /** '' if no quantity is needed. */
  unit: string
  sugar: boolean
}

export const NO_NEEDS: Needs = { unit: '', sugar: false }

export function needsOf({ excise_inputs: inputs }: Pick<ExactEstimate, 'excise_inputs'>): Needs {
  return { unit: inputs?.unit ?? '', sugar: inputs?.sugar ?? false }
}

export type WithMinimum = Pick<ExactCharge, 'rate' | 'amount'> & { readonly minimum?: string | null }

/** The minimum of a charge if it was charged instead of the rate, otherwise null. */
export function appliedMinimum({ amount, minimum = null }: WithMinimum): string | null {
  return minimum !== null && Number(minimum) === Number(amount) ? minimum : null
}

/** Whether a charge is left out because the quantity or the sugar was not given. */
export const isInputMissing = ({ code }: { code: string }) => code === 'excise_needs_quantity' || code === 'excise_needs_sugar'
