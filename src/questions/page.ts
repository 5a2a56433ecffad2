/** Paging. Callers that parse text pass NaN if the text is not a whole number. */
import { PAGE_LIMIT_MAX } from '../limits.js'
import { invalidParameter, type Refusal } from './refusal.js'

/** A page as a run of consecutive records or lines. */
export interface Run {
  /** Not valid if `count` is 0. */
  first: number
  count: number
  total: number
  limit: number
  offset: number
}

/** The page of a run that starts at `first` and has `total` members. */
export function pageOfRun(first: number, total: number, limit: number, offset: number): Run {
  return { first: first + offset, count: Math.max(0, Math.min(limit, total - offset)), total, limit, offset }
}

export function refusePage(limit: number, offset: number): Refusal | undefined {
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= PAGE_LIMIT_MAX))
    return invalidParameter('limit', `must be a whole number from 1 to ${PAGE_LIMIT_MAX}`)
  if (!(Number.isSafeInteger(offset) && offset >= 0)) return invalidParameter('offset', 'must be a whole number of 0 or more')
  return undefined
}
