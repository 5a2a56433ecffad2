import { COUNTRY_CODES } from '../snapshot/country-format.js'
import { query } from './operations.js'
import { type Json, patterned } from './schema-parts.js'

export const COUNTRY =
  "The country whose rates are used instead of those of the common tariff; letter case does not matter. Default: the server's HSAPI_COUNTRY"
export const AS_OF = "Uses the country's newest list of this day or earlier; a day before the first list is refused"

const anyCase = (code: string) => [...code].map(letter => `[${letter}${letter.toLowerCase()}]`).join('')

export const countrySchema: Json = { ...patterned(`^(?:${COUNTRY_CODES.map(anyCase).join('|')})$`), examples: [...COUNTRY_CODES] }
export const daySchema: Json = { type: 'string', format: 'date' }

export const country: readonly Json[] = [
  query('country', countrySchema, COUNTRY, 'SA'),
  query('as_of', daySchema, AS_OF, '2026-03-01'),
]
