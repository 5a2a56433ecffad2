import { INCLUDES } from '../limits.js'
import { invalidParameter, type Refusal } from './refusal.js'

export type Include = Record<(typeof INCLUDES)[number], boolean>

const RULE = `must be one or more of ${INCLUDES.join(', ')}, separated by commas`

/** Undefined for an empty list. */
export function readInclude(list: string): Include | undefined | Refusal {
  if (list === '') return undefined
  const include: Include = { path: false, editions: false, rate: false }
  for (const name of list.split(',')) {
    if (!Object.hasOwn(include, name)) return invalidParameter('include', RULE)
    include[name as keyof Include] = true
  }
  return include
}
