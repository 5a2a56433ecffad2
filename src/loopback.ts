/** What means this machine itself. */
import { isIPv4, isIPv6 } from 'node:net'

const LOOPBACK_V6 = '[::1]'

/** A host as it stands in an address: `localhost`, `127.0.0.1`, `[::1]`; a name below localhost, as browsers take it. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return (isIPv4(name) && name.startsWith('127.')) || name === LOOPBACK_V6
}

/** A host to listen on: an address, or the name. */
export function isLoopbackAddress(host: string): boolean {
  if (!isIPv6(host)) return host.toLowerCase() === 'localhost' || (isIPv4(host) && host.startsWith('127.'))
  return new URL(`http://[${host.split('%', 1)[0]}]/`).hostname === LOOPBACK_V6
}
