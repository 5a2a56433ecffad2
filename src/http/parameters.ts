/** Parameters as typed values. A wrong one is a refusal, returned, not thrown. */
import type { ErrorName } from '../errors.js'
import { BROKEN, type Query } from './query.js'

export interface Refusal {
  name: ErrorName
  message?: string
  details?: string
}

/** Records on a page, at most. */
export const PAGE_LIMIT_MAX = 50

const INTEGER = /^(?:0|[1-9][0-9]{0,14})$/

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null
}

/** Names the parameter for people in the message and for programs in `details`. */
export function invalidParameter(name: string, rule: string): Refusal {
  return {
    name: 'invalidParameter',
    message: `The parameter ${name} ${rule}.`,
    details: `"parameter":"${name}"`,
  }
}

export function textParameter(query: Query, name: string): string | Refusal {
  const text = query.get(name)
  return text === BROKEN ? invalidParameter(name, 'has broken percent-encoding') : text
}

export function integerParameter(
  query: Query,
  name: string,
  min: number,
  max: number,
  fallback: number,
): number | Refusal {
  const text = textParameter(query, name)
  if (isRefusal(text)) return text
  if (text === '') return fallback
  const value = INTEGER.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  const rule = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`
  return invalidParameter(name, `must be a whole number ${rule}`)
}

const LEVELS = ['2', '4', '6', '8', '10', '12']

/** 0 where no level was asked for. */
export function levelParameter(query: Query): number | Refusal {
  const text = textParameter(query, 'level')
  if (isRefusal(text)) return text
  if (text === '') return 0
  return LEVELS.includes(text) ? Number(text) : invalidParameter('level', 'must be 2, 4, 6, 8, 10 or 12')
}

export function booleanParameter(query: Query, name: string): boolean | Refusal {
  const text = textParameter(query, name)
  if (isRefusal(text)) return text
  switch (text.length > 1 ? text.toLowerCase() : text) {
    case '1':
    case 'true':
      return true
    case '':
    case '0':
    case 'false':
      return false
    default:
      return invalidParameter(name, 'must be 1, true, 0 or false')
  }
}

export function currencyParameter(query: Query): string | Refusal {
  const text = textParameter(query, 'currency')
  if (isRefusal(text)) return text
  if (text === '') return 'USD'
  if (!/^[A-Za-z]{3}$/.test(text)) return invalidParameter('currency', 'must be three letters, such as AED')
  return text.toUpperCase()
}
