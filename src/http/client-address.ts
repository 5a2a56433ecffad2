/**
 * The client's address, for the access log and the limits of a public site. X-Forwarded-For is read only behind a trusted
 * proxy, since any client can send it.
 */
import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import { addressText, hasPrefix, mapped, parseAddress } from '../engines/ip-address.js'
import { readForwardedFor } from '../engines/request.js'

/** Maximum number of proxies in a row; the rest of a longer list is not read. */
const PROXIES_MAX = 16
const IPV4_OFFSET_BITS = 96
const WITH_PORT = /^(?:\[([^\]]{1,45})\]|([0-9.]{7,15}))(?::[0-9]{1,5})?$/

export interface ProxyNetwork {
  address: string
  bits: number
}

/** Parses an entry of X-Forwarded-For, with or without a port. */
function parseEntry(entry: string): Uint8Array | undefined {
  const [, v6, v4] = WITH_PORT.exec(entry) ?? []
  return parseAddress(v6 ?? v4 ?? entry)
}

export class ClientAddresses {
  readonly #proxies: { bytes: Uint8Array; bits: number }[]

  constructor(proxies: readonly ProxyNetwork[]) {
    this.#proxies = proxies.map(({ address, bits }) => ({
      bytes: parseAddress(address) as Uint8Array,
      bits: address.includes(':') ? bits : bits + IPV4_OFFSET_BITS,
    }))
  }

  /** Returns the address as text; '' if unknown, as on a Unix socket without a trusted proxy. */
  readonly of = (req: HttpRequest, res: HttpResponse): string => addressText(this.bytesOf(req, res))

  /** Returns the address as bytes; no bytes if the address is unknown. */
  bytesOf(req: HttpRequest, res: HttpResponse): Uint8Array {
    let address = mapped(new Uint8Array(res.getRemoteAddress()))
    if (this.#proxies.length === 0 || !this.#isProxy(address)) return address
    for (const entry of readForwardedFor(req).split(',').reverse().slice(0, PROXIES_MAX)) {
      const found = parseEntry(entry.trim())
      if (found === undefined) break
      address = found
      if (!this.#isProxy(address)) break
    }
    return address
  }

  /** A Unix socket has no address; its client is a proxy. */
  #isProxy(address: Uint8Array): boolean {
    return address.length === 0 || this.#proxies.some(({ bytes, bits }) => hasPrefix(address, bytes, bits))
  }
}
