/** The only reader of uWebSockets' request object, which is dead as soon as the handler returns. */
import { isCode } from '../hs-code.js'
import type { HttpRequest } from './uws.js'

const BEARER = /^bearer +/i

/** The first of the three headers that is present and not empty decides alone. */
export function readKey(req: HttpRequest): string {
  const own = req.getHeader('x-api-key')
  if (own !== '') return own
  const marketplace = req.getHeader('x-marketplace-key')
  if (marketplace !== '') return marketplace
  const authorization = req.getHeader('authorization')
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
