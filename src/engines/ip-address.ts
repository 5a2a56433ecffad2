/** IP addresses as 16 bytes, IPv4 mapped to IPv6 (::ffff:192.0.2.1), so that equal addresses have equal bytes. */
import { isIPv4, isIPv6 } from 'node:net'

const ADDRESS_BYTES = 16
const IPV4_BYTES = 4
const MAPPED_PREFIX_BYTES = 12

/** Parses an IPv4 or IPv6 address; ignores a zone such as %eth0. */
export function parseAddress(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return mapped(Uint8Array.from(text.split('.'), Number))
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

/** Maps 4 bytes of IPv4 to IPv6; returns anything else unchanged. */
export function mapped(address: Uint8Array): Uint8Array {
  if (address.length !== IPV4_BYTES) return address
  const bytes = new Uint8Array(ADDRESS_BYTES)
  bytes.fill(255, MAPPED_PREFIX_BYTES - 2, MAPPED_PREFIX_BYTES)
  bytes.set(address, MAPPED_PREFIX_BYTES)
  return bytes
}

function isMapped(bytes: Uint8Array): boolean {
  for (let i = 0; i < MAPPED_PREFIX_BYTES - 2; i++) if (bytes[i] !== 0) return false
  return bytes[MAPPED_PREFIX_BYTES - 2] === 255 && bytes[MAPPED_PREFIX_BYTES - 1] === 255
}

/** Returns an address as text: IPv4 such as 192.0.2.1, IPv6 in its shortest form, '' without an address. */
export function addressText(address: Uint8Array): string {
  const bytes = mapped(address)
  if (bytes.length !== ADDRESS_BYTES) return ''
  if (isMapped(bytes)) return bytes.subarray(MAPPED_PREFIX_BYTES).join('.')
  const groups = Array.from({ length: ADDRESS_BYTES / 2 }, (_, i) => ((bytes[2 * i] << 8) | bytes[2 * i + 1]).toString(16))
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1)
}

/** Whether two addresses of 16 bytes have the same first `bits`. */
export function hasPrefix(address: Uint8Array, network: Uint8Array, bits: number): boolean {
  for (let i = 0; i < ADDRESS_BYTES && 8 * i < bits; i++) {
    const ignored = Math.max(0, 8 - (bits - 8 * i))
    if (address[i] >> ignored !== network[i] >> ignored) return false
  }
  return true
}

/** A map key for the IPv4 address or the IPv6 /64, which one client usually has to itself; '' without an address. */
export function subnetOf(bytes: Uint8Array): string {
  if (bytes.length === IPV4_BYTES) return fourBytes(bytes, 0)
  if (bytes.length !== ADDRESS_BYTES) return ''
  if (isMapped(bytes)) return fourBytes(bytes, MAPPED_PREFIX_BYTES)
  return fourBytes(bytes, 0) + fourBytes(bytes, 4)
}

function fourBytes(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3])
}

/** Whether an address of 16 bytes is in 127.0.0.0/8 or is ::1. */
export function isLoopback(bytes: Uint8Array): boolean {
  if (bytes.length !== ADDRESS_BYTES) return false
  if (isMapped(bytes)) return bytes[MAPPED_PREFIX_BYTES] === 127
  return bytes.every((byte, i) => byte === (i === ADDRESS_BYTES - 1 ? 1 : 0))
}
