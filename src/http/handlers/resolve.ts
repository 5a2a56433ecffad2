import { resolvedJson } from '../../answers/records.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { RESOLVE_BODY_MAX, RESOLVE_QUERY_MAX } from '../../limits.js'
import { invalidParameter, Refusal } from '../../questions/refusal.js'
import { Resolver, readEdition, refuseCodes } from '../../questions/resolve.js'
import type { Responder } from '../../responses/respond.js'
import { Query } from '../query.js'

/** Refused as an unknown edition. */
const NO_EDITION = '?'

interface ResolveRequest {
  codes: readonly string[]
  edition: string
}

export class ResolveHandler {
  readonly #query = new Query(['codes', 'edition'])

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
    const codes = list === '' ? [] : list.split(',')
    return query.refusal ?? refuseCodes(codes, RESOLVE_QUERY_MAX) ?? requestFor(this.catalog, codes, edition)
  }
}

export const readCodes = (catalog: Catalog) => (body: unknown) => {
  const request = parseBody(catalog, body)
  return { requests: requestsOf(request), answer: (out: Responder) => answer(catalog, request, out) }
}

function parseBody(catalog: Catalog, body: unknown): ResolveRequest | Refusal {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return invalidParameter('body', 'must be an object with codes')
  const { codes, edition = '' } = body as { codes?: unknown; edition?: unknown }
  const isYear = typeof edition === 'string' || typeof edition === 'number'
  const refusal = refuseCodes(codes, RESOLVE_BODY_MAX)
  return refusal ?? requestFor(catalog, codes as string[], isYear ? String(edition) : NO_EDITION)
}

function requestFor(catalog: Catalog, codes: readonly string[], year: string): ResolveRequest | Refusal {
  const edition = readEdition(catalog, year)
  return edition instanceof Refusal ? edition : { codes, edition }
}

/** One per code; one for an invalid request. */
function requestsOf(request: ResolveRequest | Refusal): number {
  return request instanceof Refusal ? 1 : request.codes.length
}

function answer(catalog: Catalog, request: ResolveRequest | Refusal, out: Responder): void {
  if (request instanceof Refusal) return out.refuse(request)
  const resolver = new Resolver(catalog, request.edition)
  const answers = request.codes.map(code => resolvedJson(catalog, resolver.resolve(code)))
  out.openData().text(`[${answers.join()}]`).endList(answers.length)
}
