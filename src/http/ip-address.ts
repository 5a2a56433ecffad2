/** Addresses as bytes: always 16 of them, IPv4 as IPv6 wraps it (::ffff:192.0.2.1). One address, one sequence of bytes. */
import { isIPv4, isIPv6 } from 'node:net'

export const ADDRESS_BYTES = 16
const IPV4_BYTES = 4
/** What stands before an IPv4 address. */
const WRAPPER_BYTES = 12
const SITE_BYTES = 8

/** `bits`: so many of the address's first bits name the network. */
export interface Network {
  address: string
  bits: number
}

/** undefined where the text is no address. A zone (%eth0) is left out. */
export function parseAddress(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return wrapped(text.split('.').map(Number))
  if (!isIPv6(text)) return undefined
  const [before = '', after] = (text.split('%', 1)[0] as string).split('::')
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

export function wrapped(ipv4: ArrayLike<number>): Uint8Array {
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
  if (bytes.length === IPV4_BYTES) return text(bytes, 0, IPV4_BYTES)
  if (bytes.length !== ADDRESS_BYTES) return ''
  return isWrapped(bytes) ? text(bytes, WRAPPER_BYTES, ADDRESS_BYTES) : text(bytes, 0, SITE_BYTES)
}

function text(bytes: Uint8Array, start: number, end: number): string {
  let characters = ''
  for (let i = start; i < end; i++) characters += String.fromCharCode(bytes[i] as number)
  return characters
}

/** Tells who belongs to one of some networks. */
export class Networks {
  readonly #networks: { bytes: Uint8Array; bits: number }[]

  constructor(networks: readonly Network[]) {
    this.#networks = networks.map(({ address, bits }) => {
      const bytes = parseAddress(address)
      if (bytes === undefined) throw new Error(`${address} is no address`)
      return { bytes, bits: isIPv4(address) ? WRAPPER_BYTES * 8 + bits : bits }
    })
  }

  get isEmpty(): boolean {
    return this.#networks.length === 0
  }

  has(address: Uint8Array): boolean {
    return this.#networks.some(({ bytes, bits }) => sameBits(bytes, address, bits))
  }
}

function sameBits(one: Uint8Array, other: Uint8Array, bits: number): boolean {
  const whole = bits >> 3
  for (let i = 0; i < whole; i++) if (one[i] !== other[i]) return false
  const rest = 8 - (bits & 7)
  return rest === 8 || (one[whole] as number) >> rest === (other[whole] as number) >> rest
}
