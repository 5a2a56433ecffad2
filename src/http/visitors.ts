/**
 * Who may use the key of the server's own pages: a browser on this machine that shows them, and nobody through a proxy. A
 * proxy on this machine must not publish use without a key, and a page of another site must not make use of a visitor's
 * server, whatever name it has it by.
 */

import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import { isLoopback, mapped, subnetOf } from '../engines/ip-address.js'
import { readHeaders } from '../engines/request.js'
import type { Guests } from '../gate/guests.js'
import { isLoopbackHost } from '../loopback.js'
import { isPageOf, isSameOrigin, requestHost } from '../same-origin.js'

/** Headers that proxies, tunnels and content networks add; no browser sends one by itself. */
const FORWARDING_NAMES = ['via', 'client-ip', 'x-host', 'x-http-host-override', 'x-rewrite-url']
const FORWARDING_BEGINNINGS = [
  'akamai-',
  'cdn-',
  'cf-',
  'fastly-',
  'fly-',
  'tailscale-',
  'true-client-',
  'x-akamai-',
  'x-amz',
  'x-appengine-',
  'x-arr-',
  'x-azure-',
  'x-client-ip',
  'x-cloud-trace-',
  'x-cluster-',
  'x-envoy-',
  'x-origin',
  'x-real-',
  'x-remote-',
  'x-vercel-',
]
const FORWARDING_PARTS = ['forward', 'proxy']

const isForwarding = (name: string) =>
  FORWARDING_NAMES.includes(name) ||
  FORWARDING_BEGINNINGS.some(beginning => name.startsWith(beginning)) ||
  FORWARDING_PARTS.some(part => name.includes(part))

/** Whether the headers tell of a request from this machine to this machine, by nobody else's page. */
function isDirect(headers: readonly (readonly [string, string])[]): boolean {
  if (headers.some(([name]) => isForwarding(name))) return false
  const all = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value)
  const [host = '', ...further] = all('host')
  const asked = requestHost(host)
  if (asked === undefined || further.length > 0 || !isLoopbackHost(asked.name)) return false
  const pages = [...all('origin'), ...all('referer')]
  const sites = all('sec-fetch-site')
  // a browser always tells one of them for our page; whoever tells none is a program, perhaps a proxy that asks for others
  return pages.length + sites.length > 0 && pages.every(page => isPageOf(page, asked)) && sites.every(isSameOrigin)
}

export class Visitors {
  readonly guests: Guests

  constructor(guests: Guests) {
    this.guests = guests
  }

  /** The address that a visitor is counted by; '' for whoever is none. */
  addressOf(req: HttpRequest, res: HttpResponse): string {
    const socket = new Uint8Array(res.getRemoteAddress())
    // a Unix socket has no address: behind it there is a proxy
    if (!isLoopback(mapped(socket)) || !isDirect(readHeaders(req))) return ''
    return subnetOf(socket)
  }

  /** The same, for whoever has the key. */
  addressWithKey(key: string, req: HttpRequest, res: HttpResponse): string {
    return this.guests.hasKey(key) ? this.addressOf(req, res) : ''
  }
}
