import { facetsJson } from '../../answers/facets.js'
import type { Fields } from '../../answers/fields.js'
import { resultJson } from '../../answers/records.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CountryView } from '../../catalog/countries.js'
import { ERRORS } from '../../errors.js'
import { FACETS, RESULT_FIELDS, SEARCH_INCLUDES } from '../../limits.js'
import { readCountry } from '../../questions/country.js'
import type { FacetName } from '../../questions/facets.js'
import { type Include, readInclude } from '../../questions/include.js'
import { readNames } from '../../questions/name-list.js'
import { invalidParameter, Refusal, refuseUnknown } from '../../questions/refusal.js'
import { matchedPhrases, type SearchPage, search } from '../../questions/search.js'
import { readSearches, type SentSearch } from '../../questions/searches.js'
import type { Responder } from '../../responses/respond.js'
import { COUNTRY_PARAMETERS } from '../query.js'
import type { BodyRequest } from '../routes.js'

const LISTS = ['include', 'fields', 'facets']
const BODY_FIELDS = ['queries', ...LISTS, ...COUNTRY_PARAMETERS]

/** What all searches of a body share. */
interface Shared {
  include: Include | undefined
  fields: Fields | undefined
  facets: ReadonlySet<FacetName> | undefined
  view: CountryView | undefined
}

interface SearchesRequest extends Shared {
  searches: readonly SentSearch[]
}

/** Counts one request per search; one if the body is invalid. */
export const readManySearches =
  (catalog: Catalog) =>
  (body: unknown): BodyRequest => {
    const request = parseBody(catalog, body)
    if (request instanceof Refusal) return { requests: 1, answer: out => out.refuse(request) }
    const { searches } = request
    const answers: Answered[] = []
    const work = () => answers.push(answerOne(catalog, searches[answers.length], request)) < searches.length
    const answer = (out: Responder) => {
      for (const [i, { total }] of answers.entries()) watch(searches[i], total, out)
      out
        .openData()
        .text(`[${answers.map(({ json }) => json).join()}]`)
        .endList(answers.length)
    }
    if (searches.length > 1) return { requests: searches.length, work, answer }
    // as fast as GET
    return {
      requests: 1,
      answer: out => {
        work()
        answer(out)
      },
    }
  }

function parseBody(catalog: Catalog, body: unknown): SearchesRequest | Refusal {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return invalidParameter('body', 'must be an object with queries')
  const unknown = refuseUnknown(body, BODY_FIELDS)
  if (unknown !== undefined) return unknown
  const { queries, ...sent } = body as Record<string, unknown>
  const shared = readShared(catalog, sent)
  if (shared instanceof Refusal) return shared
  const searches = readSearches(queries, shared.include !== undefined)
  return searches instanceof Refusal ? searches : { ...shared, searches }
}

function readShared(catalog: Catalog, sent: Record<string, unknown>): Shared | Refusal {
  const { country = '', as_of: asOf = '' } = sent
  for (const name of LISTS) if (!isTextList(sent[name] ?? [])) return invalidParameter(name, 'must be a list of strings')
  const list = (name: string) => (sent[name] ?? []) as string[]
  if (typeof country !== 'string') return invalidParameter('country', 'must be a string, such as "SA"')
  if (typeof asOf !== 'string') return invalidParameter('as_of', 'must be a string, such as "2026-02-25"')
  const include = readInclude(list('include').join(), SEARCH_INCLUDES)
  if (include instanceof Refusal) return include
  const fields = readNames('fields', list('fields'), RESULT_FIELDS)
  if (fields instanceof Refusal) return fields
  const facets = readNames('facets', list('facets'), FACETS)
  if (facets instanceof Refusal) return facets
  const view = readCountry(catalog, { country, asOf })
  return view instanceof Refusal ? view : { include, fields, facets, view }
}

const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(one => typeof one === 'string')

interface Answered {
  json: string
  /** Undefined if the search was refused. */
  total: number | undefined
}

/** Further pages of a list are not counted as searches. */
function watch({ q, level, within, rate, offset }: SentSearch, total: number | undefined, out: Responder): void {
  if (total === undefined || offset > 0) return
  out.searches?.answeredOne(q, total, level !== undefined || within !== '' || rate !== undefined)
}

function answerOne(catalog: Catalog, sent: SentSearch, shared: Shared): Answered {
  const { q, level, within, rate, limit, offset } = sent
  const { facets, view } = shared
  const page = search(catalog, q, level, limit, offset, within, { rate, facets, view })
  if (!(page instanceof Refusal)) return { json: pageJson(catalog, q, page, shared), total: page.total }
  return { json: JSON.stringify({ q, error: { code: ERRORS[page.name].code, message: page.message } }), total: undefined }
}

function pageJson(catalog: Catalog, q: string, page: SearchPage, { include, fields, view }: Shared): string {
  const { records, total, limit, offset, facets } = page
  const matched = matchedPhrases(catalog, q, records, include)
  const items = records.map((record, i) => resultJson(catalog, record, include, matched[i], view, fields))
  const head = `{"q":${JSON.stringify(q)},"items":[${items.join()}],"total":${total},"limit":${limit},"offset":${offset}`
  return `${head}${facets === undefined ? '' : `,"facets":${facetsJson(catalog, facets)}`}}`
}
