/** Who asks: the socket's address, or what trusted proxies say. Read only where it matters, never for an admitted request. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { HttpRequest, HttpResponse } from './engine.js'
import { readForwardedFor } from './request.js'

/** `bits`: so many of the address's first bits name the network. */
export interface Network {
  address: string
  bits: number
}

/** Proxies in a row. Whoever sends more is counted as the last of them. */
const HOPS_MAX = 32
/** Some proxies add the port. */
const WITH_PORT = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::[0-9]{1,5})?$/i
const GROUPS = 8
const MAPPED = 0xffff

export class ClientAddresses {
  readonly #trusted: BlockList | undefined

  constructor(trusted: readonly Network[]) {
    if (trusted.length === 0) return
    this.#trusted = new BlockList()
    for (const { address, bits } of trusted) this.#trusted.addSubnet(address, bits, familyOf(address))
  }

  /** The address as it is counted; '' where it is not known. */
  of(res: HttpResponse, req: HttpRequest): string {
    const socket = Buffer.from(res.getRemoteAddressAsText()).toString('latin1')
    return this.#trusted === undefined ? countedAs(socket) : this.#behindProxies(socket, req, this.#trusted)
  }

  /** What stands left of an address that is not trusted was written by whoever has that address. */
  #behindProxies(socket: string, req: HttpRequest, trusted: BlockList): string {
    const isTrusted = (address: string) => trusted.check(address, familyOf(address))
    let client = plain(socket)
    if (client === '' || !isTrusted(client)) return countedAs(client)
    const hops = readForwardedFor(req).split(',').slice(-HOPS_MAX).reverse()
    for (const hop of hops) {
      const address = plain(withoutPort(hop.trim()))
      if (address === '') break
      client = address
      if (!isTrusted(client)) break
    }
    return countedAs(client)
  }
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

function withoutPort(hop: string): string {
  const found = WITH_PORT.exec(hop)
  return found?.[1] ?? found?.[2] ?? hop
}

/** As it is, but without a zone, and IPv4 as such where it comes inside IPv6; '' where it is no address. */
function plain(text: string): string {
  if (isIPv4(text)) return text
  return isIPv6(text) ? (mappedIn(groupsOf(text)) ?? withoutZone(text)) : ''
}

const withoutZone = (text: string) => text.split('%', 1)[0] as string

/**
 * One name for each that is counted: an IPv4 address, or the 64 bits of IPv6 that a site has to itself. It is made anew
 * from numbers: a piece of a header would keep the whole header in memory.
 */
export function countedAs(text: string): string {
  if (isIPv4(text)) return text.split('.').map(Number).join('.')
  if (!isIPv6(text)) return ''
  const groups = groupsOf(text)
  const site = groups.slice(0, GROUPS / 2)
  return mappedIn(groups) ?? `${site.map(group => group.toString(16)).join(':')}::/64`
}

/** The eight numbers of an IPv6 address that is known to be one. */
function groupsOf(text: string): number[] {
  const [before = '', after] = withoutZone(text).split('::')
  const first = numbersOf(before)
  if (after === undefined) return first
  const last = numbersOf(after)
  return [...first, ...new Array<number>(GROUPS - first.length - last.length).fill(0), ...last]
}

function numbersOf(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap(group => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

/** The IPv4 address inside ::ffff:0:0/96, where sockets for both families show their IPv4 callers. */
function mappedIn(groups: readonly number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6)
  if (groups[5] !== MAPPED || groups.slice(0, 5).some(group => group !== 0)) return undefined
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
