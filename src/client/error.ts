import type { ErrorCode, ErrorDetails } from '../answers/shapes.js'

/** What went wrong before there was an answer of ours: no connection, no answer in time, or something that is not hsapi. */
export type LocalCode = 'network_error' | 'timeout' | 'unexpected_answer'

export interface HsapiErrorOptions {
  code: ErrorCode | LocalCode
  message: string
  status?: number
  details?: ErrorDetails
  retryAfter?: number | undefined
  cause?: unknown
}

/** Every failure of a call but the caller's own abort, which is thrown as it was given. */
export class HsapiError extends Error {
  override readonly name = 'HsapiError'
  readonly code: ErrorCode | LocalCode
  /** Of HTTP; 0 where no answer came. */
  readonly status: number
  readonly details: ErrorDetails
  /** Seconds to wait before the next try, where the server told. */
  readonly retryAfter: number | undefined

  constructor({ code, message, status = 0, details = {}, retryAfter, cause }: HsapiErrorOptions) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.details = details
    this.retryAfter = retryAfter
  }
}
