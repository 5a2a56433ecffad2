/**
 * Who may use the key of the server's own pages: a browser on this machine that shows them, and nobody through a proxy. A proxy on this machine must not publish use without a key, and a page of another
 * site must not make use of a visitor's server, whatever name it has it by.
 */
import type { Guests } from '../gate/guests.js'
import { isLoopbackHost } from '../loopback.js'
import type { HttpRequest, HttpResponse } from './engine.js'
import { Networks, siteOf, wrapped } from './ip-address.js'
import { readHeaders } from './request.js'

/** Told by proxies, tunnels and content networks, and by nobody who asks directly. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'cdn-loop',
  'x-original-host',
  'x-original-url',
]
const FORWARDING_BEGINNINGS = ['x-forwarded', 'x-envoy-']

const LOOPBACK = new Networks([
  { address: '127.0.0.0', bits: 8 },
  { address: '::1', bits: 128 },
])

/** Our own page, or the address typed in. */
const OWN_SITES = ['same-origin', 'none']

const isForwarding = (name: string) =>
  FORWARDING.includes(name) || FORWARDING_BEGINNINGS.some(beginning => name.startsWith(beginning))

/** Host and port of an address such as https://example.org:8080/path; '' where it is none. */
function placeOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : ''
}

/** As a browser would write it in an address: without the port that goes without saying, in lower case. */
function hostOf(host: string): { host: string; name: string } | undefined {
  const address = `http://${host}/`
  // whatever is more than a host and a port, such as a path, would end up elsewhere in the address
  if (!/^[a-z0-9.:[\]-]+$/i.test(host) || !URL.canParse(address)) return undefined
  const { host: place, hostname } = new URL(address)
  return { host: place, name: hostname }
}

/** Whether the headers tell of a request from this machine to this machine, by nobody else's page. */
function isDirect(headers: readonly (readonly [string, string])[]): boolean {
  if (headers.some(([name]) => isForwarding(name))) return false
  const all = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value)
  const [host = '', ...further] = all('host')
  const asked = hostOf(host)
  if (asked === undefined || further.length > 0 || !isLoopbackHost(asked.name)) return false
  const isOwn = (address: string) =>
    placeOf(address) === asked.host || placeOf(address) === host.toLowerCase()
  const pages = [...all('origin'), ...all('referer')]
  const sites = all('sec-fetch-site')
  // a browser always tells one of them for our page; whoever tells none is a program, perhaps a proxy that asks for others
  return (
    pages.length + sites.length > 0 && pages.every(isOwn) && sites.every(site => OWN_SITES.includes(site))
  )
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
    if (!LOOPBACK.has(wrapped(socket)) || !isDirect(readHeaders(req))) return ''
    return siteOf(socket)
  }

  /** The same, for whoever has the key. */
  addressWithKey(key: string, req: HttpRequest, res: HttpResponse): string {
    return this.guests.hasKey(key) ? this.addressOf(req, res) : ''
  }
}
