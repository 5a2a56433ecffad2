/** Masks keys in log lines: more people can read a log than may use the keys in it. */

const MASK = '***'
/** Names of parameters that contain secrets, as `plainName` normalises them. */
const SECRET_NAMES: readonly string[] = [
  'key',
  'apikey',
  'xapikey',
  'marketplacekey',
  'xmarketplacekey',
  'token',
  'accesstoken',
  'auth',
  'authorization',
  'bearer',
]
/** The beginning of a key; the rest may be missing. */
const OUR_KEY = /hs_[a-z]{1,10}_[0-9a-z]{6}/i
/** A quick test: a text that does not match contains nothing to mask. */
const SUSPECT = /key|token|auth|bearer|_|%|\x7f/i
const ENCODED_BYTE = /%([0-9a-f]{2})/gi
/** A text that is encoded more times than this is masked without decoding it further. */
const DECODINGS_MAX = 8

/**
 * Decodes a text until nothing is left to decode; undefined if the text is encoded too many times. Unlike decodeURIComponent,
 * it accepts bytes that are not UTF-8, so that a key next to them is found.
 */
function decoded(text: string): string | undefined {
  let before = text
  for (let n = 0; n < DECODINGS_MAX; n++) {
    const after = before.replace(ENCODED_BYTE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    if (after === before) return after
    before = after
  }
  return undefined
}

/**
 * Whether a text contains one of our keys or the beginning of one, even encoded several times or with separators between its
 * letters.
 */
export function holdsKey(text: string): boolean {
  const plain = decoded(text)
  // uWebSockets.js changes _ in a method to DEL
  return plain === undefined || OUR_KEY.test(plain.replaceAll('\x7f', '_').replaceAll(/\W+/g, ''))
}

const plainName = (name: string) =>
  decoded(name)
    ?.toLowerCase()
    .replaceAll(/[^a-z]/g, '') ?? ''

function maskParameter(parameter: string): string {
  const equals = parameter.indexOf('=')
  const name = equals < 0 ? '' : parameter.slice(0, equals)
  if (holdsKey(name)) return MASK
  const isSecret = SECRET_NAMES.includes(plainName(name)) || holdsKey(parameter)
  if (!isSecret) return parameter
  return equals < 0 ? MASK : `${name}=${MASK}`
}

/** Masks the keys in a path and query. */
export function maskTarget(target: string): string {
  if (!SUSPECT.test(target)) return target
  const [path = '', ...query] = target.split('?')
  const shown = path
    .split('/')
    .map(part => (holdsKey(part) ? MASK : part))
    .join('/')
  if (query.length === 0) return shown
  return `${shown}?${query.join('?').split('&').map(maskParameter).join('&')}`
}

/** Masks every word that contains a key. */
export function maskKeys(text: string): string {
  return SUSPECT.test(text) ? text.replaceAll(/[^\s/?&=]+/g, word => (holdsKey(word) ? MASK : word)) : text
}
