/** The API error codes that the library can raise. */
export type CatalogErrorCode = 'invalid_code' | 'invalid_value' | 'query_too_short' | 'invalid_parameter' | 'db_unavailable'

export interface CatalogErrorDetails {
  /** The invalid parameter. */
  readonly parameter?: string
  /** The known name nearest to an unknown option. */
  readonly did_you_mean?: string
}

/** Has the same code as the HTTP answer. The message is a sentence. */
export class CatalogError extends Error {
  readonly code: CatalogErrorCode
  readonly details: CatalogErrorDetails

  constructor(code: CatalogErrorCode, message: string, details: CatalogErrorDetails = {}) {
    super(message)
    this.name = 'CatalogError'
    this.code = code
    this.details = Object.freeze({ ...details })
  }
}
