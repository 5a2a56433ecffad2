/** Writes key files in the server's format, with keys derived from a seed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checksumOf, hashKey, withChecksum } from '../../dist/src/keys/key.js'
import { HEAD_LINE, TAIL_LINE } from '../../dist/src/keys/key-lines.js'

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARS = 32
/** A limit that no run uses up. */
export const HIGH_LIMIT = 2_000_000_000

export function newKey(random, tier = 'pro') {
  return withChecksum(`hs_${tier}_${random.text(ALPHABET, RANDOM_CHARS)}`)
}

/** @param {{id: string, key: string}[]} keys with the fields that differ from a pro key with ample limits */
export function writeKeys(directory, keys) {
  mkdirSync(directory, { recursive: true })
  const lines = keys.map(({ id, key, ...changes }) =>
    JSON.stringify({
      id,
      name: 'proof',
      tier: 'pro',
      hash: hashKey(key),
      checksum: checksumOf(key),
      expires_at: null,
      per_minute: HIGH_LIMIT,
      per_day: HIGH_LIMIT,
      created_at: '2026-01-01T00:00:00+00:00',
      revoked_at: null,
      rotated_at: null,
      ...changes,
    }),
  )
  writeFileSync(join(directory, 'keys.json'), `${HEAD_LINE}\n${lines.join(',\n')}\n${TAIL_LINE}\n`, {
    mode: 0o600,
  })
}
