/** Parameters of a query string as plain values. What they may be is for the questions to say. */
import { type Include, readInclude } from '../questions/include.js'
import { invalidParameter, type Refusal } from '../questions/refusal.js'
import { BROKEN, type Query } from './query.js'

const INTEGER = /^(?:0|[1-9][0-9]{0,14})$/

/** '' where it is absent or empty. */
export function textParameter(query: Query, name: string): string | Refusal {
  const text = query.get(name)
  return text === BROKEN ? invalidParameter(name, 'has broken percent-encoding') : text
}

/** Undefined where it is absent or empty, NaN where it is no whole number. */
export function integerParameter(query: Query, name: string): number | undefined | Refusal {
  const text = textParameter(query, name)
  if (typeof text !== 'string') return text
  if (text === '') return undefined
  return INTEGER.test(text) ? Number(text) : Number.NaN
}

/** What is asked for beside the records; undefined where nothing is. */
export function includeParameter(query: Query): Include | undefined | Refusal {
  const list = textParameter(query, 'include')
  return typeof list === 'string' ? readInclude(list) : list
}

/** Null where it is neither. */
export function booleanParameter(query: Query, name: string): boolean | null | Refusal {
  const text = textParameter(query, name)
  if (typeof text !== 'string') return text
  switch (text.length > 1 ? text.toLowerCase() : text) {
    case '1':
    case 'true':
      return true
    case '':
    case '0':
    case 'false':
      return false
    default:
      return null
  }
}
