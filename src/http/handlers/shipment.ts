/** Estimates for a country: what the tariff route answers where one is named or configured. Off the hot path. */
import { costAmounts, exactCharge, exactShipment, exactText } from '../../answers/shipment.js'
import type { Catalog } from '../../catalog/catalog.js'
import { decimalsOf } from '../../catalog/currencies.js'
import { ERRORS } from '../../errors.js'
import { invalidParameter, Refusal } from '../../questions/refusal.js'
import { readDestination } from '../../questions/shipment/destination.js'
import { estimateShipment, type ShipmentQuestion } from '../../questions/shipment/estimate.js'
import { invoiceShipment, type ShipmentInvoice } from '../../questions/shipment/invoice.js'
import { NO_SHIPMENT, SHIPMENT_PARAMETERS, type ShipmentText } from '../../questions/shipment/read.js'
import { roundedCost } from '../../questions/shipment/rounded.js'
import type { Responder } from '../../responses/respond.js'
import type { Query } from '../query.js'
import type { BodyRequest } from '../routes.js'
import type { ParsedInvoice } from './tariff.js'

export const COUNTRY_PARAMETERS: readonly string[] = ['country', 'as_of', 'convert', ...SHIPMENT_PARAMETERS]

/** False without a country: then it is a plain estimate. */
export function answerForCountry(catalog: Catalog, query: Query, out: Responder): boolean {
  const destination = readDestination(catalog, { country: query.text('country'), asOf: query.text('as_of') }, out.today())
  const question = readQuestion(query)
  const refusal = query.refusal ?? (destination instanceof Refusal ? destination : undefined)
  const answer = refusal ?? (destination && !(destination instanceof Refusal) && estimateShipment(catalog, destination, question))
  if (answer === undefined) {
    const alone = withoutCountry(question)
    if (alone !== undefined) out.refuse(alone)
    return alone !== undefined
  }
  if (answer instanceof Refusal) out.refuse(answer)
  else if (answer !== false) {
    out
      .openData()
      .text(exactText(exactShipment(catalog, answer)))
      .endRecord()
  }
  return true
}

function readQuestion(query: Query): ShipmentQuestion {
  const texts = SHIPMENT_PARAMETERS.map(name => [name, query.text(name)])
  return {
    code: query.text('hs_code'),
    value: query.text('value'),
    currency: query.text('currency') || undefined,
    withVat: query.boolean('include_vat'),
    vatRate: query.text('vat_rate'),
    convert: query.boolean('convert'),
    shipment: Object.fromEntries(texts) as unknown as ShipmentText,
  }
}

/** Parameters that mean something only for a country. */
function withoutCountry({ shipment, convert }: ShipmentQuestion): Refusal | undefined {
  const name = convert === undefined ? SHIPMENT_PARAMETERS.find(name => shipment[name] !== '') : 'convert'
  return name === undefined ? undefined : invalidParameter(name, 'needs the parameter country')
}

/** Undefined without a country. */
export function readCountryInvoice(
  catalog: Catalog,
  body: Record<string, unknown>,
  parsed: ParsedInvoice,
): BodyRequest | undefined {
  const { country, as_of: asOf, convert } = body
  if (country === undefined && catalog.defaultView === undefined) return undefined
  const questions = readQuestions(body, parsed)
  const requests = parsed.items.length
  if (questions instanceof Refusal) return { requests: 1, answer: out => out.refuse(questions) }
  const isText = (value: unknown) => value === undefined || typeof value === 'string'
  const answer = (out: Responder): void => {
    if (!isText(country)) return out.refuse(invalidParameter('country', 'must be a string, such as "SA"'))
    if (!isText(asOf)) return out.refuse(invalidParameter('as_of', 'must be a string, such as "2026-02-25"'))
    if (convert !== undefined) return out.refuse(invalidParameter('convert', 'is for single estimates'))
    const terms = { country: country as string | undefined, asOf: asOf as string | undefined }
    const destination = readDestination(catalog, terms, out.today())
    if (destination === undefined || destination instanceof Refusal)
      return out.refuse(destination ?? new Refusal('invalidParameter'))
    const found = invoiceShipment(catalog, destination, questions)
    if (found instanceof Refusal) return out.refuse(found)
    out
      .openData()
      .text(invoiceText(catalog, parsed, found))
      .endRecord()
  }
  return { requests, answer }
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

function invoiceText(catalog: Catalog, { items }: ParsedInvoice, invoice: ShipmentInvoice): string {
  const rendered = invoice.items.map((answer, i) => {
    if (!(answer instanceof Refusal)) return exactShipment(catalog, answer)
    const { name, message } = answer
    return { hs_code: items[i].code, error: { code: ERRORS[name].code, message } }
  })
  return exactText({
    items: rendered,
    totals: costAmounts(invoice.totals),
    fees: invoice.fees.map(exactCharge),
    rounded: costAmounts(roundedCost(invoice.totals, decimalsOf(invoice.currency))),
  })
}
