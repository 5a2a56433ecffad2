import { exactEstimate } from '../answers/estimate.js'
import type { Catalog } from '../catalog/catalog.js'
import { invalidParameter, Refusal } from '../questions/refusal.js'
import { cautions, estimate, INDICATIVE } from '../questions/tariff.js'
import { type Answer, answer, type ListAnswer, line, refused } from './answer.js'
import { readWritten, type WrittenCode } from './codes.js'
import { type CountryFields, estimateForCountries, estimateForCountry, isForCountry } from './shipment.js'

interface DutyQuestion extends CountryFields {
  code: WrittenCode
  value: number | string
  currency?: string
  include_vat?: boolean
  vat_rate?: number | string
}

export function estimateDuty(catalog: Catalog, question: DutyQuestion): Answer | ListAnswer {
  const { code, value, currency, include_vat, vat_rate = '', country, countries } = question
  const record = readWritten(catalog, code)
  if (record instanceof Refusal) return refused(record)
  const hsCode = catalog.records.code(record)
  if (country !== undefined && countries !== undefined)
    return refused(invalidParameter('countries', 'is for several countries: send either country or countries, but not both'))
  const plain = { code: hsCode, value: String(value), currency, withVat: include_vat, vatRate: String(vat_rate) }
  if (countries !== undefined) return estimateForCountries(catalog, countries, question, plain)
  if (isForCountry(question) || catalog.defaultView !== undefined) return estimateForCountry(catalog, question, plain)
  const found = estimate(catalog, hsCode, String(value), currency, include_vat, String(vat_rate))
  if (found instanceof Refusal) return refused(found)
  const { product, calculation } = exactEstimate(catalog, found)
  const fields = {
    hs_code: hsCode,
    description: product,
    warnings: cautions(catalog.estimateNoteOf(found.record)),
    currency: calculation.currency,
    declared_value: calculation.declared_value,
    duty_percent: calculation.import_duty_rate,
    duty: calculation.import_duty_amount,
    vat_percent: calculation.vat_rate,
    vat: calculation.vat_amount,
    duties_and_taxes: calculation.total_duties_taxes,
    landed_cost: calculation.landed_cost,
  }
  const lines = [
    line(fields),
    ...fields.warnings,
    `declared value ${fields.declared_value} ${fields.currency}`,
    `duty ${fields.duty_percent} % = ${fields.duty}`,
    found.withVat ? `VAT ${fields.vat_percent} % = ${fields.vat}` : 'VAT not included',
    `duties and taxes ${fields.duties_and_taxes}, landed cost ${fields.landed_cost} ${fields.currency}`,
    INDICATIVE,
  ]
  return answer(lines, fields)
}
