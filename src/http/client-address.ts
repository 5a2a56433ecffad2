/** Who asks: the socket's address, or what trusted proxies say. Read where it matters, never for an admitted request. */
import type { HttpRequest, HttpResponse } from './engine.js'
import { ADDRESS_BYTES, type Network, Networks, parseAddress, siteOf, wrapped } from './ip-address.js'
import { readForwardedFor } from './request.js'

/** Proxies in a row. Whoever sends more is counted as the last of them. */
const HOPS_MAX = 32
/** Some proxies add the port. */
const WITH_PORT = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::[0-9]{1,5})?$/i

export class ClientAddresses {
  readonly #trusted: Networks

  constructor(trustedProxies: readonly Network[]) {
    this.#trusted = new Networks(trustedProxies)
  }

  /** The site that is counted, see `siteOf`; '' where it is not known. */
  of(res: HttpResponse, req: HttpRequest): string {
    const socket = new Uint8Array(res.getRemoteAddress())
    if (this.#trusted.isEmpty || socket.length === 0) return siteOf(socket)
    return siteOf(this.#behindProxies(socket.length === ADDRESS_BYTES ? socket : wrapped(socket), req))
  }

  /** What stands left of an address that is not trusted was written by whoever has that address. */
  #behindProxies(socket: Uint8Array, req: HttpRequest): Uint8Array {
    let client = socket
    if (!this.#trusted.has(client)) return client
    const hops = readForwardedFor(req).split(',').slice(-HOPS_MAX)
    for (const hop of hops.reverse()) {
      const address = parseAddress(withoutPort(hop.trim()))
      if (address === undefined) break
      client = address
      if (!this.#trusted.has(client)) break
    }
    return client
  }
}

function withoutPort(hop: string): string {
  const found = WITH_PORT.exec(hop)
  return found?.[1] ?? found?.[2] ?? hop
}
