/** Estimates for one or several countries, for agents: bans on the import, one line per charge, and the charges left out. */
import type { Charge } from '../answers/shapes.js'
import { type Exact, exactShipment, limitsText } from '../answers/shipment.js'
import type { Catalog } from '../catalog/catalog.js'
import { isoDay } from '../clock.js'
import { ERRORS } from '../errors.js'
import { invalidParameter, Refusal } from '../questions/refusal.js'
import { readDestination } from '../questions/shipment/destination.js'
import { estimateShipment, type ShipmentQuestion } from '../questions/shipment/estimate.js'
import { SHIPMENT_PARAMETERS, shipmentText } from '../questions/shipment/read.js'
import { cautions, INDICATIVE } from '../questions/tariff.js'
import { type Answer, answer, type ListAnswer, line, listAnswer, refused } from './answer.js'

export type ShipmentFields = Partial<Record<(typeof SHIPMENT_PARAMETERS)[number], number | string>>

export interface CountryFields extends ShipmentFields {
  country?: string
  countries?: string[]
  as_of?: string
  convert?: boolean
}

/** The parameters that every estimate accepts. */
type Plain = Omit<ShipmentQuestion, 'shipment' | 'convert'>

/** Whether a question is about a country, or has fields that need a country. */
export function isForCountry(fields: CountryFields): boolean {
  return (['country', 'as_of', 'convert', ...SHIPMENT_PARAMETERS] as const).some(name => fields[name] !== undefined)
}

export function estimateForCountry(catalog: Catalog, fields: CountryFields, plain: Plain): Answer {
  const found = estimateIn(catalog, fields.country, fields, plain)
  if (found instanceof Refusal) return refused(found)
  return answer([line(found.fields), ...countryLines(found, []), INDICATIVE], found.fields)
}

/** If an estimate is refused for one country, the others are still answered. */
export function estimateForCountries(catalog: Catalog, countries: string[], fields: CountryFields, plain: Plain): ListAnswer {
  return listAnswer(
    [...new Set(countries)],
    country => {
      const found = estimateIn(catalog, country, fields, plain)
      if (!(found instanceof Refusal)) return found
      return { fields: { country, error: { code: ERRORS[found.name].code, message: found.message } } }
    },
    all => {
      const estimates = all.filter(one => 'chargeLines' in one)
      const leftOut = sharedBy(estimates.map(({ fields }) => fields.not_included))
      return answer(
        [
          ...estimates.slice(0, 1).map(({ fields }) => line(fields)),
          ...all.flatMap(one => ('chargeLines' in one ? countryLines(one, leftOut) : [refusedLine(one.fields)])),
          ...(leftOut.length === 0 ? [] : [`Not included for any country: ${leftOut.join(' ')}`]),
          INDICATIVE,
        ],
        { estimates: all.map(({ fields }) => fields) },
      )
    },
  )
}

const refusedLine = ({ country, error }: { country: string; error: { message: string } }) =>
  `${country}: no estimate. ${error.message}`

const sharedBy = ([first = [], ...others]: readonly (readonly string[])[]): readonly string[] =>
  others.length === 0 ? [] : first.filter(one => others.every(other => other.includes(one)))

type CountryEstimate = Exclude<ReturnType<typeof estimateIn>, Refusal>

function estimateIn(catalog: Catalog, country: string | undefined, terms: CountryFields, plain: Plain) {
  const destination = readDestination(catalog, { country, asOf: terms.as_of }, isoDay(Date.now()))
  if (destination instanceof Refusal) return destination
  if (destination === undefined)
    return invalidParameter('country', 'is needed for an estimate with origin, freight, quantity, sugar or convert')
  const shipment = shipmentText(name => String(terms[name] ?? ''))
  const found = estimateShipment(catalog, destination, { ...plain, convert: terms.convert, shipment })
  if (found instanceof Refusal) return found
  const { calculation, origin, threshold, converted, ...estimate } = exactShipment(catalog, found)
  const { isActive } = catalog.estimateNoteOf(found.record)
  const fields = {
    hs_code: estimate.hs_code,
    description: estimate.product,
    country: estimate.country,
    list: estimate.list,
    // an import ban is the first warning
    warnings: [...estimate.warnings.map(({ en }) => en), ...cautions({ isActive, low: '', high: '', isProhibited: false })],
    currency: calculation.currency,
    customs_value: calculation.declared_value.toFixed(),
    charges: estimate.charges.map(chargeFields),
    duties_and_taxes: calculation.total_duties_taxes.toFixed(),
    landed_cost: calculation.landed_cost.toFixed(),
    ...(converted !== undefined && {
      converted: {
        currency: converted.currency,
        rate: converted.rate.toFixed(),
        duties_and_taxes: converted.total_duties_taxes.toFixed(),
        landed_cost: converted.landed_cost.toFixed(),
      },
    }),
    ...(origin?.agreement && { proof_of_origin: origin.agreement.proof.en }),
    ...(threshold !== null && { parcels: threshold.rule.en }),
    not_included: estimate.not_included.map(({ en }) => en),
  }
  return { fields, chargeLines: estimate.charges.map(chargeLine) }
}

function chargeFields(charge: Exact<Charge>) {
  const { kind, name, minimum, maximum, basis, amount, certainty, source } = charge
  return {
    kind,
    ...(name !== null && { name: name.en }),
    rate: rateText(charge),
    basis: basis.toFixed(),
    ...(minimum !== null && { minimum: minimum.toFixed() }),
    ...(maximum !== null && { maximum: maximum.toFixed() }),
    amount: amount.toFixed(),
    certainty,
    source,
  }
}

function chargeLine(charge: Exact<Charge>): string {
  const { kind, basis, amount, certainty } = charge
  const by = `${rateText(charge)} of ${basis.toFixed()}${limitsText(charge)}`
  return `${kind} ${by} = ${amount.toFixed()} (${certainty ?? 'as requested'})`
}

function rateText({ rate, unit_amount, unit }: Exact<Charge>): string {
  if (rate !== null) return `${rate.toFixed()} %`
  return unit_amount === null ? 'flat' : `${unit_amount.toFixed()} per ${unit}`
}

/** `leftOut`: omissions that are listed once for all countries. */
function countryLines({ fields, chargeLines }: CountryEstimate, leftOut: readonly string[]): string[] {
  const { country, list, currency, converted, proof_of_origin, parcels } = fields
  const notIncluded = fields.not_included.filter(one => !leftOut.includes(one))
  return [
    `${country}${list === null ? '' : `, list of ${list}`}`,
    ...fields.warnings,
    `customs value ${fields.customs_value} ${currency}`,
    ...chargeLines,
    `duties and taxes ${fields.duties_and_taxes}, landed cost ${fields.landed_cost} ${currency}`,
    ...(converted === undefined
      ? []
      : [
          `in ${converted.currency} at ${converted.rate}: duties and taxes ${converted.duties_and_taxes}, landed cost ${converted.landed_cost}`,
        ]),
    ...[proof_of_origin, parcels].filter(one => one !== undefined),
    ...(notIncluded.length === 0 ? [] : [`Not included: ${notIncluded.join(' ')}`]),
  ]
}
