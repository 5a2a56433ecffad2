/** Header lines that differ from caller to caller: what a browser's page of another origin may see. */
import type { HttpRequest } from './engine.js'
import { readOrigin } from './request.js'

/** Lines that a head ends with, each with its line break before it. */
export class Dress {
  readonly lines: string

  constructor(lines: string) {
    this.lines = lines
  }
}

export const PLAIN = new Dress('')

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

const allowing = (origin: string) =>
  `\r\nAccess-Control-Allow-Origin: ${origin}\r\nAccess-Control-Expose-Headers: ${EXPOSED}`

/** Which origins' pages may read answers: a list of them, or `*` for all. */
export class Origins {
  readonly #all: Dress | undefined
  readonly #others = new Dress(VARY)
  readonly #dresses: ReadonlyMap<string, Dress>

  constructor(origins: readonly string[]) {
    this.#all = origins.includes('*') ? new Dress(allowing('*')) : undefined
    this.#dresses = new Map(origins.map(origin => [origin, new Dress(`${VARY}${allowing(origin)}`)]))
  }

  dressFor(req: HttpRequest): Dress {
    if (this.#all !== undefined) return this.#all
    return this.#dresses.get(readOrigin(req)) ?? this.#others
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
