/** Readers of settings that have their own format. */
import { isIPv4, isIPv6 } from 'node:net'
import { OperatorError } from '../errors.js'
import { parsePlan, planText } from '../load-kit/chaos/expression.js'
import { readAddress } from '../redis/address.js'
import { COUNTRY_CODES, type CountryCode } from '../snapshot/country-format.js'

/** The kernel's limit for the path of a Unix socket. */
const SOCKET_BYTES_MAX = 107

export function redisUrl(value: string, name: string): string {
  readAddress(value, name)
  return value
}

export function socketPath(value: string, name: string): string {
  if (value.trim() === '' || Buffer.byteLength(value) > SOCKET_BYTES_MAX)
    throw new OperatorError(`${name} must be a path of 1 to ${SOCKET_BYTES_MAX} bytes`)
  return value
}

export function socketMode(value: string, name: string): number {
  if (!/^0?[0-7]{3}$/.test(value)) throw new OperatorError(`${name} is "${value}"; it must be three octal digits such as 660`)
  return Number.parseInt(value, 8)
}

export function countryCode(value: string, name: string): CountryCode {
  const found = COUNTRY_CODES.find(code => code === value.toUpperCase())
  if (found === undefined) throw new OperatorError(`${name} is "${value}"; it must be one of ${COUNTRY_CODES.join(', ')}`)
  return found
}

export function adminToken(value: string, name: string): string {
  if (value.trim() === '') throw new OperatorError(`${name} is set but empty; unset it, or give it a secret`)
  return value
}

export function origin(entry: string, name: string): string[] {
  if (entry !== '*' && !(URL.canParse(entry) && new URL(entry).origin === entry))
    throw new OperatorError(`${name} has "${entry}"; it must be * or a list of origins such as https://www.example.com`)
  return [entry]
}

/** Must have no path, because pages link to each other by paths from the root. */
export function publicUrl(value: string, name: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === undefined || !isWeb || `${url.origin}/` !== url.href)
    throw new OperatorError(`${name} is "${value}"; it must be an address without a path, such as https://hs.example.com`)
  return url.origin
}

const NAMED_NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

export function networks(entry: string, name: string) {
  const named = Object.hasOwn(NAMED_NETWORKS, entry) ? NAMED_NETWORKS[entry] : undefined
  return (named ?? [entry]).map(one => network(one, name))
}

function network(entry: string, name: string): { address: string; bits: number } {
  const [, address = '', bits] = /^([0-9a-f.:]+)(?:\/([0-9]{1,3}))?$/i.exec(entry) ?? []
  // IPv4-mapped IPv6 addresses are matched as IPv4
  const isMapped = isIPv6(address) && address.includes('.')
  const bitsMax = isIPv4(address) ? 32 : isIPv6(address) && !isMapped ? 128 : -1
  if (Number(bits ?? 0) > bitsMax)
    throw new OperatorError(
      `${name} has "${entry}"; it must list IPv4 or IPv6 addresses or networks such as 10.0.0.0/8, or the words loopback and private`,
    )
  return { address, bits: Number(bits ?? bitsMax) }
}

export function chaosPlan(value: string, name: string): string {
  try {
    return planText(parsePlan(value))
  } catch (error) {
    throw new OperatorError(`${name}: ${(error as Error).message}`)
  }
}
