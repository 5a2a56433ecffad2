import type { Catalog } from '../../catalog/catalog.js'
import { computeTariff, parseValue } from '../../catalog/tariff.js'
import { CODE_DIGITS_MAX, isCode } from '../../hs-code.js'
import { findRecord } from '../codes.js'
import { booleanParameter, currencyParameter, isRefusal, textParameter } from '../parameters.js'
import { readQuery } from '../request.js'
import type { Responder } from '../respond.js'
import type { HttpRequest } from '../uws.js'

const NOTES_ACTIVE =
  'Rates are indicative only and must be verified with the customs authority for an official assessment.'
const NOTES_INACTIVE = `${NOTES_ACTIVE} This HS code is inactive.`
/** `{"hs_code":"…","description":{"en":` without the code: what stands before the English words of a record. */
const BEFORE_ENGLISH_BYTES = '{"hs_code":"","description":{"en":'.length

export function tariff(catalog: Catalog, req: HttpRequest, out: Responder): void {
  const query = readQuery(req)
  const code = textParameter(query, 'hs_code')
  if (isRefusal(code)) return out.refuse(code.name, code)
  if (!isCode(code, CODE_DIGITS_MAX)) {
    findRecord(catalog, out, code)
    return
  }
  const valueText = textParameter(query, 'value')
  if (isRefusal(valueText)) return out.refuse(valueText.name, valueText)
  const value = parseValue(valueText)
  if (value === undefined) return out.refuse('invalidValue')
  const currency = currencyParameter(query)
  if (isRefusal(currency)) return out.refuse(currency.name, currency)
  const withVat = booleanParameter(query, 'include_vat')
  if (isRefusal(withVat)) return out.refuse(withVat.name, withVat)
  const record = findRecord(catalog, out, code)
  if (record < 0) return

  const result = computeTariff(value, catalog.rateText(record), withVat ? catalog.meta.vatRate : '0')
  const start = catalog.offset[record] as number
  const english = catalog.arena.subarray(
    start + BEFORE_ENGLISH_BYTES + code.length,
    start + (catalog.englishBytes[record] as number),
  )
  out
    .openData()
    .ascii(`{"hs_code":"${code}","product":`)
    .put(english)
    .ascii(
      `,"calculation":{"declared_value":${result.declaredValue},"currency":"${currency}",` +
        `"import_duty_rate":${result.dutyRate},"import_duty_amount":${result.dutyAmount},` +
        `"vat_rate":${result.vatRate},"vat_amount":${result.vatAmount},` +
        `"total_duties_taxes":${result.totalDutiesTaxes},"landed_cost":${result.landedCost}},` +
        `"notes":"${catalog.active[record] === 1 ? NOTES_ACTIVE : NOTES_INACTIVE}"}`,
    )
    .endRecord()
}
