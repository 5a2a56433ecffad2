import { ERRORS } from '../errors.js'
import * as limits from '../limits.js'

export type Json = Record<string, unknown>

export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

export function object(properties: Record<string, Json>, optional: string[] = []): Json {
  const required = Object.keys(properties).filter(name => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false }
}

export const codePattern = (digitsMax: number) => `^[0-9]{${limits.CODE_DIGITS_MIN},${digitsMax}}$`

export const string: Json = { type: 'string' }
export const stringOrNull: Json = { type: ['string', 'null'] }
export const boolean: Json = { type: 'boolean' }
export const amount: Json = { type: 'number' }
export const percentage: Json = { type: 'number', minimum: 0 }
export const count: Json = { type: 'integer', minimum: 0 }
export const text = (minLength: number, maxLength: number): Json => ({ type: 'string', minLength, maxLength })
export const integer = (minimum: number, maximum: number): Json => ({ type: 'integer', minimum, maximum })
export const number = (minimum: number, maximum: number): Json => ({ type: 'number', minimum, maximum })
export const patterned = (pattern: string): Json => ({ type: 'string', pattern })
export const code = patterned(codePattern(limits.CODE_DIGITS_MAX))
export const codeOrNull: Json = { ...stringOrNull, pattern: codePattern(limits.CODE_DIGITS_MAX) }
export const unece: Json = {
  ...stringOrNull,
  description: 'Code of the unit in UN/ECE Recommendation 20, as used in e-invoices; null if it has none',
}
export const subheading = patterned('^[0-9]{6}$')
export const errorCode: Json = { type: 'string', enum: Object.values(ERRORS).map(error => error.code) }
/** An error that replaces the answer for an item. */
export const itemError = object({ code: errorCode, message: string })
export const list = (items: Json, maxItems: number, minItems = 0): Json => ({ type: 'array', minItems, maxItems, items })
