/** Paging. Readers of text pass NaN for anything but a whole number. */
import { PAGE_LIMIT_MAX } from '../limits.js'
import { invalidParameter, type Refusal } from './refusal.js'

export function refusePage(limit: number, offset: number): Refusal | undefined {
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= PAGE_LIMIT_MAX))
    return invalidParameter('limit', `must be a whole number from 1 to ${PAGE_LIMIT_MAX}`)
  if (!(Number.isSafeInteger(offset) && offset >= 0)) return invalidParameter('offset', 'must be a whole number of 0 or more')
  return undefined
}
