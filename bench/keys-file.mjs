/** Writes a key file with any number of keys; `hsapi keys create` makes one at a time. */
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { checksumOf, hashKey, withChecksum } from '../dist/src/keys/key.js'

const LIMIT = 900_000_000
const BATCH = 5_000

function record(key, number) {
  return JSON.stringify({
    id: `bench${number}`,
    name: '',
    tier: 'pro',
    hash: hashKey(key),
    checksum: checksumOf(key),
    expires_at: null,
    per_minute: LIMIT,
    per_day: LIMIT,
    created_at: '2026-01-01T00:00:00+00:00',
    revoked_at: null,
    rotated_at: null,
  })
}

/** @returns {string[]} some of the keys, spread over the whole file, at most `sample` */
export function writeKeyFile(directory, count, sample) {
  mkdirSync(directory, { recursive: true })
  const file = openSync(join(directory, 'keys.json'), 'w', 0o600)
  const every = Math.ceil(count / sample)
  const kept = []
  try {
    writeSync(file, '{"version":1,"keys":[')
    for (let start = 0; start < count; start += BATCH) {
      const lines = []
      for (let number = start; number < Math.min(count, start + BATCH); number++) {
        const key = withChecksum(`hs_pro_${randomBytes(16).toString('hex')}`)
        lines.push(record(key, number))
        if (number % every === 0) kept.push(key)
      }
      writeSync(file, `${start > 0 ? ',' : ''}\n${lines.join(',\n')}`)
    }
    writeSync(file, '\n]}\n')
  } finally {
    closeSync(file)
  }
  return kept
}
