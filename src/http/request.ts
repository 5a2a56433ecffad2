/** The only reader of uWebSockets' request object, which is dead as soon as the handler returns. */
import { isCode } from '../hs-code.js'
import type { HttpRequest } from './uws.js'

/** As bytes, which uWebSockets takes faster than strings. */
const [X_API_KEY, X_MARKETPLACE_KEY, AUTHORIZATION] = ['x-api-key', 'x-marketplace-key', 'authorization'].map(
  name => new TextEncoder().encode(name),
) as [Uint8Array, Uint8Array, Uint8Array]

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

/** The path's variable part, decoded; what cannot be decoded is left as it is and will be no code. */
export function readPathCode(req: HttpRequest): string {
  const raw = req.getParameter(0)
  if (isCode(raw) || !raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

export function readQuery(req: HttpRequest): string {
  return req.getQuery() ?? ''
}
