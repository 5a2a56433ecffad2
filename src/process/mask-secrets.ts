/** Keys that callers put into a URL: an access log is read by more people than may use them. */

const MASK = '***'
/** Names of parameters that hold a secret, as `plainName` writes them. */
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
/** The beginning of a key of ours, which a caller may have cut off. */
const OUR_KEY = /hs_[a-z]{1,10}_[0-9a-z]{6}/i
/** A target without any of these has nothing to mask. */
const SUSPECT = /key|token|auth|bearer|hs_|%/i

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const plainName = (name: string) =>
  decoded(name)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

const isOurKey = (text: string) => OUR_KEY.test(decoded(text))

function maskParameter(parameter: string): string {
  const equals = parameter.indexOf('=')
  const name = equals < 0 ? '' : parameter.slice(0, equals)
  if (isOurKey(name)) return MASK
  const isSecret = SECRET_NAMES.includes(plainName(name)) || isOurKey(parameter)
  if (!isSecret) return parameter
  return equals < 0 ? MASK : `${name}=${MASK}`
}

/** A path and its query, as they may be written down. */
export function maskSecrets(target: string): string {
  if (!SUSPECT.test(target)) return target
  const [path = '', ...query] = target.split('?')
  const shown = path
    .split('/')
    .map(part => (isOurKey(part) ? MASK : part))
    .join('/')
  if (query.length === 0) return shown
  return `${shown}?${query.join('?').split('&').map(maskParameter).join('&')}`
}
