/**
 * Who may use the key of the server's own pages: only a browser on this machine showing them. A local proxy must not open the API to
 * others, nor may another site's page use a visitor's server, under whatever name.
 */
import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import { isLoopback, mapped, subnetOf } from '../engines/ip-address.js'
import { readHeaders } from '../engines/request.js'
import type { Guests } from '../gate/guests.js'
import { isLoopbackHost } from '../loopback.js'
import { isPageOf, isSameOrigin, requestHost } from '../same-origin.js'

/** Headers that proxies, tunnels and CDNs add, and browsers never send. */
const FORWARDING_NAMES = ['via', 'client-ip', 'x-host', 'x-http-host-override', 'x-rewrite-url']
const FORWARDING_PREFIXES = [
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
  FORWARDING_PREFIXES.some(prefix => name.startsWith(prefix)) ||
  FORWARDING_PARTS.some(part => name.includes(part))

function isDirect(headers: readonly (readonly [string, string])[]): boolean {
  if (headers.some(([name]) => isForwarding(name))) return false
  const all = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value)
  const [first = '', ...repeated] = all('host')
  const host = requestHost(first)
  if (host === undefined || repeated.length > 0 || !isLoopbackHost(host.name)) return false
  const pages = [...all('origin'), ...all('referer')]
  const sites = all('sec-fetch-site')
  // our page's browser sends at least one of them; a client that sends none may be a proxy
  return pages.length + sites.length > 0 && pages.every(page => isPageOf(page, host)) && sites.every(isSameOrigin)
}

export class Visitors {
  constructor(readonly guests: Guests) {}

  /** What a visitor is counted by; '' for others. */
  addressOf(req: HttpRequest, res: HttpResponse): string {
    const socket = new Uint8Array(res.getRemoteAddress())
    // a Unix socket has no address, and a proxy behind it
    if (!isLoopback(mapped(socket)) || !isDirect(readHeaders(req))) return ''
    return subnetOf(socket)
  }

  addressWithKey(key: string, req: HttpRequest, res: HttpResponse): string {
    return this.guests.hasKey(key) ? this.addressOf(req, res) : ''
  }
}
