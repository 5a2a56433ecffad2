/** Schemas of searches: facets, chosen fields, and many searches in one request. */
import * as limits from '../limits.js'
import { AS_OF, COUNTRY, countrySchema, daySchema } from './country-parameters.js'
import { includedInSearch } from './include-schemas.js'
import {
  code,
  count,
  integer,
  itemError,
  type Json,
  list,
  object,
  patterned,
  percentage,
  ref,
  string,
  text,
} from './schema-parts.js'

export const FACETS = 'The facets to count, separated by commas. Counts are over all results, not only those of the page'
export const FIELDS = "The record's own fields to return, separated by commas; fields that include adds are always returned"
export const RATE = 'Only codes with this tariff_rate, in percent'

export const querySchema = text(limits.QUERY_CHARS_MIN, limits.QUERY_CHARS_MAX)
export const searchLevel: Json = { type: 'integer', enum: limits.LEVELS }
export const searchWithin = patterned(`^(?:${limits.WITHIN_DIGITS.map(n => `[0-9]{${n}}`).join('|')})$`)

const names = (allowed: readonly string[], description: string): Json => ({
  type: 'array',
  items: { type: 'string', enum: allowed },
  description,
})

/** Schema of a list parameter in a query string. */
export const nameList = (allowed: readonly string[]): Json => ({ type: 'array', items: { type: 'string', enum: allowed } })

const counted = (fields: Record<string, Json>, description: string): Json => ({
  type: 'array',
  items: object({
    ...fields,
    count: { ...integer(1, Number.MAX_SAFE_INTEGER), description: 'Number of results with this value' },
  }),
  description,
})

const someWords = object({ en: string, ar: string }, ['en', 'ar'])

/** Schema of a record with only the requested fields, at least one. */
export function pickedSchema(own: Record<string, Json>, included: Record<string, Json>): Json {
  const fields = { ...own, description: someWords, ...included }
  return { ...object(fields, Object.keys(fields)), minProperties: 1 }
}

const page: Record<string, Json> = {
  q: { type: 'string', description: 'The query as sent' },
  items: list({ anyOf: [ref('SearchItem'), ref('PickedSearchItem')] }, limits.PAGE_LIMIT_MAX),
  total: { ...count, description: 'Number of all results' },
  limit: integer(1, limits.PAGE_LIMIT_MAX),
  offset: count,
}

export const SEARCH_SCHEMAS: Record<string, Json> = {
  Facets: {
    ...object(
      {
        chapter: counted({ hs_code: code, description: ref('Description') }, 'Most results first'),
        level: counted({ level: integer(limits.CODE_DIGITS_MIN, limits.CODE_DIGITS_MAX) }, 'Ascending'),
        rate: counted({ rate: percentage }, 'By tariff_rate, ascending'),
      },
      [...limits.FACETS],
    ),
    description: 'With facets: how all results are distributed. The counts of each facet add up to total',
  },
  PickedSearchItem: pickedSchema({ hs_code: code, tariff_rate: percentage }, includedInSearch),
  SearchesRequest: {
    type: 'object',
    description: `At most ${limits.BODY_BYTES_MAX} bytes`,
    properties: {
      queries: list(ref('SearchQuery'), limits.SEARCHES_MAX, 1),
      include: names(
        limits.SEARCH_INCLUDES,
        `Additional fields of each result; the limits of all queries may then add up to at most ${limits.SEARCHES_INCLUDING_MAX}`,
      ),
      short_max: {
        ...integer(limits.SHORT_CHARS_MIN, limits.SHORT_CHARS_MAX),
        description: `Maximum length of the short description that include=short adds, in characters; default ${limits.SHORT_CHARS_DEFAULT}`,
      },
      fields: names(limits.RESULT_FIELDS, "The result's own fields to return; fields that include adds are always returned"),
      facets: names(limits.FACETS, 'Counts over all results of each query'),
      country: { ...countrySchema, description: COUNTRY },
      as_of: { ...daySchema, description: AS_OF },
    },
    required: ['queries'],
    additionalProperties: false,
    examples: [
      {
        queries: [
          { q: 'green tea', limit: 3 },
          { q: 'زعفران', level: 6 },
        ],
      },
    ],
  },
  SearchQuery: {
    type: 'object',
    properties: {
      q: { ...querySchema, description: 'The words or digits to find' },
      level: { ...searchLevel, description: 'Only codes of this many digits' },
      within: { ...searchWithin, description: 'Only codes at or below this one' },
      rate: { ...percentage, description: RATE },
      // defaults are stated in words, because code generators make a field with a `default` required
      limit: { ...integer(1, limits.PAGE_LIMIT_MAX), description: `Page size; default ${limits.SEARCHES_LIMIT_DEFAULT}` },
      offset: { ...count, description: 'Number of results before the page; default 0' },
    },
    required: ['q'],
    additionalProperties: false,
  },
  SearchAnswer: object({ ...page, facets: ref('Facets') }, ['facets']),
  SearchRefusal: object({
    q: { type: 'string', description: 'The query as sent' },
    error: itemError,
  }),
}
