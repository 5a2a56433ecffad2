/** A request's body: JSON, and not more of it than we are willing to hold. */
import { BODY_BYTES_MAX } from '../limits.js'
import { invalidParameter, Refusal } from '../questions/refusal.js'
import type { HttpRequest, HttpResponse } from './engine.js'
import { readBodyHeaders } from './request.js'

const JSON_TYPE = /^application\/json\s*(?:;|$)/i

/** What was sent, or why it cannot be taken. */
export type Body = { json: unknown } | Refusal

function parse(pieces: readonly Uint8Array[]): Body {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
    return { json: JSON.parse(text) as unknown }
  } catch {
    return invalidParameter('body', 'must be JSON')
  }
}

/** Calls `done` once, after the handler has returned or at once; never where the client has gone away. */
export function readBody(res: HttpResponse, req: HttpRequest, done: (body: Body) => void): void {
  const { contentType, contentLength } = readBodyHeaders(req)
  const pieces: Uint8Array[] = []
  let length = 0
  let isOver = false
  const finish = (body: Body) => {
    if (isOver) return
    isOver = true
    done(body)
  }
  res.onAborted(() => {
    isOver = true
  })
  if (!JSON_TYPE.test(contentType)) return finish(new Refusal('unsupportedMediaType'))
  if (contentLength > BODY_BYTES_MAX) return finish(new Refusal('bodyTooLarge'))
  res.onData((piece, isLast) => {
    if (isOver) return
    length += piece.byteLength
    if (length > BODY_BYTES_MAX) return finish(new Refusal('bodyTooLarge'))
    pieces.push(new Uint8Array(piece.slice(0)))
    if (isLast) finish(parse(pieces))
  })
}
