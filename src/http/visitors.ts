/**
 * Decides who may read records without a key, in pages and with the pages' own key. By default only a browser on this machine
 * may read them. Requests through a local proxy are refused, because they may come from anywhere. On a public site everyone may
 * read them. A page of another site is always refused, even if the name of that site resolves to this server.
 */
import { isIP } from 'node:net'
import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import { isLoopback, mapped, subnetOf } from '../engines/ip-address.js'
import { readHeaders } from '../engines/request.js'
import type { Guests } from '../gate/guests.js'
import { isLoopbackHost } from '../loopback.js'
import { isPageOf, isSameOrigin, type RequestHost, requestHost } from '../same-origin.js'
import type { ClientAddresses } from './client-address.js'

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

/** Request headers that identify the page from which a request comes. */
interface PageHeaders {
  isForwarded: boolean
  /** Undefined if it is missing, invalid or sent twice. */
  host: RequestHost | undefined
  /** The values of Origin and Referer. */
  pages: readonly string[]
  origins: readonly string[]
  sites: readonly string[]
  modes: readonly string[]
}

function readPageHeaders(req: HttpRequest): PageHeaders {
  const headers = readHeaders(req)
  const all = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value)
  const [first = '', ...repeated] = all('host')
  const origins = all('origin')
  return {
    isForwarded: headers.some(([name]) => isForwarding(name)),
    host: repeated.length > 0 ? undefined : requestHost(first),
    pages: [...origins, ...all('referer')],
    origins,
    sites: all('sec-fetch-site'),
    modes: all('sec-fetch-mode'),
  }
}

/** Browsers send `none` for a typed address, a bookmark or a reload. */
const isOwnOrTyped = (site: string) => isSameOrigin(site) || site === 'none'

/** Set for a site that everyone may use without a key. */
export interface PublicSite {
  /** The address of the site, without a trailing slash; '' if unknown. */
  url: string
  clients: ClientAddresses
}

/** Whether a host name is loopback or an IP address: another site cannot make such a name resolve to this server. */
const isLoopbackOrIp = (name: string) => isLoopbackHost(name) || isIP(name.replaceAll(/[[\]]/g, '')) > 0

export class Visitors {
  /** Undefined if the site's address is not known. */
  readonly #publicUrl: URL | undefined

  /** Without `publicSite`, only visitors on this machine are admitted. */
  constructor(
    readonly guests: Guests,
    readonly publicSite?: PublicSite | undefined,
  ) {
    this.#publicUrl = publicSite === undefined || publicSite.url === '' ? undefined : new URL(publicSite.url)
  }

  /** The address to count a visitor of our own pages by; '' for others. */
  addressOf(req: HttpRequest, res: HttpResponse): string {
    const pageHeaders = readPageHeaders(req)
    const { pages, sites } = pageHeaders
    // a browser on our page sends at least one of these headers; a client that sends none may be a proxy
    const namesPage = pages.length > 0 || (sites.length > 0 && this.#isOurHost(pageHeaders.host))
    const isOwnPage = namesPage && pages.every(page => this.#isOwnPage(page, pageHeaders)) && sites.every(isSameOrigin)
    return isOwnPage ? this.#clientOf(pageHeaders, req, res) : ''
  }

  /** The address to count the reader of a page with records by; '' if the reader gets no records. */
  readerAddressOf(req: HttpRequest, res: HttpResponse): string {
    const pageHeaders = readPageHeaders(req)
    return this.#mayRead(pageHeaders) ? this.#clientOf(pageHeaders, req, res) : ''
  }

  addressWithKey(key: string, req: HttpRequest, res: HttpResponse): string {
    return this.guests.hasKey(key) ? this.addressOf(req, res) : ''
  }

  /** Scripts of other sites cannot read any page: their requests have an Origin and are not navigations. */
  #mayRead(pageHeaders: PageHeaders): boolean {
    const { pages, origins, sites, modes } = pageHeaders
    if (this.publicSite === undefined)
      return (
        pages.length + sites.length > 0 && pages.every(page => this.#isOwnPage(page, pageHeaders)) && sites.every(isOwnOrTyped)
      )
    const isNavigation = modes.length > 0 && modes.every(mode => mode === 'navigate')
    return origins.every(page => this.#isOwnPage(page, pageHeaders)) && (sites.every(isOwnOrTyped) || isNavigation)
  }

  /** Also accepts the public address, since a proxy may have put its own name for this server into Host. */
  #isOwnPage(page: string, { host }: PageHeaders): boolean {
    if (host !== undefined && isPageOf(page, host) && this.#isOurHost(host)) return true
    return this.#publicUrl !== undefined && URL.canParse(page) && new URL(page).host === this.#publicUrl.host
  }

  /** Prevents DNS rebinding: another site may point its name at this server, so that its page has the same host. */
  #isOurHost(host: RequestHost | undefined): boolean {
    if (host === undefined) return false
    const publicName = this.#publicUrl?.hostname
    return publicName === undefined || host.name.replace(/\.$/, '') === publicName || isLoopbackOrIp(host.name)
  }

  #clientOf({ host, isForwarded }: PageHeaders, req: HttpRequest, res: HttpResponse): string {
    if (host === undefined) return ''
    if (this.publicSite !== undefined) return subnetOf(this.publicSite.clients.bytesOf(req, res))
    const socket = new Uint8Array(res.getRemoteAddress())
    // a Unix socket has no address; its client is a proxy
    if (!isLoopback(mapped(socket)) || isForwarded || !isLoopbackHost(host.name)) return ''
    return subnetOf(socket)
  }
}
