/** Query parameters as plain values; src/questions decides which values are allowed. */
import { type Include, readInclude } from '../questions/include.js'
import { invalidParameter, Refusal } from '../questions/refusal.js'
import { BROKEN, type Query } from './query.js'

const INTEGER = /^(?:0|[1-9][0-9]{0,14})$/

/** '' if absent. */
export function textParameter(query: Query, name: string): string | Refusal {
  const text = query.get(name)
  return text === BROKEN ? invalidParameter(name, 'has broken percent-encoding') : text
}

/** Undefined if absent or empty, NaN if not a whole number. */
export function integerParameter(query: Query, name: string): number | undefined | Refusal {
  const text = textParameter(query, name)
  if (typeof text !== 'string') return text
  if (text === '') return undefined
  return INTEGER.test(text) ? Number(text) : Number.NaN
}

export function includeParameter(query: Query): Include | undefined | Refusal {
  const list = textParameter(query, 'include')
  return typeof list === 'string' ? readInclude(list) : list
}

export interface PageParameters {
  limit: number | undefined
  offset: number | undefined
  include: Include | undefined
}

export function pageParameters(query: Query): PageParameters | Refusal {
  const limit = integerParameter(query, 'limit')
  if (limit instanceof Refusal) return limit
  const offset = integerParameter(query, 'offset')
  if (offset instanceof Refusal) return offset
  const include = includeParameter(query)
  return include instanceof Refusal ? include : { limit, offset, include }
}

/** Undefined if absent or empty, null if invalid. */
export function booleanParameter(query: Query, name: string): boolean | null | undefined | Refusal {
  const text = textParameter(query, name)
  if (typeof text !== 'string') return text
  switch (text.length > 1 ? text.toLowerCase() : text) {
    case '1':
    case 'true':
      return true
    case '':
      return undefined
    case '0':
    case 'false':
      return false
    default:
      return null
  }
}
