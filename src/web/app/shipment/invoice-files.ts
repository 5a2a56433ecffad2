/** A calculated invoice as a file. Loaded only when one is asked for. */

import { type CalculatedInvoice, type Line, lacksExcise, type RowEstimate } from './invoice-answer.js'
import { splitMeasure } from './invoice-text.js'
import { type Cell, csvBlob, excelBlob, numberOrText } from './table-files.js'

const HEAD = [
  'row',
  'hs_code',
  'description_en',
  'description_ar',
  'origin',
  'quantity',
  'value',
  'freight',
  'insurance',
  'cif_value',
  'currency',
  'duty_rate',
  'duty',
  'excise',
  'fees',
  'vat_rate',
  'vat',
  'total_duties_taxes',
  'landed_cost',
  'error',
  'excise_quantity',
  'excise_unit',
]
/** Codes are text, whatever their digits. */
const CODE_AT = 1

type Named = Partial<Record<string, string>>

const cellsOf = (parts: Named) => HEAD.map(name => parts[name] ?? '')

function amountsOf(estimate: RowEstimate): Named {
  const { calculation, origin } = estimate
  const lacks = lacksExcise(estimate)
  return {
    origin: origin?.country ?? '',
    value: calculation.goods_value ?? calculation.declared_value,
    freight: calculation.freight ?? '',
    insurance: calculation.insurance ?? '',
    cif_value: calculation.declared_value,
    duty_rate: calculation.import_duty_rate,
    duty: calculation.import_duty_amount,
    excise: lacks ? '' : (calculation.excise_amount ?? ''),
    error: lacks ? 'excise_quantity_missing' : '',
    vat_rate: calculation.vat_rate,
    vat: calculation.vat_amount,
    total_duties_taxes: calculation.total_duties_taxes,
    landed_cost: calculation.landed_cost,
  }
}

function lineCells({ at, text, item, outcome, description }: Line, currency: string): string[] {
  const [amount, unit] = splitMeasure(item?.excise ?? '')
  const measure = { excise_quantity: amount, excise_unit: unit }
  const typed = { row: String(at + 1), hs_code: text.code.trim(), quantity: text.quantity.trim(), currency, ...measure }
  if (outcome?.kind === 'good') {
    const { estimate } = outcome
    const words = { description_en: estimate.product, description_ar: description?.ar ?? '' }
    return cellsOf({ ...typed, ...words, hs_code: estimate.hs_code, ...amountsOf(estimate) })
  }
  const error = outcome?.kind === 'refused' ? outcome.code : (outcome?.problem.kind ?? '')
  return cellsOf({ ...typed, value: text.value.trim(), origin: text.origin.trim(), error })
}

/** Amounts with every digit, as the API has them; totals as the currency has them. */
function rowsOf({ lines, currency, answer: { totals, fees } }: CalculatedInvoice): string[][] {
  const total = cellsOf({
    row: 'total',
    currency,
    cif_value: totals.declared_value,
    duty: totals.import_duty_amount,
    excise: totals.excise_amount ?? '',
    fees: fees.length > 0 ? (totals.fees_amount ?? '') : '',
    vat: totals.vat_amount,
    total_duties_taxes: totals.total_duties_taxes,
    landed_cost: totals.landed_cost,
  })
  return [HEAD, ...lines.map(line => lineCells(line, currency)), total]
}

export const csvFile = (calculated: CalculatedInvoice) => csvBlob(rowsOf(calculated))

export function excelFile(calculated: CalculatedInvoice, isRightToLeft: boolean): Blob {
  const rows: Cell[][] = rowsOf(calculated).map(row => row.map((cell, at) => (at === CODE_AT ? cell : numberOrText(cell))))
  return excelBlob(rows, isRightToLeft)
}
