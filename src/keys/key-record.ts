/** The stored record of a key, and its changes. */
import { isoSeconds } from '../clock.js'
import { OperatorError } from '../errors.js'
import { isTier, LIMIT_MAX, type Limits, TIERS, type Tier, UNLIMITED } from '../quotas/tiers.js'
import { checksumOf, hashKey, newKey, newKeyId } from './key.js'

export interface KeyRecord {
  id: string
  name: string
  tier: Tier
  hash: string
  checksum: string
  /** The last valid day (UTC, YYYY-MM-DD). */
  expires_at: string | null
  per_minute: number | null
  per_day: number | null
  unlimited?: true
  created_at: string
  revoked_at: string | null
  rotated_at: string | null
  /** The secret before the last rotation, while it still works. */
  previous?: PreviousSecret
}

export interface PreviousSecret {
  hash: string
  checksum: string
  until: string
}

export interface KeyOptions {
  tier: Tier
  name: string
  expiresAt: string | null
  perMinute: number | null
  perDay: number | null
  unlimited?: boolean
}

export function limitsOf({ unlimited, per_minute, per_day, tier }: KeyRecord): Limits {
  if (unlimited) return UNLIMITED
  return { perMinute: per_minute ?? TIERS[tier].perMinute, perDay: per_day ?? TIERS[tier].perDay }
}

/** A new key, which is shown only once, with its record. */
export interface MadeKey {
  key: string
  record: KeyRecord
}

export abstract class KeyStore {
  /** Undefined if no key was ever stored. */
  abstract read(): Promise<KeyRecord[] | undefined>
  abstract create(options: KeyOptions, now: string): Promise<MadeKey>
  protected abstract change<Result>(id: string, edit: (record: KeyRecord) => Result): Promise<Result>
  /** Adds records and replaces older ones; returns the number of changes. */
  abstract put(records: readonly KeyRecord[]): Promise<number>

  revoke(id: string, now: string): Promise<KeyRecord> {
    return this.change(id, record => revokeRecord(record, now))
  }

  /** The old secret keeps working for `graceMs`. */
  rotate(id: string, now: string, graceMs = 0): Promise<MadeKey> {
    return this.change(id, record => rotateRecord(record, now, graceMs))
  }
}

const HASH = /^[0-9A-Za-z_-]{43}$/

function isLimit(value: unknown): boolean {
  return value === null || (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LIMIT_MAX)
}

function isPrevious(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { hash, checksum, until } = value as Record<string, unknown>
  const isHash = typeof hash === 'string' && HASH.test(hash)
  return isHash && typeof checksum === 'string' && typeof until === 'string' && !Number.isNaN(Date.parse(until))
}

export function isRecord(value: unknown): value is KeyRecord {
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Record<string, unknown>
  const dateOrNull = (v: unknown) => v === null || typeof v === 'string'
  return (
    typeof fields.id === 'string' &&
    typeof fields.name === 'string' &&
    typeof fields.tier === 'string' &&
    isTier(fields.tier) &&
    typeof fields.hash === 'string' &&
    HASH.test(fields.hash) &&
    typeof fields.checksum === 'string' &&
    typeof fields.created_at === 'string' &&
    dateOrNull(fields.expires_at) &&
    dateOrNull(fields.revoked_at) &&
    isLimit(fields.per_minute) &&
    isLimit(fields.per_day) &&
    (fields.unlimited === undefined || fields.unlimited === true) &&
    (fields.previous === undefined || isPrevious(fields.previous))
  )
}

export function parseRecord(text: string): KeyRecord | 'foreign' | undefined {
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch {
    return undefined
  }
  return isRecord(record) ? record : 'foreign'
}

/** A change that the state of the key, or of all keys, does not allow. */
export class KeyRefusal extends OperatorError {
  constructor(
    readonly reason: 'unknown' | 'revoked' | 'many',
    message: string,
  ) {
    super(message)
  }
}

export function noSuchKey(id: string): KeyRefusal {
  return new KeyRefusal('unknown', `there is no key ${id}; "hsapi keys list" shows all`)
}

export function makeRecord(options: KeyOptions, now: string): MadeKey {
  const key = newKey(options.tier)
  const record: KeyRecord = {
    id: newKeyId(),
    name: options.name,
    tier: options.tier,
    hash: hashKey(key),
    checksum: checksumOf(key),
    expires_at: options.expiresAt,
    per_minute: options.perMinute,
    per_day: options.perDay,
    ...(options.unlimited && { unlimited: true }),
    created_at: now,
    revoked_at: null,
    rotated_at: null,
  }
  return { key, record }
}

function revokeRecord(record: KeyRecord, now: string): KeyRecord {
  if (record.revoked_at !== null) throw new KeyRefusal('revoked', `key ${record.id} was already revoked, at ${record.revoked_at}`)
  record.revoked_at = now
  return record
}

/**
 * Returns `now`, or one second after `before` if `now` is not later: a clock may have been set back, and the secret with the
 * latest time is the current one.
 */
function after(before: string | null, now: string): string {
  return before === null || before < now ? now : isoSeconds(Date.parse(before) + 1000)
}

/**
 * Gives the key a new secret and keeps its id, name, limits and counts. Of the old secrets, only the last works during the
 * grace time.
 */
export function rotateRecord(record: KeyRecord, now: string, graceMs = 0): MadeKey {
  if (record.revoked_at !== null) throw new KeyRefusal('revoked', `key ${record.id} is revoked; create a new one instead`)
  const { hash, checksum } = record
  delete record.previous
  if (graceMs > 0) record.previous = { hash, checksum, until: isoSeconds(Date.parse(now) + graceMs) }
  const key = newKey(record.tier)
  record.hash = hashKey(key)
  record.checksum = checksumOf(key)
  record.rotated_at = after(record.rotated_at, now)
  return { key, record }
}

/** Whether `record` replaces the stored record. A revocation is final. */
export function isNewer(record: KeyRecord, stored: KeyRecord): boolean {
  if (stored.revoked_at !== null) return false
  if (record.revoked_at !== null) return true
  return (record.rotated_at ?? '') > (stored.rotated_at ?? '')
}
