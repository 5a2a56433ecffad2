import type { Catalog } from '../../catalog/catalog.js'
import {
  type Amount,
  amountText,
  computeTariff,
  isScaled,
  parseRate,
  parseValue,
  type Scaled,
} from '../../catalog/tariff.js'
import { isCode } from '../../hs-code.js'
import { bytes } from '../bytes.js'
import { Codes } from '../codes.js'
import { booleanParameter, currencyParameter, isRefusal, textParameter } from '../parameters.js'
import { Query } from '../query.js'
import { readQuery } from '../request.js'
import type { Responder } from '../respond.js'
import type { HttpRequest } from '../uws.js'

const NOTES =
  'Rates are indicative only and must be verified with the customs authority for an official assessment.'

const HS_CODE = bytes('{"hs_code":"')
const PRODUCT = bytes('","product":')
const DECLARED_VALUE = bytes(',"calculation":{"declared_value":')
const CURRENCY = bytes(',"currency":"')
const TOTAL = bytes(',"total_duties_taxes":')
const LANDED_COST = bytes(',"landed_cost":')
const END_ACTIVE = bytes(`},"notes":"${NOTES}"}`)
const END_INACTIVE = bytes(`},"notes":"${NOTES} This HS code is inactive."}`)

/** `{"hs_code":"…","description":{"en":` without the code: what stands before the English words of a record. */
const BEFORE_ENGLISH_BYTES = '{"hs_code":"","description":{"en":'.length

/** A rate, and how an answer goes on between the currency or duty before it and the amount that it makes. */
interface Rate extends Scaled {
  part: Uint8Array
}

const dutyRate = (text: string): Rate => ({
  ...parseRate(text),
  part: bytes(`","import_duty_rate":${text},"import_duty_amount":`),
})

const vatRate = (text: string): Rate => ({
  ...parseRate(text),
  part: bytes(`,"vat_rate":${text},"vat_amount":`),
})

export class TariffHandler {
  readonly #catalog: Catalog
  readonly #codes: Codes
  readonly #query = new Query(['hs_code', 'value', 'currency', 'include_vat'])
  readonly #dutyRates: Rate[]
  readonly #vat: Rate
  readonly #noVat = vatRate('0')

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#codes = new Codes(catalog)
    this.#dutyRates = catalog.meta.rates.map(dutyRate)
    this.#vat = vatRate(catalog.meta.vatRate)
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQuery(req))
    const code = textParameter(query, 'hs_code')
    if (isRefusal(code)) return out.refuse(code.name, code)
    const record = this.#catalog.trie.find(code)
    // an unknown code is told only after the other parameters, a malformed one before them
    if (record < 0 && !isCode(code)) {
      this.#codes.find(code, out)
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
    if (record < 0) this.#codes.find(code, out)
    else this.#write(out, code, record, value, currency, withVat ? this.#vat : this.#noVat)
  }

  #write(out: Responder, code: string, record: number, value: Amount, currency: string, vat: Rate): void {
    const { arena, offset, englishBytes, active } = this.#catalog
    const duty = this.#dutyRates[this.#catalog.rateIndex(record)] as Rate
    const tariff = computeTariff(value, duty, vat)
    const start = offset[record] as number
    out
      .openData()
      .put(HS_CODE)
      .short(code)
      .put(PRODUCT)
      .part(arena, start + BEFORE_ENGLISH_BYTES + code.length, start + (englishBytes[record] as number))
      .put(DECLARED_VALUE)
    putAmount(out, tariff.declaredValue)
    out.put(CURRENCY).short(currency).put(duty.part)
    putAmount(out, tariff.dutyAmount)
    out.put(vat.part)
    putAmount(out, tariff.vatAmount)
    out.put(TOTAL)
    putAmount(out, tariff.totalDutiesTaxes)
    out.put(LANDED_COST)
    putAmount(out, tariff.landedCost)
    out.put(active[record] === 1 ? END_ACTIVE : END_INACTIVE).endRecord()
  }
}

function putAmount(out: Responder, amount: Amount): void {
  if (isScaled(amount)) out.decimal(amount.digits, amount.places)
  else out.ascii(amountText(amount))
}
