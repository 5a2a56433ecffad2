/** Checks and parses the parameters of a shipment, other than code and value. */
import { type Amount, Decimal, decimal, parseValue } from '../../catalog/amount.js'
import { SUGAR_MAX } from '../../limits.js'
import { TAX_UNITS, type TaxUnit } from '../../snapshot/country-format.js'
import { ISO_COUNTRIES } from '../iso-countries.js'
import { invalidParameter, Refusal } from '../refusal.js'

/** The parameters as text; '' for those that the caller did not send. */
export interface ShipmentText {
  origin: string
  freight: string
  insurance: string
  quantity: string
  unit: string
  sugar: string
}

export const NO_SHIPMENT: ShipmentText = { origin: '', freight: '', insurance: '', quantity: '', unit: '', sugar: '' }
export const SHIPMENT_PARAMETERS = Object.keys(NO_SHIPMENT) as (keyof ShipmentText)[]

export function shipmentText(textOf: (name: keyof ShipmentText) => string): ShipmentText {
  const text = { ...NO_SHIPMENT }
  for (const name of SHIPMENT_PARAMETERS) text[name] = textOf(name)
  return text
}

export interface Shipment {
  /** ISO code of the country of origin. */
  origin: string | undefined
  freight: Amount | undefined
  insurance: Amount | undefined
  quantity: { amount: Decimal; unit: TaxUnit } | undefined
  /** Grams per 100 ml. */
  sugar: Decimal | undefined
}

const ZERO = /^0+(?:\.0+)?$/
const AMOUNT_RULE = 'must be a number of at most 15 digits, 0 or from 0.01 to 999999999999.99'

export function readShipment(text: ShipmentText): Shipment | Refusal {
  const origin = readOrigin(text.origin)
  if (origin instanceof Refusal) return origin
  const freight = readAmount('freight', text.freight)
  if (freight instanceof Refusal) return freight
  const insurance = readAmount('insurance', text.insurance)
  if (insurance instanceof Refusal) return insurance
  const quantity = readQuantity(text)
  if (quantity instanceof Refusal) return quantity
  const sugar = readSugar(text.sugar)
  if (sugar instanceof Refusal) return sugar
  return { origin, freight, insurance, quantity, sugar }
}

function readOrigin(text: string): string | undefined | Refusal {
  if (text === '') return undefined
  const code = text.toUpperCase()
  if (ISO_COUNTRIES.has(code)) return code
  return invalidParameter('origin', 'must be the two-letter ISO code of a country, such as CN')
}

function readAmount(name: string, text: string): Amount | undefined | Refusal {
  if (text === '') return undefined
  if (ZERO.test(text)) return new Decimal(0)
  return parseValue(text) ?? invalidParameter(name, AMOUNT_RULE)
}

function readQuantity({ quantity, unit }: ShipmentText): Shipment['quantity'] | Refusal {
  if (quantity === '' && unit === '') return undefined
  if (unit === '') return invalidParameter('unit', `is needed with quantity: ${TAX_UNITS.join(', ')}`)
  if (!(TAX_UNITS as readonly string[]).includes(unit))
    return invalidParameter('unit', 'must be l (litres), u (pieces) or g (grams)')
  if (quantity === '') return invalidParameter('quantity', 'is needed with unit')
  const amount = parseValue(quantity)
  if (amount === undefined) return invalidParameter('quantity', 'must be a number from 0.01 to 999999999999.99')
  return { amount: decimal(amount), unit: unit as TaxUnit }
}

function readSugar(text: string): Decimal | undefined | Refusal {
  if (text === '') return undefined
  const sugar = ZERO.test(text) ? new Decimal(0) : parseValue(text)
  if (sugar !== undefined && decimal(sugar).lessThanOrEqualTo(SUGAR_MAX)) return decimal(sugar)
  return invalidParameter('sugar', `must be grams of sugar per 100 ml, from 0 to ${SUGAR_MAX}`)
}
