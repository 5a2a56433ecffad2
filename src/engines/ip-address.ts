/** Addresses as bytes: always 16 of them, IPv4 as IPv6 wraps it (::ffff:192.0.2.1). One address, one sequence of bytes. */
import { isIPv4, isIPv6 } from 'node:net'

const ADDRESS_BYTES = 16
const IPV4_BYTES = 4
/** What stands before an IPv4 address. */
const WRAPPER_BYTES = 12
const SITE_BYTES = 8

/** undefined where the text is no address. A zone (%eth0) is left out. */
export function parseAddress(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return wrapped(Uint8Array.from(text.split('.'), Number))
  if (!isIPv6(text)) return undefined
  const [before = '', after] = text.split('%', 1)[0].split('::')
  const bytes = new Uint8Array(ADDRESS_BYTES)
  bytes.set(bytesOf(before))
  if (after !== undefined) {
    const last = bytesOf(after)
    bytes.set(last, ADDRESS_BYTES - last.length)
  }
  return bytes
}

function bytesOf(groups: string): number[] {
  if (groups === '') return []
  return groups.split(':').flatMap(group => {
    if (group.includes('.')) return group.split('.').map(Number)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
}

/** The 4 bytes of IPv4 as 16; whatever else it is given stays as it is. */
export function wrapped(ipv4: Uint8Array): Uint8Array {
  if (ipv4.length !== IPV4_BYTES) return ipv4
  const bytes = new Uint8Array(ADDRESS_BYTES)
  bytes.fill(255, WRAPPER_BYTES - 2, WRAPPER_BYTES)
  bytes.set(ipv4, WRAPPER_BYTES)
  return bytes
}

function isWrapped(bytes: Uint8Array): boolean {
  for (let i = 0; i < WRAPPER_BYTES - 2; i++) if (bytes[i] !== 0) return false
  return bytes[WRAPPER_BYTES - 2] === 255 && bytes[WRAPPER_BYTES - 1] === 255
}

/**
 * What is counted as one: an IPv4 address, or the 64 bits of IPv6 that a site has to itself. Bytes as characters, to be
 * compared and nothing else; '' where there is no address. Takes the 4 bytes of IPv4 alone as well.
 */
export function siteOf(bytes: Uint8Array): string {
  if (bytes.length === IPV4_BYTES) return characters(bytes, 0)
  if (bytes.length !== ADDRESS_BYTES) return ''
  if (isWrapped(bytes)) return characters(bytes, WRAPPER_BYTES)
  return characters(bytes, 0) + characters(bytes, SITE_BYTES / 2)
}

/** Four of them. */
function characters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3])
}

/** Whether bytes as `wrapped` gives them are an address of this machine itself: 127.0.0.0/8 or ::1. */
export function isLoopback(bytes: Uint8Array): boolean {
  if (bytes.length !== ADDRESS_BYTES) return false
  if (isWrapped(bytes)) return bytes[WRAPPER_BYTES] === 127
  return bytes.every((byte, i) => byte === (i === ADDRESS_BYTES - 1 ? 1 : 0))
}
