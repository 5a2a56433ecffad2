import { resolvedJson } from '../../answers/records.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CountryView } from '../../catalog/countries.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { RESOLVE_BODY_MAX, RESOLVE_QUERY_MAX } from '../../limits.js'
import { type CountryTerms, readCountry } from '../../questions/country.js'
import { invalidParameter, Refusal, refuseUnknown } from '../../questions/refusal.js'
import { Resolver, readEdition, refuseCodes } from '../../questions/resolve.js'
import type { Responder } from '../../responses/respond.js'
import { COUNTRY_PARAMETERS, Query } from '../query.js'

/** Refused as an unknown edition, country or day. */
const NO_EDITION = '?'
const NO_COUNTRY = '?'
const NO_DAY = '?'

interface ResolveRequest {
  codes: readonly string[]
  edition: string
  view: CountryView | undefined
}

/** Of a query and of a body. */
const PARAMETERS = ['codes', 'edition', ...COUNTRY_PARAMETERS]

export class ResolveHandler {
  readonly #query = new Query(PARAMETERS)

  constructor(private readonly catalog: Catalog) {}

  charge(req: HttpRequest): number {
    return requestsOf(this.#read(req))
  }

  handle(req: HttpRequest, out: Responder): void {
    answer(this.catalog, this.#read(req), out)
  }

  #read(req: HttpRequest): ResolveRequest | Refusal {
    const query = this.#query.read(readQueryText(req))
    const list = query.text('codes')
    const edition = query.text('edition')
    const terms = { country: query.text('country'), asOf: query.text('as_of') }
    const codes = list === '' ? [] : list.split(',')
    return query.refusal ?? refuseCodes(codes, RESOLVE_QUERY_MAX) ?? requestFor(this.catalog, codes, edition, terms)
  }
}

export const readCodes = (catalog: Catalog) => (body: unknown) => {
  const request = parseBody(catalog, body)
  return { requests: requestsOf(request), answer: (out: Responder) => answer(catalog, request, out) }
}

function parseBody(catalog: Catalog, body: unknown): ResolveRequest | Refusal {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return invalidParameter('body', 'must be an object with codes')
  const unknown = refuseUnknown(body, PARAMETERS)
  if (unknown !== undefined) return unknown
  const { codes, edition = '', country = '', as_of: asOf = '' } = body as Record<string, unknown>
  const isYear = typeof edition === 'string' || typeof edition === 'number'
  const refusal = refuseCodes(codes, RESOLVE_BODY_MAX)
  const terms = { country: textOr(country, NO_COUNTRY), asOf: textOr(asOf, NO_DAY) }
  return refusal ?? requestFor(catalog, codes as string[], isYear ? String(edition) : NO_EDITION, terms)
}

const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback)

function requestFor(catalog: Catalog, codes: readonly string[], year: string, terms: CountryTerms): ResolveRequest | Refusal {
  const edition = readEdition(catalog, year)
  if (edition instanceof Refusal) return edition
  const view = readCountry(catalog, terms)
  return view instanceof Refusal ? view : { codes, edition, view }
}

/** One per code; one for an invalid request. */
function requestsOf(request: ResolveRequest | Refusal): number {
  return request instanceof Refusal ? 1 : request.codes.length
}

function answer(catalog: Catalog, request: ResolveRequest | Refusal, out: Responder): void {
  if (request instanceof Refusal) return out.refuse(request)
  const resolver = new Resolver(catalog, request.edition)
  const answers = request.codes.map(code => resolvedJson(catalog, resolver.resolve(code), request.view))
  out.openData().text(`[${answers.join()}]`).endList(answers.length)
}
