import { facetsJson } from '../../answers/facets.js'
import type { Fields } from '../../answers/fields.js'
import { resultJson } from '../../answers/records.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CountryView } from '../../catalog/countries.js'
import { ERRORS } from '../../errors.js'
import { SEARCH_INCLUDES } from '../../limits.js'
import { readCountry } from '../../questions/country.js'
import type { FacetName } from '../../questions/facets.js'
import { type Include, readInclude } from '../../questions/include.js'
import { Refusal } from '../../questions/refusal.js'
import { matchedPhrases, type SearchPage, search } from '../../questions/search.js'
import { readSearches, type SentSearch } from '../../questions/searches.js'
import type { Responder } from '../../responses/respond.js'
import { checkBody } from '../check-body.js'
import { type BodyRequest, inParts, refusing } from '../routes.js'

/** Options that apply to all searches of a body. */
interface Shared {
  include: Include | undefined
  fields: Fields | undefined
  facets: ReadonlySet<FacetName> | undefined
  view: CountryView | undefined
}

interface Request extends Shared {
  searches: readonly SentSearch[]
}

/** Counts one request per search, and one for an invalid body. */
export const readManySearches =
  (catalog: Catalog) =>
  (body: unknown): BodyRequest => {
    const request = readBody(catalog, body)
    if (request instanceof Refusal) return refusing(request)
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
    return inParts(searches.length, work, answer)
  }

function readBody(catalog: Catalog, body: unknown): Request | Refusal {
  const sent = checkBody('SearchesRequest', body, { queries: 'required' })
  if (sent instanceof Refusal) return sent
  const include = readInclude((sent.include ?? []).join(), SEARCH_INCLUDES, sent.short_max)
  if (include instanceof Refusal) return include
  const view = readCountry(catalog, { country: sent.country, asOf: sent.as_of })
  if (view instanceof Refusal) return view
  const searches = readSearches(sent.queries, include !== undefined)
  if (searches instanceof Refusal) return searches
  return { include, fields: setOf(sent.fields), facets: setOf(sent.facets), view, searches }
}

/** Treats an empty list as absent. */
const setOf = <Name>(names: readonly Name[] = []): ReadonlySet<Name> | undefined =>
  names.length === 0 ? undefined : new Set(names)

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
