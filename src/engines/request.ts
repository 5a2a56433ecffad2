/** Reads the engine's request object. Only held-request.ts, which copies it, and chaos.ts, which needs the path, do so too. */
import { bytes } from './bytes.js'
import type { HttpRequest } from './engine.js'

/** uWebSockets reads an exact ArrayBuffer fastest, a view slower, a string slowest. */
const headerName = (name: string) => bytes(name).slice().buffer as ArrayBuffer

const X_API_KEY = headerName('x-api-key')
const X_MARKETPLACE_KEY = headerName('x-marketplace-key')
const AUTHORIZATION = headerName('authorization')
const CONTENT_TYPE = headerName('content-type')
const CONTENT_LENGTH = headerName('content-length')
const TRANSFER_ENCODING = headerName('transfer-encoding')
const IF_NONE_MATCH = headerName('if-none-match')
const ACCEPT = headerName('accept')
const ACCEPT_ENCODING = headerName('accept-encoding')
const ACCEPT_LANGUAGE = headerName('accept-language')
const ORIGIN = headerName('origin')
const X_REQUEST_ID = headerName('x-request-id')
const TRACEPARENT = headerName('traceparent')
/** W3C Trace Context: version, trace, parent, flags; neither id may be all zeros, and version ff is invalid. */
const VALID_TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

const BEARER = /^bearer +/i

/** Returns the key from the first of the three headers that is present and not empty. */
export function readKey(req: HttpRequest): string {
  const apiKey = req.getHeader(X_API_KEY)
  if (apiKey !== '') return apiKey
  const marketplace = req.getHeader(X_MARKETPLACE_KEY)
  if (marketplace !== '') return marketplace
  const authorization = req.getHeader(AUTHORIZATION)
  if (authorization === '' || !BEARER.test(authorization)) return ''
  return authorization.replace(BEARER, '').trim()
}

/** Returns the traceparent header, or undefined if it is missing or invalid. */
export function readTraceparent(req: HttpRequest): string | undefined {
  const sent = req.getHeader(TRACEPARENT)
  return sent !== '' && VALID_TRACEPARENT.test(sent) ? sent : undefined
}

export function readHeaders(req: HttpRequest): [name: string, value: string][] {
  const lines: [string, string][] = []
  req.forEach((name, value) => {
    lines.push([name, value])
  })
  return lines
}

/** Every X-Forwarded-For line, joined: a proxy adds a line or extends the last one. */
export function readForwardedFor(req: HttpRequest): string {
  const lines: string[] = []
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') lines.push(value)
  })
  return lines.join()
}

/** Returns the code without decoding it: digits are rarely percent-encoded, so callers decode only an invalid code. */
export const readPathCode = (req: HttpRequest, index = 0): string => req.getParameter(index)

/** Decodes percent-encoding; returns text with broken encoding unchanged. */
export function decodeIfValid(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

export function readTarget(req: HttpRequest): string {
  const query = req.getQuery() ?? ''
  return query === '' ? req.getUrl() : `${req.getUrl()}?${query}`
}

export const readMethod = (req: HttpRequest): string => req.getMethod().toUpperCase()
export const readQueryText = (req: HttpRequest): string => req.getQuery() ?? ''
export const readIfNoneMatch = (req: HttpRequest): string => req.getHeader(IF_NONE_MATCH)
export const readAccept = (req: HttpRequest): string => req.getHeader(ACCEPT)
export const readAcceptEncoding = (req: HttpRequest): string => req.getHeader(ACCEPT_ENCODING)
export const readAcceptLanguage = (req: HttpRequest): string => req.getHeader(ACCEPT_LANGUAGE)
export const readRequestId = (req: HttpRequest): string => req.getHeader(X_REQUEST_ID)
export const readOrigin = (req: HttpRequest): string => req.getHeader(ORIGIN)

/** `contentLength` is NaN if absent. */
export function readBodyHeaders(req: HttpRequest): { contentType: string; contentLength: number } {
  const length = req.getHeader(CONTENT_LENGTH)
  return {
    contentType: req.getHeader(CONTENT_TYPE),
    contentLength: length === '' ? Number.NaN : Number(length),
  }
}

export const hasTransferEncoding = (req: HttpRequest): boolean => req.getHeader(TRANSFER_ENCODING) !== ''

/** Prevents request smuggling: accepts at most one framing header, and no transfer coding except `chunked`. */
export function hasClearEnd(req: HttpRequest): boolean {
  let lines = 0
  let isChunked = true
  req.forEach((name, value) => {
    if (name !== 'content-length' && name !== 'transfer-encoding') return
    lines++
    if (name === 'transfer-encoding') isChunked = value.toLowerCase() === 'chunked'
  })
  return lines < 2 && isChunked
}
