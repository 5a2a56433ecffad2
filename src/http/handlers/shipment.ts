/** Estimates for a country: the tariff route's answer if a country is requested or configured. Not on the hot path. */
import type { InvoiceRequest, ShipmentItem } from '../../answers/shapes.js'
import { costAmounts, decimalTexts, exactCharge, exactShipment, exactText } from '../../answers/shipment.js'
import type { Catalog } from '../../catalog/catalog.js'
import { decimalsOf } from '../../catalog/currencies.js'
import { ERRORS } from '../../errors.js'
import { invalidParameter, Refusal } from '../../questions/refusal.js'
import { readDestination } from '../../questions/shipment/destination.js'
import {
  type Destination,
  estimateShipment,
  type ShipmentEstimate,
  type ShipmentQuestion,
} from '../../questions/shipment/estimate.js'
import { estimateItem, refusesAll, sumUp } from '../../questions/shipment/invoice.js'
import { SHIPMENT_PARAMETERS, shipmentText } from '../../questions/shipment/read.js'
import { roundedCost } from '../../questions/shipment/rounded.js'
import type { Responder } from '../../responses/respond.js'
import type { Query } from '../query.js'
import { type BodyRequest, inParts, refusing } from '../routes.js'

export const COUNTRY_PARAMETERS: readonly string[] = ['country', 'as_of', 'convert', ...SHIPMENT_PARAMETERS]

/** Returns false without a country: the caller then answers with a plain estimate. */
export function answerForCountry(catalog: Catalog, query: Query, isExact: boolean, out: Responder): boolean {
  const destination = readDestination(catalog, { country: query.text('country'), asOf: query.text('as_of') }, out.today())
  const question = readQuestion(query)
  if (query.refusal !== undefined) out.refuse(query.refusal)
  else if (destination instanceof Refusal) out.refuse(destination)
  else if (destination !== undefined) answer(catalog, estimateShipment(catalog, destination, question), isExact, out)
  else {
    const refusal = withoutCountry(question)
    if (refusal === undefined) return false
    out.refuse(refusal)
  }
  return true
}

function answer(catalog: Catalog, estimate: ShipmentEstimate | Refusal, isExact: boolean, out: Responder): void {
  if (estimate instanceof Refusal) return out.refuse(estimate)
  out
    .openData()
    .text(exactText(exactShipment(catalog, estimate, isExact)))
    .endRecord()
}

function readQuestion(query: Query): ShipmentQuestion {
  return {
    code: query.text('hs_code'),
    value: query.text('value'),
    currency: query.text('currency') || undefined,
    withVat: query.boolean('include_vat'),
    vatRate: query.text('vat_rate'),
    convert: query.boolean('convert'),
    shipment: shipmentText(name => query.text(name)),
  }
}

/** Refuses parameters that have a meaning only for a country. */
function withoutCountry({ shipment, convert }: ShipmentQuestion): Refusal | undefined {
  const name = convert === undefined ? SHIPMENT_PARAMETERS.find(name => shipment[name] !== '') : 'convert'
  return name === undefined ? undefined : needsCountry(name)
}

const needsCountry = (name: string) => invalidParameter(name, 'needs the parameter country')

/** Undefined without a country. Estimates one item per turn, because a hundred at once would keep other requests waiting. */
export function readCountryInvoice(catalog: Catalog, sent: InvoiceRequest, today: string): BodyRequest | undefined {
  const { country = '', as_of: asOf = '', include = [] } = sent
  const questions = sent.items.map(item => questionOf(sent, item))
  if (country === '' && catalog.defaultView === undefined) {
    const refusal = asOf === '' ? questions.map(withoutCountry).find(found => found !== undefined) : needsCountry('as_of')
    return refusal && refusing(refusal)
  }
  const requests = questions.length
  const found = readDestination(catalog, { country, asOf }, today)
  if (found instanceof Refusal) return { ...refusing(found), requests }
  // never undefined: a country was sent or is configured
  const destination = found as Destination
  const isExact = include.includes('exact')
  const items: (ShipmentEstimate | Refusal)[] = []
  const rendered: string[] = []
  let refusal: Refusal | undefined
  const work = () => {
    const question = questions[items.length]
    const item = estimateItem(catalog, destination, question)
    if (refusesAll(item)) {
      refusal = item
      return false
    }
    rendered.push(itemText(catalog, question.code, item, isExact))
    return items.push(item) < requests
  }
  return inParts(requests, work, out => {
    if (refusal !== undefined) return out.refuse(refusal)
    const { totals, fees, currency } = sumUp(catalog, destination, questions[0], items)
    const sums = exactText({
      totals: costAmounts(totals),
      fees: fees.map(exactCharge),
      rounded: costAmounts(roundedCost(totals, decimalsOf(currency))),
      ...(isExact && { exact: decimalTexts(costAmounts(totals)) }),
    })
    out
      .openData()
      .text(`{"items":[${rendered.join()}],${sums.slice(1)}`)
      .endRecord()
  })
}

/** Converts the numbers of the body back to text, which is exact up to 15 digits. */
function questionOf({ currency, include_vat, vat_rate, origin }: InvoiceRequest, item: ShipmentItem): ShipmentQuestion {
  const fields = { origin, ...item }
  return {
    code: item.hs_code,
    value: String(item.value),
    currency,
    withVat: include_vat,
    vatRate: String(vat_rate ?? ''),
    convert: undefined,
    shipment: shipmentText(name => String(fields[name] ?? '')),
  }
}

function itemText(catalog: Catalog, code: string, item: ShipmentEstimate | Refusal, isExact: boolean): string {
  if (!(item instanceof Refusal)) return exactText(exactShipment(catalog, item, isExact))
  const { name, message } = item
  return JSON.stringify({ hs_code: code, error: { code: ERRORS[name].code, message } })
}
