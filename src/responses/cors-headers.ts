/** Header lines that differ from caller to caller: what a browser's page of another origin may see. */
import type { HttpRequest } from '../engines/engine.js'
import { readOrigin } from '../engines/request.js'

/** Lines that a head ends with, each with its line break before it. */
export class CorsHeaders {
  readonly lines: string

  constructor(lines: string) {
    this.lines = lines
  }
}

export const NO_CORS_HEADERS = new CorsHeaders('')

const EXPOSED = [
  'X-RateLimit-Limit-Minute',
  'X-RateLimit-Remaining-Minute',
  'X-RateLimit-Limit-Day',
  'X-RateLimit-Remaining-Day',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'ETag',
].join(', ')
const ASKED = 'X-Api-Key, X-Marketplace-Key, Authorization, Content-Type, If-None-Match'
const PREFLIGHT_SECONDS = 86_400
const VARY = '\r\nVary: Origin'

const allowing = (origin: string) => `\r\nAccess-Control-Allow-Origin: ${origin}\r\nAccess-Control-Expose-Headers: ${EXPOSED}`

/** Which origins' pages may read answers: a list of them, or `*` for all. */
export class Origins {
  readonly #all: CorsHeaders | undefined
  readonly #others = new CorsHeaders(VARY)
  readonly #byOrigin: ReadonlyMap<string, CorsHeaders>

  constructor(origins: readonly string[]) {
    this.#all = origins.includes('*') ? new CorsHeaders(allowing('*')) : undefined
    this.#byOrigin = new Map(origins.map(origin => [origin, new CorsHeaders(`${VARY}${allowing(origin)}`)]))
  }

  corsHeadersFor(req: HttpRequest): CorsHeaders {
    if (this.#all !== undefined) return this.#all
    return this.#byOrigin.get(readOrigin(req)) ?? this.#others
  }

  /** What a preflight is told besides. */
  static preflight(methods: readonly string[]): Record<string, string> {
    return {
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': ASKED,
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    }
  }
}
