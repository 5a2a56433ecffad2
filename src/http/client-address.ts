/** Who asks: the socket's address, or what trusted proxies say. Read only after a 401, or while someone is shed. */
import type { HttpRequest, HttpResponse } from './engine.js'
import { type Network, Networks, parseAddress, siteOf, wrapped } from './ip-address.js'
import { readForwardedFor } from './request.js'

/** Proxies in a row. Whoever sends more is counted as the last of them. */
const HOPS_MAX = 32
/** Some proxies add the port. */
const WITH_PORT = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::[0-9]{1,5})?$/i

/** Headers read before: those of a proxy's callers come again and again. Longer ones are not kept. */
const HEADERS_KEPT = 1024
const KEPT_CHARS_MAX = 256

export class ClientAddresses {
  readonly #trusted: Networks
  readonly #siteOfHeader = new Map<string, string>()

  constructor(trustedProxies: readonly Network[]) {
    this.#trusted = new Networks(trustedProxies)
  }

  /** The site that is counted, see `siteOf`; '' where it is not known. */
  of(res: HttpResponse, req: HttpRequest): string {
    const socket = new Uint8Array(res.getRemoteAddress())
    const isProxy = !this.#trusted.isEmpty && this.#trusted.has(wrapped(socket))
    return (isProxy && this.#forwardedSite(readForwardedFor(req))) || siteOf(socket)
  }

  #forwardedSite(header: string): string {
    const known = this.#siteOfHeader.get(header)
    if (known !== undefined) return known
    const site = this.#readSite(header)
    if (header.length > KEPT_CHARS_MAX) return site
    if (this.#siteOfHeader.size >= HEADERS_KEPT) this.#siteOfHeader.clear()
    this.#siteOfHeader.set(header, site)
    return site
  }

  /** What stands left of an address that is not trusted was written by whoever has that address. '' where none is told. */
  #readSite(header: string): string {
    let site = ''
    for (const hop of header.split(',').slice(-HOPS_MAX).reverse()) {
      const address = parseAddress(withoutPort(hop.trim()))
      if (address === undefined) break
      site = siteOf(address)
      if (!this.#trusted.has(address)) break
    }
    return site
  }
}

function withoutPort(hop: string): string {
  const found = WITH_PORT.exec(hop)
  return found?.[1] ?? found?.[2] ?? hop
}
