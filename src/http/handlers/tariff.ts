import { estimateJson, exactAmounts, exactEstimate, exactJson } from '../../answers/estimate.js'
import { type Amount, amountText, isScaled } from '../../catalog/amount.js'
import type { Catalog } from '../../catalog/catalog.js'
import { bytes } from '../../engines/bytes.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { ERRORS } from '../../errors.js'
import { ESTIMATE_INCLUDES } from '../../limits.js'
import { Refusal } from '../../questions/refusal.js'
import { type Estimate, estimate, estimateNotes, type Invoice, type InvoiceItem, invoice } from '../../questions/tariff.js'
import type { Responder } from '../../responses/respond.js'
import { checkBody } from '../check-body.js'
import { Query } from '../query.js'
import { refusing } from '../routes.js'
import { answerForCountry, COUNTRY_PARAMETERS, readCountryInvoice } from './shipment.js'

const HS_CODE = bytes('{"hs_code":"')
const PRODUCT = bytes('","product":')
const DECLARED_VALUE = bytes(',"calculation":{"declared_value":')
const CURRENCY = bytes(',"currency":"')
const TOTAL = bytes(',"total_duties_taxes":')
const LANDED_COST = bytes(',"landed_cost":')

const dutyPart = (rate: string) => bytes(`","import_duty_rate":${rate},"import_duty_amount":`)
const VAT_RATE = bytes(',"vat_rate":')
const VAT_AMOUNT = bytes(',"vat_amount":')
const vatPart = (rate: string) => bytes(`,"vat_rate":${rate},"vat_amount":`)

const PLAIN_PARAMETERS = ['hs_code', 'value', 'currency', 'include_vat', 'vat_rate']

export class TariffHandler {
  readonly #catalog: Catalog
  readonly #query = new Query([...PLAIN_PARAMETERS, 'include', ...COUNTRY_PARAMETERS])
  readonly #dutyParts: Uint8Array[]
  readonly #vatPart: Uint8Array
  readonly #noVatPart = vatPart('0')
  /** The bytes at the end of an answer, by index of its note. */
  readonly #endings: Uint8Array[]

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#dutyParts = catalog.meta.rates.map(dutyPart)
    this.#vatPart = vatPart(catalog.meta.vatRate)
    this.#endings = catalog.meta.estimateNotes.map(note => bytes(`},"notes":"${estimateNotes(note)}"}`))
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQueryText(req))
    const unknown = query.refuseUnknown()
    if (unknown !== undefined) return out.refuse(unknown)
    const isPlain = this.#catalog.defaultView === undefined && !query.hasAnyFrom(PLAIN_PARAMETERS.length)
    const isExact = !isPlain && query.names('include', ESTIMATE_INCLUDES) !== undefined
    if (!isPlain && answerForCountry(this.#catalog, query, isExact, out)) return
    const code = query.text('hs_code')
    const value = query.text('value')
    const currency = query.text('currency')
    const withVat = query.boolean('include_vat')
    const vatRate = query.text('vat_rate')
    if (query.refusal !== undefined) return out.refuse(query.refusal)
    const sentCurrency = currency === '' ? undefined : currency
    const answer = estimate(this.#catalog, code, value, sentCurrency, withVat, vatRate)
    if (answer instanceof Refusal) return out.refuse(answer)
    out.openData()
    if (isExact) out.text(estimateText(this.#catalog, answer, true))
    else this.#put(out, code, answer)
    out.endRecord()
  }

  #put(out: Responder, code: string, { record, currency, withVat, ownVatRate, amounts }: Estimate): void {
    const { records, estimateNote } = this.#catalog
    out
      .put(HS_CODE)
      .short(code)
      .put(PRODUCT)
      .part(records.arena, records.englishStart(record), records.englishEnd(record))
      .put(DECLARED_VALUE)
    putAmount(out, amounts.declaredValue)
    out.put(CURRENCY).short(currency).put(this.#dutyParts[this.#catalog.rateIndex(record)])
    putAmount(out, amounts.dutyAmount)
    if (withVat && ownVatRate !== undefined) out.put(VAT_RATE).decimal(ownVatRate.digits, ownVatRate.places).put(VAT_AMOUNT)
    else out.put(withVat ? this.#vatPart : this.#noVatPart)
    putAmount(out, amounts.vatAmount)
    out.put(TOTAL)
    putAmount(out, amounts.totalDutiesTaxes)
    out.put(LANDED_COST)
    putAmount(out, amounts.landedCost)
    out.put(this.#endings[estimateNote[record]])
  }
}

/** Counts one request per item, and one for an invalid body. */
export const readInvoice = (catalog: Catalog) => (body: unknown, today: string) => {
  const sent = checkBody('InvoiceRequest', body, { items: 'types' })
  if (sent instanceof Refusal) return refusing(sent)
  const forCountry = readCountryInvoice(catalog, sent, today)
  if (forCountry !== undefined) return forCountry
  const { currency, include_vat: withVat, vat_rate: vatRate, include = [] } = sent
  const isExact = include.includes('exact')
  const terms = { currency, withVat, vatRate: vatRate === undefined ? undefined : String(vatRate) }
  // the numbers of the body are converted back to text, which is exact up to 15 digits
  const items = sent.items.map(({ hs_code, value }) => ({ code: hs_code, value: String(value) }))
  const answer = (out: Responder) => {
    const found = invoice(catalog, items, terms)
    if (found instanceof Refusal) out.refuse(found)
    else
      out
        .openData()
        .text(invoiceJson(catalog, items, found, isExact))
        .endRecord()
  }
  return { requests: items.length, answer }
}

const estimateText = (catalog: Catalog, answer: Estimate, isExact: boolean): string =>
  estimateJson(exactEstimate(catalog, answer), isExact ? exactAmounts(answer.amounts) : undefined)

function invoiceJson(
  catalog: Catalog,
  items: readonly InvoiceItem[],
  { items: answers, totals }: Invoice,
  isExact: boolean,
): string {
  const rendered = answers.map((answer, i) => {
    if (!(answer instanceof Refusal)) return estimateText(catalog, answer, isExact)
    const { name, message } = answer
    return JSON.stringify({ hs_code: items[i].code, error: { code: ERRORS[name].code, message } })
  })
  const sums = exactAmounts(totals)
  return `{"items":[${rendered.join()}],"totals":${exactJson(sums)}${isExact ? `,"exact":${JSON.stringify(sums)}` : ''}}`
}

function putAmount(out: Responder, amount: Amount): void {
  if (isScaled(amount)) out.decimal(amount.digits, amount.places)
  else out.ascii(amountText(amount))
}
