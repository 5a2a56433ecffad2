/** The codes of the API's errors that a library can come to. */
export type CatalogErrorCode = 'invalid_code' | 'invalid_value' | 'query_too_short' | 'invalid_parameter' | 'db_unavailable'

export interface CatalogErrorDetails {
  /** What is wrong, by its name. */
  readonly parameter?: string
}

/** What was asked for cannot be: the code is that of the HTTP answer, the message a sentence for people. */
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
