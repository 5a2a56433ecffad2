import { exactEstimate } from '../answers/estimate.js'
import type { Catalog } from '../catalog/catalog.js'
import { Refusal } from '../questions/refusal.js'
import { estimate } from '../questions/tariff.js'
import { type Answer, answer, line, refused } from './answer.js'
import { readWritten, type WrittenCode } from './codes.js'
import { type CountryFields, estimateForCountry, isForCountry } from './shipment.js'

interface DutyQuestion extends CountryFields {
  code: WrittenCode
  value: number | string
  currency?: string
  include_vat?: boolean
  vat_rate?: number | string
}

export function estimateDuty(catalog: Catalog, question: DutyQuestion): Answer {
  const { code, value, currency, include_vat, vat_rate = '' } = question
  const record = readWritten(catalog, code)
  if (record instanceof Refusal) return refused(record)
  const hsCode = catalog.records.code(record)
  if (isForCountry(question) || catalog.defaultView !== undefined)
    return estimateForCountry(catalog, question, {
      code: hsCode,
      value: String(value),
      currency,
      withVat: include_vat,
      vatRate: String(vat_rate),
    })
  const found = estimate(catalog, hsCode, String(value), currency, include_vat, String(vat_rate))
  if (found instanceof Refusal) return refused(found)
  const { product, calculation, notes } = exactEstimate(catalog, found)
  const fields = {
    hs_code: hsCode,
    description: product,
    currency: calculation.currency,
    declared_value: calculation.declared_value,
    duty_percent: calculation.import_duty_rate,
    duty: calculation.import_duty_amount,
    vat_percent: calculation.vat_rate,
    vat: calculation.vat_amount,
    duties_and_taxes: calculation.total_duties_taxes,
    landed_cost: calculation.landed_cost,
    notes,
  }
  const lines = [
    line(fields),
    `declared value ${fields.declared_value} ${fields.currency}`,
    `duty ${fields.duty_percent} % = ${fields.duty}`,
    found.withVat ? `VAT ${fields.vat_percent} % = ${fields.vat}` : 'VAT not included',
    `duties and taxes ${fields.duties_and_taxes}, landed cost ${fields.landed_cost} ${fields.currency}`,
    fields.notes,
  ]
  return answer(lines, fields)
}
