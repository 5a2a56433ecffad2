/** Keys: hs_<tier>_<random>_<checksum>. The checksum reveals mistyped keys without a lookup; it is not a secret. */
import { createHash, randomInt } from 'node:crypto'
import { fnv1a } from '../fnv1a.js'
import type { Tier } from '../quotas/tiers.js'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Enough for about 190 random bits. */
const RANDOM_CHARS = 32
export const CHECKSUM_CHARS = 6
const ID_CHARS = 10
/** Longer texts are refused without hashing. */
export const KEY_CHARS_MAX = 64

function randomText(length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += ALPHABET[randomInt(ALPHABET.length)]
  return text
}

/** FNV-1a over the text, written in base 62. */
function checksum(text: string): string {
  let hash = fnv1a(text)
  let out = ''
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    out += ALPHABET[hash % 62]
    hash = Math.floor(hash / 62)
  }
  return out
}

/** `page`: the explorer's key, which is not stored and has no tier. */
export function newKey(kind: Tier | 'page'): string {
  return withChecksum(`hs_${kind}_${randomText(RANDOM_CHARS)}`)
}

export function withChecksum(body: string): string {
  return `${body}_${checksum(body)}`
}

export function newKeyId(): string {
  return randomText(ID_CHARS)
}

/** Stored with the hash, so that unknown keys are refused without hashing. */
export function checksumOf(key: string): string {
  return key.slice(-CHECKSUM_CHARS)
}

/** Keys are long and random, so an unsalted SHA-256 cannot be reversed by guessing. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
