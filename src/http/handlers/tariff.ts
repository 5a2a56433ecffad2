import type { Catalog } from '../../catalog/catalog.js'
import { type Amount, amountText, isScaled } from '../../catalog/tariff.js'
import { Refusal } from '../../questions/refusal.js'
import { type Estimate, estimate, estimateNotes, type RateRange } from '../../questions/tariff.js'
import { bytes } from '../bytes.js'
import type { HttpRequest } from '../engine.js'
import { booleanParameter, textParameter } from '../parameters.js'
import { Query } from '../query.js'
import { readQueryText } from '../request.js'
import type { Responder } from '../respond.js'

const HS_CODE = bytes('{"hs_code":"')
const PRODUCT = bytes('","product":')
const DECLARED_VALUE = bytes(',"calculation":{"declared_value":')
const CURRENCY = bytes(',"currency":"')
const TOTAL = bytes(',"total_duties_taxes":')
const LANDED_COST = bytes(',"landed_cost":')
const ending = (isActive: boolean, range?: RateRange) =>
  bytes(`},"notes":"${estimateNotes(isActive, range)}"}`)
const END_ACTIVE = ending(true)
const END_INACTIVE = ending(false)

/** How an answer goes on between the currency or duty before a rate and the amount that the rate makes. */
const dutyPart = (rate: string) => bytes(`","import_duty_rate":${rate},"import_duty_amount":`)
const vatPart = (rate: string) => bytes(`,"vat_rate":${rate},"vat_amount":`)

export class TariffHandler {
  readonly #catalog: Catalog
  readonly #query = new Query(['hs_code', 'value', 'currency', 'include_vat'])
  readonly #dutyParts: Uint8Array[]
  readonly #vatPart: Uint8Array
  readonly #noVatPart = vatPart('0')
  readonly #rangedEndings = new Map<string, Uint8Array>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#dutyParts = catalog.meta.rates.map(dutyPart)
    this.#vatPart = vatPart(catalog.meta.vatRate)
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQueryText(req))
    const code = textParameter(query, 'hs_code')
    if (typeof code !== 'string') return out.refuse(code)
    const value = textParameter(query, 'value')
    if (typeof value !== 'string') return out.refuse(value)
    const currency = textParameter(query, 'currency')
    if (typeof currency !== 'string') return out.refuse(currency)
    const withVat = booleanParameter(query, 'include_vat')
    if (withVat !== null && typeof withVat !== 'boolean') return out.refuse(withVat)
    const answer = estimate(this.#catalog, code, value, currency === '' ? undefined : currency, withVat)
    if (answer instanceof Refusal) out.refuse(answer)
    else this.#write(out, code, answer)
  }

  #write(out: Responder, code: string, { record, currency, withVat, amounts }: Estimate): void {
    const { records, active, rateLow, rateHigh } = this.#catalog
    out
      .openData()
      .put(HS_CODE)
      .short(code)
      .put(PRODUCT)
      .part(records.arena, records.englishStart(record), records.englishEnd(record))
      .put(DECLARED_VALUE)
    putAmount(out, amounts.declaredValue)
    out
      .put(CURRENCY)
      .short(currency)
      .put(this.#dutyParts[this.#catalog.rateIndex(record)] as Uint8Array)
    putAmount(out, amounts.dutyAmount)
    out.put(withVat ? this.#vatPart : this.#noVatPart)
    putAmount(out, amounts.vatAmount)
    out.put(TOTAL)
    putAmount(out, amounts.totalDutiesTaxes)
    out.put(LANDED_COST)
    putAmount(out, amounts.landedCost)
    const isActive = active[record] === 1
    if (rateLow[record] !== rateHigh[record]) out.put(this.#rangedEnding(record, isActive))
    else out.put(isActive ? END_ACTIVE : END_INACTIVE)
    out.endRecord()
  }

  /** Ranges are few, so that each ending is made once. */
  #rangedEnding(record: number, isActive: boolean): Uint8Array {
    const { meta, rateLow, rateHigh } = this.#catalog
    const low = meta.rates[rateLow[record] as number] as string
    const high = meta.rates[rateHigh[record] as number] as string
    const key = `${low} ${high} ${isActive}`
    const known = this.#rangedEndings.get(key)
    if (known !== undefined) return known
    const made = ending(isActive, { low, high })
    this.#rangedEndings.set(key, made)
    return made
  }
}

function putAmount(out: Responder, amount: Amount): void {
  if (isScaled(amount)) out.decimal(amount.digits, amount.places)
  else out.ascii(amountText(amount))
}
