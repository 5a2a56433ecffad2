/** Parameters that several tools share, as JSON Schema. */
import { COUNTRY_CODES } from '../snapshot/country-format.js'

export const country = {
  enum: [...COUNTRY_CODES],
  description: "Country whose rates and controls apply; the GCC's common tariff by default.",
}

export const language = {
  enum: ['en', 'ar', 'both'],
  description: 'Language of descriptions; "en" by default. "ar" or "both" only if the user reads Arabic.',
}

const CODE_TYPES = ['string', 'integer'] as const

export const code = { type: CODE_TYPES, description: 'As written: dots, spaces and a lost leading zero do not matter.' }

export const amount = (description: string) => ({ type: ['number', 'string'], description })

export const codes = (minItems: number, maxItems: number) => ({
  type: 'array',
  items: { type: CODE_TYPES },
  minItems,
  maxItems,
})
