/** Decides who may use the paths for operators and load their page. */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import { ADMIN_ERRORS, type ApiError } from '../errors.js'
import { isLoopbackAddress, isLoopbackHost } from '../loopback.js'
import { isPageOf, isSameOrigin, type RequestHost, requestHost } from '../same-origin.js'

export interface Access {
  host: string
  /** If set, operators must send this token. If not set, they are refused unless the host is a loopback address. */
  token: string | undefined
}

const BEARER = /^bearer (.*)$/i

/** Browsers send Origin or Sec-Fetch-Site with every request that could change something; programs send neither. */
function isCrossOrigin({ headers }: IncomingMessage, host: RequestHost | undefined): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  const isOtherOrigin = origin !== undefined && (host === undefined || !isPageOf(origin, host))
  return isOtherOrigin || (site !== undefined && !isSameOrigin(String(site)))
}

/** Prevents DNS rebinding: anyone can point a domain name at this server. */
const isForeignName = (host: RequestHost | undefined) =>
  host === undefined || !(isLoopbackHost(host.name) || isIPv4(host.name) || host.name.startsWith('['))

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const sentHost = ({ headers }: IncomingMessage) => requestHost(headers.host ?? '')

/**
 * Checks a request for the page. It needs no token and may come from another site: the page contains no data, a browser
 * cannot send a token when it opens a page, and any site may link to the page.
 */
export function pageRefusal(request: IncomingMessage, { host, token }: Access): ApiError | undefined {
  if (token !== undefined) return undefined
  if (!isLoopbackAddress(host)) return ADMIN_ERRORS.tokenNotSet
  return isForeignName(sentHost(request)) ? ADMIN_ERRORS.hostNotAllowed : undefined
}

/** Checks a request that shows or changes data. */
export function operatorRefusal(request: IncomingMessage, access: Access): ApiError | undefined {
  if (isCrossOrigin(request, sentHost(request))) return ADMIN_ERRORS.crossOrigin
  const { token } = access
  if (token === undefined) return pageRefusal(request, access)
  const sent = BEARER.exec(request.headers.authorization ?? '')?.[1]?.trimStart() ?? ''
  return isEqual(sent, token) ? undefined : ADMIN_ERRORS.tokenRequired
}
