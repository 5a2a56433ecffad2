import { resolvedJson } from '../../answers/records.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CountryView } from '../../catalog/countries.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { RESOLVE_QUERY_MAX } from '../../limits.js'
import { type CountryTerms, readCountry } from '../../questions/country.js'
import { Refusal } from '../../questions/refusal.js'
import { Resolver, readEdition, refuseCodes } from '../../questions/resolve.js'
import type { Responder } from '../../responses/respond.js'
import { checkBody } from '../check-body.js'
import { COUNTRY_PARAMETERS, Query } from '../query.js'

interface Request {
  codes: readonly string[]
  edition: string
  view: CountryView | undefined
}

export class ResolveHandler {
  readonly #query = new Query(['codes', 'edition', ...COUNTRY_PARAMETERS])

  constructor(private readonly catalog: Catalog) {}

  charge(req: HttpRequest): number {
    return requestsOf(this.#read(req))
  }

  handle(req: HttpRequest, out: Responder): void {
    answer(this.catalog, this.#read(req), out)
  }

  #read(req: HttpRequest): Request | Refusal {
    const query = this.#query.read(readQueryText(req))
    const list = query.text('codes')
    const edition = query.text('edition')
    const terms = { country: query.text('country'), asOf: query.text('as_of') }
    const codes = list === '' ? [] : list.split(',')
    return query.refusal ?? refuseCodes(codes, RESOLVE_QUERY_MAX) ?? requestFor(this.catalog, codes, edition, terms)
  }
}

export const readCodes = (catalog: Catalog) => (body: unknown) => {
  const request = readBody(catalog, body)
  return { requests: requestsOf(request), answer: (out: Responder) => answer(catalog, request, out) }
}

function readBody(catalog: Catalog, body: unknown): Request | Refusal {
  const sent = checkBody('ResolveRequest', body)
  if (sent instanceof Refusal) return sent
  const { codes, edition = '', country, as_of: asOf } = sent
  return requestFor(catalog, codes, String(edition), { country, asOf })
}

function requestFor(catalog: Catalog, codes: readonly string[], year: string, terms: CountryTerms): Request | Refusal {
  const edition = readEdition(catalog, year)
  if (edition instanceof Refusal) return edition
  const view = readCountry(catalog, terms)
  return view instanceof Refusal ? view : { codes, edition, view }
}

/** Counts one request per code, and one for an invalid request. */
function requestsOf(request: Request | Refusal): number {
  return request instanceof Refusal ? 1 : request.codes.length
}

function answer(catalog: Catalog, request: Request | Refusal, out: Responder): void {
  if (request instanceof Refusal) return out.refuse(request)
  const resolver = new Resolver(catalog, request.edition)
  const answers = request.codes.map(code => resolvedJson(catalog, resolver.resolve(code), request.view))
  out.openData().text(`[${answers.join()}]`).endList(answers.length)
}
