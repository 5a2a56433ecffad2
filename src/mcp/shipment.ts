/** An estimate for a country as an agent reads it: one line a charge, then what to say beside it. */
import { exactShipment } from '../answers/shipment.js'
import type { Catalog } from '../catalog/catalog.js'
import { isoDay } from '../clock.js'
import { invalidParameter, Refusal } from '../questions/refusal.js'
import { readDestination } from '../questions/shipment/destination.js'
import { estimateShipment, type ShipmentQuestion } from '../questions/shipment/estimate.js'
import { SHIPMENT_PARAMETERS, shipmentText } from '../questions/shipment/read.js'
import { type Answer, answer, line, refused } from './answer.js'

export type ShipmentFields = Partial<Record<(typeof SHIPMENT_PARAMETERS)[number], number | string>>

export interface CountryFields extends ShipmentFields {
  country?: string
  as_of?: string
}

/** Whether a question is about a country, or lacks one that it needs. */
export function isForCountry(fields: CountryFields): boolean {
  return (['country', 'as_of', ...SHIPMENT_PARAMETERS] as const).some(name => fields[name] !== undefined)
}

/** `plain` are the parameters that every estimate has. */
export function estimateForCountry(
  catalog: Catalog,
  fields: CountryFields,
  plain: Omit<ShipmentQuestion, 'shipment' | 'convert'>,
): Answer {
  const terms = { country: fields.country, asOf: fields.as_of }
  const destination = readDestination(catalog, terms, isoDay(Date.now()))
  if (destination instanceof Refusal) return refused(destination)
  if (destination === undefined)
    return refused(invalidParameter('country', 'is needed for an estimate with origin, freight, quantity or sugar'))
  const shipment = shipmentText(name => String(fields[name] ?? ''))
  const found = estimateShipment(catalog, destination, { ...plain, convert: undefined, shipment })
  if (found instanceof Refusal) return refused(found)
  const { hs_code, product, calculation, notes, country, list, charges, origin, threshold, warnings, not_included } =
    exactShipment(catalog, found)
  const { currency } = calculation
  const parts = charges.map(({ kind, name, rate, unit_amount, unit, basis, amount, certainty, source }) => ({
    kind,
    ...(name !== null && { name: name.en }),
    rate: rate === null ? (unit_amount === null ? 'flat' : `${unit_amount.toFixed()} per ${unit}`) : `${rate.toFixed()} %`,
    basis: basis.toFixed(),
    amount: amount.toFixed(),
    certainty,
    source,
  }))
  const result = {
    hs_code,
    description: product,
    country,
    list,
    currency,
    customs_value: calculation.declared_value.toFixed(),
    charges: parts,
    duties_and_taxes: calculation.total_duties_taxes.toFixed(),
    landed_cost: calculation.landed_cost.toFixed(),
    ...(origin?.agreement && { proof_of_origin: origin.agreement.proof.en }),
    ...(threshold !== null && { parcels: threshold.rule.en }),
    warnings: warnings.map(({ en }) => en),
    not_included: not_included.map(({ en }) => en),
    notes,
  }
  const lines = [
    line(result),
    `${country}${list === null ? '' : `, list of ${list}`}: customs value ${result.customs_value} ${currency}`,
    ...parts.map(
      ({ kind, rate, basis, amount, certainty }) => `${kind} ${rate} of ${basis} = ${amount} (${certainty ?? 'as asked for'})`,
    ),
    `duties and taxes ${result.duties_and_taxes}, landed cost ${result.landed_cost} ${currency}`,
    ...(result.proof_of_origin === undefined ? [] : [result.proof_of_origin]),
    ...(result.parcels === undefined ? [] : [result.parcels]),
    ...result.warnings,
    `Not included: ${result.not_included.join(' ')}`,
    notes,
  ]
  return answer(lines, result)
}
