/** The shape of an error. */
export type ErrorCode =
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'api_key_expired'
  | 'rate_limit_exceeded'
  | 'invalid_code'
  | 'invalid_value'
  | 'query_too_short'
  | 'invalid_parameter'
  | 'not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'internal_error'
  | 'db_unavailable'
  | 'busy'
  | 'origin_not_allowed'

export interface ErrorDetails {
  /** The parameter that is wrong. */
  readonly parameter?: string
  /** The known name nearest to an unknown parameter. */
  readonly did_you_mean?: string
  /** The longest existing prefix. */
  readonly nearest?: string
  /** What an earlier edition's code is now, likeliest first. */
  readonly moved_to?: readonly string[]
  /** Today's codes whose goods a code of the next edition takes over. */
  readonly comes_from?: readonly string[]
  /** Of an internal error: finds it in the server's log. */
  readonly request_id?: string
}
