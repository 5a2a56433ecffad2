import type { HttpRequest } from '../engines/engine.js'
import { readOrigin } from '../engines/request.js'

/** Heads compare these objects by identity, which is faster than comparing strings. */
export interface CorsHeaders {
  /** Every line starts with CRLF. */
  readonly lines: string
}

export const NO_CORS_HEADERS: CorsHeaders = { lines: '' }

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
const REQUEST_ID = 'X-Request-Id'
const ALLOWED = 'X-Api-Key, X-Marketplace-Key, Authorization, Content-Type, If-None-Match'
/** Also allows the headers of the Model Context Protocol. */
const MCP_ALLOWED = `${ALLOWED}, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID`
const PREFLIGHT_SECONDS = 86_400
const VARY = '\r\nVary: Origin'

const allowing = (origin: string, exposed: string) =>
  `\r\nAccess-Control-Allow-Origin: ${origin}\r\nAccess-Control-Expose-Headers: ${exposed}`

/** The allowed origins; `*` allows all. */
export class Origins {
  readonly #all: CorsHeaders | undefined
  readonly #others: CorsHeaders = { lines: VARY }
  readonly #byOrigin: ReadonlyMap<string, CorsHeaders>

  constructor(
    origins: readonly string[],
    private readonly withRequestIds = false,
  ) {
    const exposed = withRequestIds ? `${EXPOSED}, ${REQUEST_ID}` : EXPOSED
    this.#all = origins.includes('*') ? { lines: allowing('*', exposed) } : undefined
    this.#byOrigin = new Map(origins.map(origin => [origin, { lines: `${VARY}${allowing(origin, exposed)}` }]))
  }

  corsHeadersFor(req: HttpRequest): CorsHeaders {
    if (this.#all !== undefined) return this.#all
    return this.#byOrigin.get(readOrigin(req)) ?? this.#others
  }

  allows(req: HttpRequest): boolean {
    return this.#all !== undefined || this.#byOrigin.has(readOrigin(req))
  }

  preflight(methods: readonly string[], isMcp: boolean): Record<string, string> {
    const allowed = isMcp ? MCP_ALLOWED : ALLOWED
    return {
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': this.withRequestIds ? `${allowed}, ${REQUEST_ID}` : allowed,
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    }
  }
}
