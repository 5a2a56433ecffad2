/** Masks keys in URLs: more people read an access log than may use its keys. */
import { decodeIfValid } from '../engines/request.js'

const MASK = '***'
/** Normalised by `plainName`. */
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
/** Other targets have nothing to mask. */
const SUSPECT = /key|token|auth|bearer|hs_|%/i

const plainName = (name: string) =>
  decodeIfValid(name)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

export const isOurKey = (text: string) => OUR_KEY.test(decodeIfValid(text))

function maskParameter(parameter: string): string {
  const equals = parameter.indexOf('=')
  const name = equals < 0 ? '' : parameter.slice(0, equals)
  if (isOurKey(name)) return MASK
  const isSecret = SECRET_NAMES.includes(plainName(name)) || isOurKey(parameter)
  if (!isSecret) return parameter
  return equals < 0 ? MASK : `${name}=${MASK}`
}

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
