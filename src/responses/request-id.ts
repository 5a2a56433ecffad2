import { randomBytes } from 'node:crypto'
import type { HttpRequest } from '../engines/engine.js'
import { readRequestId } from '../engines/request.js'
import { holdsKey } from '../mask-secrets.js'

const ID_BYTES = 8
/** Safe in a header, a log and a URL. */
const SAFE_ID = /^[A-Za-z0-9._-]{1,64}$/

export const newRequestId = (): string => randomBytes(ID_BYTES).toString('hex')

/**
 * Returns the client's own id, or a new one. An id that contains an API key, sent by mistake, is not used, because the id is
 * returned and logged.
 */
export function requestIdOf(req: HttpRequest): string {
  const sent = readRequestId(req)
  return SAFE_ID.test(sent) && !holdsKey(sent) ? sent : newRequestId()
}
