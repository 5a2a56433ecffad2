/** The fees that certainly apply to a declaration, in the declared currency. */
import { Decimal } from '../../catalog/amount.js'
import type { FeeTerms } from '../../catalog/landed-cost.js'
import type { CountryFee, CountryMeta } from '../../snapshot/country-format.js'
import { type LeftOut, leftOut } from '../../warnings.js'
import type { ToDeclared } from './excise.js'

export interface FeeCharge {
  row: CountryFee
  terms: FeeTerms
}

export interface Fees {
  charges: FeeCharge[]
  notIncluded: LeftOut[]
}

export function feesFor(meta: CountryMeta, rows: readonly CountryFee[], currency: string, toDeclared: ToDeclared): Fees {
  const fees: Fees = { charges: [], notIncluded: [] }
  for (const row of rows) {
    const terms = termsOf(row, toDeclared)
    if (row.applies === 'perhaps') fees.notIncluded.push(leftOut('fee_may_apply', row, meta.currency))
    else if (terms === undefined) fees.notIncluded.push(leftOut('fee_needs_currency', row, currency))
    else fees.charges.push({ row, terms })
  }
  return fees
}

function termsOf({ rate, amount, minimum, maximum }: CountryFee, toDeclared: ToDeclared): FeeTerms | undefined {
  const written = [amount, minimum, maximum]
  const [flat, least, most] = written.map(text => (text === '' ? undefined : toDeclared(new Decimal(text))))
  if (written.some((text, i) => text !== '' && [flat, least, most][i] === undefined)) return undefined
  return { rate: rate === '' ? undefined : new Decimal(rate), amount: flat, minimum: least, maximum: most }
}
