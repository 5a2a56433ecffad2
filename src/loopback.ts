import { isIPv4, isIPv6 } from 'node:net'

const LOOPBACK_V6 = '[::1]'

/** Whether the host of a URL is loopback: `127.0.0.1`, `[::1]`, `localhost` or, as in browsers, a name below localhost. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return (isIPv4(name) && name.startsWith('127.')) || name === LOOPBACK_V6
}

/** Whether a host to listen on is loopback. IPv6 addresses have no brackets here. */
export function isLoopbackAddress(host: string): boolean {
  if (!isIPv6(host)) return host.toLowerCase() === 'localhost' || (isIPv4(host) && host.startsWith('127.'))
  return new URL(`http://[${host.split('%', 1)[0]}]/`).hostname === LOOPBACK_V6
}
