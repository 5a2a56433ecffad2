/** Estimates for a country: what the tariff route answers where one is named or configured. Off the hot path. */
import { costAmounts, decimalTexts, exactCharge, exactShipment, exactText } from '../../answers/shipment.js'
import type { Catalog } from '../../catalog/catalog.js'
import { decimalsOf } from '../../catalog/currencies.js'
import { ERRORS } from '../../errors.js'
import { INVOICE_ITEMS_MAX } from '../../limits.js'
import type { CountryTerms } from '../../questions/country.js'
import { invalidParameter, Refusal } from '../../questions/refusal.js'
import { readDestination } from '../../questions/shipment/destination.js'
import {
  type Destination,
  estimateShipment,
  type ShipmentEstimate,
  type ShipmentQuestion,
} from '../../questions/shipment/estimate.js'
import { estimateItem, refusesAll, sumUp } from '../../questions/shipment/invoice.js'
import { NO_SHIPMENT, SHIPMENT_PARAMETERS, shipmentText } from '../../questions/shipment/read.js'
import { roundedCost } from '../../questions/shipment/rounded.js'
import { invalidItems } from '../../questions/tariff.js'
import type { Responder } from '../../responses/respond.js'
import type { Query } from '../query.js'
import type { BodyRequest } from '../routes.js'
import type { ParsedInvoice } from './invoice-body.js'

export const COUNTRY_PARAMETERS: readonly string[] = ['country', 'as_of', 'convert', ...SHIPMENT_PARAMETERS]

/** False without a country: then it is a plain estimate. */
export function answerForCountry(catalog: Catalog, query: Query, isExact: boolean, out: Responder): boolean {
  const destination = readDestination(catalog, { country: query.text('country'), asOf: query.text('as_of') }, out.today())
  const question = readQuestion(query)
  if (query.refusal !== undefined) out.refuse(query.refusal)
  else if (destination instanceof Refusal) out.refuse(destination)
  else if (destination !== undefined) answer(catalog, estimateShipment(catalog, destination, question), isExact, out)
  else {
    const alone = withoutCountry(question)
    if (alone === undefined) return false
    out.refuse(alone)
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

/** Parameters that mean something only for a country. */
function withoutCountry({ shipment, convert }: ShipmentQuestion): Refusal | undefined {
  const name = convert === undefined ? SHIPMENT_PARAMETERS.find(name => shipment[name] !== '') : 'convert'
  return name === undefined ? undefined : needsCountry(name)
}

const needsCountry = (name: string) => invalidParameter(name, 'needs the parameter country')

/** Undefined without a country. Each part of the work is one item: a hundred at once would keep other requests waiting. */
export function readCountryInvoice(
  catalog: Catalog,
  body: Record<string, unknown>,
  parsed: ParsedInvoice,
  today: string,
): BodyRequest | undefined {
  const terms = readTerms(body)
  const questions = readQuestions(body, parsed)
  if (terms instanceof Refusal) return refusing(terms)
  if (questions instanceof Refusal) return refusing(questions)
  if (terms.country === '' && catalog.defaultView === undefined) {
    const alone = terms.asOf === '' ? questions.map(withoutCountry).find(found => found !== undefined) : needsCountry('as_of')
    return alone && refusing(alone)
  }
  const requests = questions.length
  if (requests < 1 || requests > INVOICE_ITEMS_MAX) return { ...refusing(invalidItems()), requests }
  const found = readDestination(catalog, terms, today)
  if (found instanceof Refusal) return { ...refusing(found), requests }
  // with a country or a default there is always one
  const destination = found as Destination
  const items: (ShipmentEstimate | Refusal)[] = []
  const rendered: string[] = []
  let refusal: Refusal | undefined
  const work = () => {
    const item = estimateItem(catalog, destination, questions[items.length])
    if (refusesAll(item)) {
      refusal = item
      return false
    }
    rendered.push(itemText(catalog, parsed.items[items.length].code, item, parsed.isExact))
    return items.push(item) < requests
  }
  const answer = (out: Responder) => {
    if (refusal !== undefined) return out.refuse(refusal)
    const { totals, fees, currency } = sumUp(catalog, destination, questions[0], items)
    const sums = exactText({
      totals: costAmounts(totals),
      fees: fees.map(exactCharge),
      rounded: costAmounts(roundedCost(totals, decimalsOf(currency))),
      ...(parsed.isExact && { exact: decimalTexts(costAmounts(totals)) }),
    })
    out
      .openData()
      .text(`{"items":[${rendered.join()}],${sums.slice(1)}`)
      .endRecord()
  }
  if (requests > 1) return { requests, work, answer }
  // as fast as GET
  return {
    requests,
    answer: out => {
      work()
      answer(out)
    },
  }
}

const refusing = (refusal: Refusal): BodyRequest => ({ requests: 1, answer: out => out.refuse(refusal) })

function readTerms({ country = '', as_of: asOf = '' }: Record<string, unknown>): Required<CountryTerms> | Refusal {
  if (typeof country !== 'string') return invalidParameter('country', 'must be a string, such as "SA"')
  if (typeof asOf !== 'string') return invalidParameter('as_of', 'must be a string, such as "2026-02-25"')
  return { country, asOf }
}

function readQuestions(
  { origin, items }: Record<string, unknown>,
  { items: parsed, terms }: ParsedInvoice,
): ShipmentQuestion[] | Refusal {
  const questions: ShipmentQuestion[] = []
  for (const [i, { code, value }] of parsed.entries()) {
    const shipment = { ...NO_SHIPMENT }
    const item = { origin, ...(items as Record<string, unknown>[])[i] } as Record<string, unknown>
    for (const name of SHIPMENT_PARAMETERS) {
      const field = item[name]
      if (field === undefined) continue
      if (typeof field !== 'string' && typeof field !== 'number')
        return invalidParameter(`items[${i}].${name}`, 'must be a string or a number')
      shipment[name] = String(field)
    }
    const { currency, withVat, vatRate = '' } = terms
    questions.push({ code, value, currency, withVat, vatRate, convert: undefined, shipment })
  }
  return questions
}

function itemText(catalog: Catalog, code: string, item: ShipmentEstimate | Refusal, isExact: boolean): string {
  if (!(item instanceof Refusal)) return exactText(exactShipment(catalog, item, isExact))
  const { name, message } = item
  return JSON.stringify({ hs_code: code, error: { code: ERRORS[name].code, message } })
}
