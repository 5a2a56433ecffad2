/** Estimates as plain values. HTTP writes the same estimates as bytes; a test compares the two. */
import { amountText } from '../catalog/amount.js'
import type { Catalog } from '../catalog/catalog.js'
import type { Tariff } from '../catalog/tariff.js'
import { type Estimate, notesOf, vatRateText } from '../questions/tariff.js'
import type { Calculation, ExactAmounts, TariffEstimate } from './shapes.js'

/** The calculation, with decimals as text, because JavaScript numbers may lose digits. */
export type ExactCalculation = { readonly [Name in keyof Calculation]: string }

export type ExactEstimate = Omit<TariffEstimate, 'calculation' | 'exact'> & { readonly calculation: ExactCalculation }

export function exactEstimate(catalog: Catalog, answer: Estimate): ExactEstimate {
  const { record, currency, amounts } = answer
  return {
    hs_code: catalog.records.code(record),
    product: catalog.records.description(record).en,
    calculation: {
      declared_value: amountText(amounts.declaredValue),
      currency,
      import_duty_rate: catalog.rateText(record),
      import_duty_amount: amountText(amounts.dutyAmount),
      vat_rate: vatRateText(catalog, answer),
      vat_amount: amountText(amounts.vatAmount),
      total_duties_taxes: amountText(amounts.totalDutiesTaxes),
      landed_cost: amountText(amounts.landedCost),
    },
    notes: notesOf(catalog, record),
  }
}

export function roundedCalculation(exact: ExactCalculation): Calculation {
  const entries = Object.entries(exact).map(([name, text]) => [name, name === 'currency' ? text : Number(text)])
  return Object.fromEntries(entries)
}

/** The amounts of an estimate, or of the totals of an invoice, as decimal text. */
export function exactAmounts(amounts: Tariff): ExactAmounts {
  return {
    declared_value: amountText(amounts.declaredValue),
    import_duty_amount: amountText(amounts.dutyAmount),
    vat_amount: amountText(amounts.vatAmount),
    total_duties_taxes: amountText(amounts.totalDutiesTaxes),
    landed_cost: amountText(amounts.landedCost),
  }
}

export function exactJson(exact: ExactAmounts | ExactCalculation): string {
  const fields = Object.entries<string>({ ...exact }).map(
    ([name, text]) => `"${name}":${name === 'currency' ? JSON.stringify(text) : text}`,
  )
  return `{${fields.join()}}`
}

/** The same JSON that HTTP writes. `amounts` becomes the field `exact`, which `include=exact` adds. */
export function estimateJson({ calculation, notes, ...head }: ExactEstimate, amounts?: ExactAmounts): string {
  const end = JSON.stringify({ notes, ...(amounts && { exact: amounts }) })
  return `${JSON.stringify(head).slice(0, -1)},"calculation":${exactJson(calculation)},${end.slice(1)}`
}
