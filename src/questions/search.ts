import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import type { Found } from '../catalog/search/search.js'
import { isCode } from '../codes/code.js'
import { LEVELS, QUERY_CHARS_MAX, QUERY_CHARS_MIN, SEARCH_LIMIT_DEFAULT, WITHIN_DIGITS } from '../limits.js'
import { FacetCounter, type FacetName, type Facets } from './facets.js'
import type { Include } from './include.js'
import { refusePage } from './page.js'
import { invalidParameter, Refusal } from './refusal.js'
import { oneOf } from './wording.js'

export interface SearchPage extends Found {
  limit: number
  offset: number
  /** Counts over all results; undefined unless requested. */
  facets: Facets | undefined
}

export interface SearchTerms {
  /** Only codes of this rate in percent; NaN if the caller did not send a number. */
  rate?: number | undefined
  facets?: ReadonlySet<FacetName> | undefined
  /** The country whose rates are filtered and counted; undefined for the common tariff. */
  view?: CountryView | undefined
}

const NO_TERMS: SearchTerms = {}
const LEVEL_RULE = `must be ${oneOf(LEVELS)}`
const NONE: readonly number[] = []
const RATE_RULE = 'must be a percentage, such as 5 or 6.5'
const WITHIN_RULE = `must be a code of ${oneOf(WITHIN_DIGITS)} digits`

export function search(
  catalog: Catalog,
  query: string,
  level?: number,
  limit = SEARCH_LIMIT_DEFAULT,
  offset = 0,
  within = '',
  terms = NO_TERMS,
): SearchPage | Refusal {
  const words = query.trim()
  const { length } = [...words]
  if (length < QUERY_CHARS_MIN) return new Refusal('queryTooShort')
  if (length > QUERY_CHARS_MAX) return invalidParameter('q', `must have at most ${QUERY_CHARS_MAX} characters`)
  if (level !== undefined && !LEVELS.includes(level)) return invalidParameter('level', LEVEL_RULE)
  if (within !== '' && !(isCode(within) && WITHIN_DIGITS.includes(within.length))) return invalidParameter('within', WITHIN_RULE)
  const { rate, facets, view } = terms
  if (rate !== undefined && !(rate >= 0)) return invalidParameter('rate', RATE_RULE)
  const refusal = refusePage(limit, offset)
  if (refusal !== undefined) return refusal
  // the query is not trimmed, because a space at its end means that the last word is complete
  const accepts = rate === undefined ? undefined : hasRate(catalog, rate, view)
  const counter = facets && new FacetCounter(catalog, facets, view)
  const { records, total } = catalog.search.find(query, level ?? 0, offset, limit, within, { accepts, count: counter?.count })
  return { records, total, limit, offset, facets: counter?.facets }
}

function hasRate(catalog: Catalog, rate: number, view: CountryView | undefined): (record: number) => boolean {
  const index = catalog.meta.rates.findIndex(one => Number(one) === rate)
  const rates = view ?? catalog
  return record => rates.rateIndex(record) === index
}

/** For include=matched: for each record, the indexed phrase that matched, or -1. Empty if not requested. */
export function matchedPhrases(
  catalog: Catalog,
  query: string,
  records: readonly number[],
  include: Include | undefined,
): readonly number[] {
  return include?.matched === true ? catalog.search.matchedPhrases(query, records) : NONE
}
