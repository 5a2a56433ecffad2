/** A key as operators see it: without hashes, and with the limits in force. */
import { type KeyRecord, limitsOf } from './key-record.js'

export type KeyStatus = 'active' | 'expired' | 'revoked'

export interface KeyView extends Omit<KeyRecord, 'hash' | 'checksum' | 'previous' | 'per_minute' | 'per_day' | 'unlimited'> {
  per_minute: number
  per_day: number
  unlimited: boolean
  /** Set while the secret from before the last rotation still works. */
  old_key_until?: string
}

/** `now` has the format of the times in a record, such as 2026-05-04T12:00:00+00:00. */
export function viewOf(record: KeyRecord, now: string): KeyView {
  const { hash: _hash, checksum: _checksum, previous, ...rest } = record
  const { perMinute, perDay } = limitsOf(record)
  const view: KeyView = { ...rest, per_minute: perMinute, per_day: perDay, unlimited: record.unlimited === true }
  if (previous !== undefined && previous.until > now) view.old_key_until = previous.until
  return view
}

export function keyStatus({ revoked_at, expires_at }: Pick<KeyRecord, 'revoked_at' | 'expires_at'>, today: string): KeyStatus {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at < today ? 'expired' : 'active'
}
