/** Reads the parameters and fields of requests to /keys as typed values. */
import { isoDay } from '../clock.js'
import { expiryProblem, GRACE_RULE, nameProblem, readGrace } from '../keys/key-options.js'
import type { KeyOptions } from '../keys/key-record.js'
import type { KeyStatus } from '../keys/key-view.js'
import { isTier, LIMIT_MAX, TIERS } from '../quotas/tiers.js'

export const PAGE_KEYS_MAX = 100
export const OFFSET_MAX = 200_000
const SEARCH_CHARS_MAX = 200
const STATUSES: readonly string[] = ['active', 'expired', 'revoked'] satisfies KeyStatus[]

export interface KeyQuery {
  /** Part of a name or an id; '' matches all keys. */
  search: string
  status: KeyStatus | undefined
  offset: number
  limit: number
}

/** A parameter or field that is refused, and why. */
export interface Fault {
  parameter: string
  message: string
}

export const isFault = (value: object): value is Fault => 'parameter' in value

type Values = Readonly<Record<string, unknown>>

const fault = (parameter: string, problem: string): Fault => ({ parameter, message: `${parameter} ${problem}.` })

function unknownField(values: Values, known: readonly string[]): Fault | undefined {
  const name = Object.keys(values).find(field => !known.includes(field))
  return name === undefined
    ? undefined
    : { parameter: name, message: known.length === 0 ? 'This path takes no fields.' : `Unknown field; use ${known.join(', ')}.` }
}

function wholeIn(query: URLSearchParams, name: string, min: number, max: number, fallback: number): number | Fault {
  const given = query.get(name)
  if (given === null) return fallback
  const value = /^[0-9]{1,9}$/.test(given) ? Number(given) : Number.NaN
  return value >= min && value <= max ? value : fault(name, `must be a whole number from ${min} to ${max}`)
}

export function readKeyQuery(query: URLSearchParams): KeyQuery | Fault {
  const search = query.get('search') ?? ''
  if (search.length > SEARCH_CHARS_MAX) return fault('search', `may have ${SEARCH_CHARS_MAX} characters at most`)
  const status = query.get('status')
  if (status !== null && !STATUSES.includes(status)) return fault('status', `must be one of ${STATUSES.join(', ')}`)
  const offset = wholeIn(query, 'offset', 0, OFFSET_MAX, 0)
  if (typeof offset === 'object') return offset
  const limit = wholeIn(query, 'limit', 1, PAGE_KEYS_MAX, PAGE_KEYS_MAX)
  if (typeof limit === 'object') return limit
  return { search, status: (status ?? undefined) as KeyStatus | undefined, offset, limit }
}

const NEW_KEY_FIELDS = ['tier', 'name', 'expires', 'per_minute', 'per_day', 'unlimited']

const isLimit = (value: unknown) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LIMIT_MAX

/** Applies the rules of `hsapi keys create`. A field that is null is treated as missing. */
export function readKeyOptions(values: Values, nowMs: number): KeyOptions | Fault {
  const unknown = unknownField(values, NEW_KEY_FIELDS)
  if (unknown !== undefined) return unknown
  const { tier, unlimited } = values
  const [name, expires] = [values.name ?? '', values.expires ?? null]
  const [perMinute, perDay] = [values.per_minute ?? null, values.per_day ?? null]
  if (typeof tier !== 'string' || !isTier(tier)) return fault('tier', `must be one of ${Object.keys(TIERS).join(', ')}`)
  if (typeof name !== 'string') return fault('name', 'must be text')
  const wrongName = nameProblem(name)
  if (wrongName !== undefined) return fault('name', wrongName)
  if (expires !== null && typeof expires !== 'string') return fault('expires', 'must be a day such as 2027-12-31, or null')
  const wrongDay = expires === null ? undefined : expiryProblem(expires, isoDay(nowMs))
  if (wrongDay !== undefined) return fault('expires', wrongDay)
  for (const [field, limit] of Object.entries({ per_minute: perMinute, per_day: perDay }))
    if (limit !== null && !isLimit(limit)) return fault(field, `must be a whole number from 0 to ${LIMIT_MAX}`)
  if (unlimited !== undefined && typeof unlimited !== 'boolean') return fault('unlimited', 'must be true or false')
  if (unlimited === true && (perMinute !== null || perDay !== null))
    return fault('unlimited', 'cannot be combined with per_minute or per_day')
  return {
    tier,
    name,
    expiresAt: expires,
    perMinute: perMinute as number | null,
    perDay: perDay as number | null,
    unlimited: unlimited === true,
  }
}

/** Returns how long the old secret keeps working, in milliseconds. */
export function readRotation(values: Values): number | Fault {
  const unknown = unknownField(values, ['grace'])
  if (unknown !== undefined) return unknown
  const { grace = null } = values
  if (grace === null) return 0
  return (typeof grace === 'string' ? readGrace(grace) : undefined) ?? fault('grace', `is wrong; ${GRACE_RULE}`)
}

export function readRevocation(values: Values): Fault | undefined {
  return unknownField(values, [])
}
