import type { ErrorCode, ErrorDetails } from '../answers/shapes.js'

/** Codes for failures without an answer from hsapi: no connection, no answer in time, or an answer in another format. */
export type LocalCode = 'network_error' | 'timeout' | 'unexpected_answer'

export interface HsapiErrorOptions {
  code: ErrorCode | LocalCode
  message: string
  status?: number
  details?: ErrorDetails
  retryAfter?: number | undefined
  cause?: unknown
}

/** Every failure except the caller's own abort, whose reason is thrown unchanged. */
export class HsapiError extends Error {
  override readonly name = 'HsapiError'
  readonly code: ErrorCode | LocalCode
  /** HTTP status; 0 without an answer. */
  readonly status: number
  readonly details: ErrorDetails
  /** Seconds to wait, if the server sent Retry-After. */
  readonly retryAfter: number | undefined

  constructor({ code, message, status = 0, details = {}, retryAfter, cause }: HsapiErrorOptions) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.details = details
    this.retryAfter = retryAfter
  }
}
