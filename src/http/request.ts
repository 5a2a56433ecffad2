/** The only reader of uWebSockets' request object, which is dead as soon as the handler returns. */
import { bytes } from './bytes.js'
import type { HttpRequest } from './uws.js'

/** A buffer of its own is what uWebSockets takes fastest: views are slower, strings slowest. */
const [X_API_KEY, X_MARKETPLACE_KEY, AUTHORIZATION] = ['x-api-key', 'x-marketplace-key', 'authorization'].map(
  name => bytes(name).slice().buffer,
) as [ArrayBuffer, ArrayBuffer, ArrayBuffer]

const BEARER = /^bearer +/i

/** The first of the three headers that is present and not empty decides alone. */
export function readKey(req: HttpRequest): string {
  const own = req.getHeader(X_API_KEY)
  if (own !== '') return own
  const marketplace = req.getHeader(X_MARKETPLACE_KEY)
  if (marketplace !== '') return marketplace
  const authorization = req.getHeader(AUTHORIZATION)
  if (authorization === '' || !BEARER.test(authorization)) return ''
  return authorization.replace(BEARER, '').trim()
}

/** The path's variable part as sent. */
export function readPathPart(req: HttpRequest): string {
  return req.getParameter(0)
}

/** What cannot be decoded is left as it is and will be no code. */
export function decodePathPart(raw: string): string {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

export function readQuery(req: HttpRequest): string {
  return req.getQuery() ?? ''
}
