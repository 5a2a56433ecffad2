/** Every error response of the API, and the errors that end a command. */
import { BODY_BYTES_MAX } from './limits.js'

export interface ApiError {
  readonly code: string
  readonly status: number
  readonly statusLine: string
  readonly message: string
}

function entry(code: string, status: number, reason: string, message: string): ApiError {
  return { code, status, statusLine: `${status} ${reason}`, message }
}

export const ERRORS = {
  missingApiKey: entry(
    'missing_api_key',
    401,
    'Unauthorized',
    'Send your API key in the X-Api-Key header, or as Authorization: Bearer.',
  ),
  invalidApiKey: entry('invalid_api_key', 401, 'Unauthorized', 'This API key is unknown or has been revoked.'),
  apiKeyExpired: entry('api_key_expired', 401, 'Unauthorized', 'This API key has passed its expiry date.'),
  /** The response also states the number of seconds to wait. */
  rateLimitExceeded: entry('rate_limit_exceeded', 429, 'Too Many Requests', 'This key has used up its requests for now.'),
  /** Only sent by /mcp, because the protocol requires it. */
  originNotAllowed: entry(
    'origin_not_allowed',
    403,
    'Forbidden',
    'Web pages of this origin may not use this path; the operator can allow it in HSAPI_CORS_ORIGINS.',
  ),
  invalidCode: entry('invalid_code', 400, 'Bad Request', 'An HS code is 2 to 14 digits without dots or spaces.'),
  invalidValue: entry(
    'invalid_value',
    400,
    'Bad Request',
    'The value parameter must be a plain number from 0.01 to 999999999999.99 with at most 15 significant digits.',
  ),
  queryTooShort: entry('query_too_short', 400, 'Bad Request', 'The q parameter must have at least 2 characters.'),
  invalidParameter: entry('invalid_parameter', 400, 'Bad Request', 'A parameter has a value that is not allowed.'),
  notFound: entry('not_found', 404, 'Not Found', 'This HS code is not in the dataset.'),
  routeNotFound: entry('route_not_found', 404, 'Not Found', 'This path does not exist; /openapi.json lists all paths.'),
  methodNotAllowed: entry('method_not_allowed', 405, 'Method Not Allowed', 'This path answers GET and HEAD only.'),
  bodyTooLarge: entry('body_too_large', 413, 'Content Too Large', `A body may have at most ${BODY_BYTES_MAX} bytes.`),
  unsupportedMediaType: entry(
    'unsupported_media_type',
    415,
    'Unsupported Media Type',
    'A body must be JSON, with the header Content-Type: application/json.',
  ),
  internalError: entry('internal_error', 500, 'Internal Server Error', 'An error occurred on the server and was logged.'),
  dbUnavailable: entry('db_unavailable', 503, 'Service Unavailable', 'The service is still loading data; try again in a moment.'),
  busy: entry('busy', 503, 'Service Unavailable', 'The server has too much work in progress; try again in a moment.'),
} as const satisfies Record<string, ApiError>

export type ErrorName = keyof typeof ERRORS

/** Refusals that only the admin port sends. It also sends some of the errors above. */
export const ADMIN_ERRORS = {
  tokenRequired: entry('admin_token_required', 401, 'Unauthorized', 'Send HSAPI_ADMIN_TOKEN as Authorization: Bearer.'),
  crossOrigin: entry('cross_origin', 403, 'Forbidden', 'Cross-origin requests are not allowed.'),
  tokenNotSet: entry(
    'admin_token_not_set',
    403,
    'Forbidden',
    'Set HSAPI_ADMIN_TOKEN to allow this on an address other than loopback.',
  ),
  hostNotAllowed: entry(
    'host_not_allowed',
    403,
    'Forbidden',
    'Use localhost or an IP address as the host, or set HSAPI_ADMIN_TOKEN.',
  ),
  keyNotFound: entry('key_not_found', 404, 'Not Found', 'There is no key with this id.'),
  keyRevoked: entry('key_revoked', 409, 'Conflict', 'This key is revoked and cannot be changed.'),
  tooManyKeys: entry('too_many_keys', 409, 'Conflict', 'There are too many keys for this path; use the hsapi keys commands.'),
  keysUnavailable: entry('keys_unavailable', 503, 'Service Unavailable', 'The keys could not be read or changed.'),
} as const satisfies Record<string, ApiError>

/** A flag, variable, file or dataset is wrong. Printed as one line, exit code 2. */
export class OperatorError extends Error {}

/**
 * The command may succeed later, for example when a full disk has space again. Printed as one line; exit code 1 makes a
 * supervisor restart the server.
 */
export class TransientError extends Error {}

const TRANSIENT_CODES: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'ENXIO']

/** Whether the error or its cause may go away by itself. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return TRANSIENT_CODES.includes((error as NodeJS.ErrnoException).code) || isTransient(error.cause)
}

/** Nothing was found, or a check finished and failed. Printed unchanged, exit code 1. */
export class UnmetError extends Error {}
