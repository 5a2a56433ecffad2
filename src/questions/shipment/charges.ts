/**
 * Every charge of an estimate, with the amount that it is charged on, the source of its rate, and the certainty of that
 * source.
 */
import { type Amount, Decimal, decimal } from '../../catalog/amount.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CountryView } from '../../catalog/countries.js'
import type { LandedCost } from '../../catalog/landed-cost.js'
import type { Bilingual, TaxUnit } from '../../snapshot/country-format.js'
import type { ExciseCharge } from './excise.js'
import type { FeeCharge } from './fees.js'
import type { Preference } from './preference.js'
import type { VatTerms } from './vat.js'

export interface Charge {
  kind: 'duty' | 'excise' | 'fee' | 'vat'
  /** Name of the agreement, goods or fee; null if the kind alone identifies the charge. */
  name: Bilingual | null
  /** Percent of `basis`; null for an amount per unit and for a flat fee. */
  rate: Decimal | null
  /** Amount in the declared currency for each `unit` of `basis`. */
  unitAmount: Decimal | null
  unit: TaxUnit | null
  /** Lower and upper limit of the amount, in the declared currency; null if there is none. */
  minimum: Decimal | null
  maximum: Decimal | null
  basis: Decimal
  amount: Decimal
  /** Null if the caller chose the rate. */
  source: string | null
  certainty: string | null
  /** Date of the record in the source, or of its entry into force; null if the source has none. */
  date: string | null
}

interface ChargeTerms {
  dutyRate: string
  preference: Preference | undefined
  excise: ExciseCharge | undefined
  fees: readonly FeeCharge[]
  vat: VatTerms
}

const NO_LIMITS = { minimum: null, maximum: null }
const PLAIN = { unitAmount: null, unit: null, ...NO_LIMITS }

export function chargesOf(catalog: Catalog, view: CountryView, record: number, cost: LandedCost, terms: ChargeTerms): Charge[] {
  const { country } = view
  const charges: Charge[] = [dutyCharge(catalog, view, record, cost, terms)]
  if (terms.excise !== undefined) charges.push(exciseCharge(view, terms.excise, cost))
  for (const [i, fee] of terms.fees.entries()) charges.push(feeCharge(view, fee, cost.customsValue, cost.feeAmounts[i]))
  const { row, rate, isFromCaller } = terms.vat
  const from = row ?? country.meta.vat
  const since = row?.since ?? country.meta.vat.date
  const vat = { kind: 'vat' as const, name: row?.goods ?? null, rate, ...PLAIN, basis: cost.vatBase, amount: cost.vatAmount }
  charges.push(
    isFromCaller
      ? { ...vat, source: null, certainty: null, date: null }
      : { ...vat, source: country.source(from.source), certainty: from.certainty, date: since || null },
  )
  return charges
}

function dutyCharge(
  catalog: Catalog,
  view: CountryView,
  record: number,
  cost: LandedCost,
  { dutyRate, preference }: ChargeTerms,
): Charge {
  const amounts = { rate: new Decimal(dutyRate), ...PLAIN, basis: cost.customsValue, amount: cost.dutyAmount }
  const applied = preference?.isFree ? preference.applied : undefined
  if (applied !== undefined) {
    const { agreement, certainty } = applied
    const source = catalog.countries.originSource(agreement.source)
    return { kind: 'duty', name: agreement.name, ...amounts, source, certainty, date: agreement.inForce || null }
  }
  const rule = view.ruleOf(record)
  // lines that are prohibited or whose rate is unknown have the rate of the common tariff
  if (rule?.status === 'allowed')
    return { kind: 'duty', name: null, ...amounts, source: rule.source, certainty: rule.certainty, date: rule.date }
  const common = catalog.rateOf(record).source
  return {
    kind: 'duty',
    name: null,
    ...amounts,
    source: common?.source ?? null,
    certainty: common?.certainty ?? null,
    date: common?.date ?? null,
  }
}

function exciseCharge({ country }: CountryView, { row, terms }: ExciseCharge, cost: LandedCost): Charge {
  const isByValue = terms.by === 'value'
  return {
    kind: 'excise',
    name: row.goods,
    rate: isByValue ? decimal(terms.rate) : null,
    unitAmount: isByValue ? null : decimal(terms.amount),
    unit: isByValue || row.unit === '' ? null : row.unit,
    ...NO_LIMITS,
    basis: cost.exciseBase,
    amount: cost.exciseAmount,
    source: country.source(row.source),
    certainty: row.certainty,
    date: row.since || null,
  }
}

export function feeCharge({ country }: CountryView, { row, terms }: FeeCharge, basis: Amount, amount: Decimal): Charge {
  return {
    kind: 'fee',
    name: row.name,
    ...PLAIN,
    rate: orNull(terms.rate),
    minimum: orNull(terms.minimum),
    maximum: orNull(terms.maximum),
    basis: decimal(basis),
    amount,
    source: country.source(row.source),
    certainty: row.certainty,
    date: row.since || null,
  }
}

const orNull = (amount: Amount | undefined): Decimal | null => (amount === undefined ? null : decimal(amount))
