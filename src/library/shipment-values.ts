import type { CountryEstimate as PlainEstimate } from '../answers/shapes.js'
import { exactShipment, rounded } from '../answers/shipment.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { isoDay } from '../clock.js'
import { estimateShipment, type ShipmentQuestion } from '../questions/shipment/estimate.js'
import { SHIPMENT_PARAMETERS, type ShipmentText, shipmentText } from '../questions/shipment/read.js'
import { answerOrNull, parameterError } from './check-arguments.js'
import type { CountryEstimate, ShipmentOptions } from './values.js'

type PlainQuestion = Pick<ShipmentQuestion, 'code' | 'value' | 'currency' | 'withVat' | 'vatRate'>

export function shipmentValue(
  catalog: Catalog,
  view: CountryView,
  plain: PlainQuestion,
  options: Partial<ShipmentOptions>,
): CountryEstimate | null {
  const { convert, as_of: asOf } = options
  if (convert !== undefined && typeof convert !== 'boolean') throw parameterError('convert', 'must be a boolean')
  const shipment = shipmentText(name => optionText(options, name))
  const destination = { view, day: asOf || isoDay(Date.now()) }
  const answer = answerOrNull(estimateShipment(catalog, destination, { ...plain, convert, shipment }))
  return answer === null ? null : deepFreeze(rounded<PlainEstimate>(exactShipment(catalog, answer, true)) as CountryEstimate)
}

/** Name of the first option that is set and needs a country. */
export function needsCountry(options: Partial<ShipmentOptions>): string | undefined {
  return ['convert', ...SHIPMENT_PARAMETERS].find(name => options[name as keyof ShipmentOptions] !== undefined)
}

function optionText(options: Partial<ShipmentOptions>, name: keyof ShipmentText): string {
  const option = options[name] ?? ''
  if (typeof option !== 'string' && typeof option !== 'number') throw parameterError(name, 'must be a string or a number')
  return String(option)
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
