import type { Catalog } from '../catalog/catalog.js'
import type { Found } from '../catalog/search/search.js'
import { isCode } from '../hs-code.js'
import { LEVELS, QUERY_CHARS_MAX, QUERY_CHARS_MIN, SEARCH_LIMIT_DEFAULT, WITHIN_DIGITS } from '../limits.js'
import type { Include } from './include.js'
import { refusePage } from './page.js'
import { invalidParameter, Refusal } from './refusal.js'
import { oneOf } from './wording.js'

export interface SearchPage extends Found {
  limit: number
  offset: number
}

const LEVEL_RULE = `must be ${oneOf(LEVELS)}`
const NONE: readonly number[] = []
const WITHIN_RULE = `must be a code of ${oneOf(WITHIN_DIGITS)} digits`

/** Searches by words or by the first digits of a code. */
export function search(
  catalog: Catalog,
  query: string,
  level?: number,
  limit = SEARCH_LIMIT_DEFAULT,
  offset = 0,
  within = '',
): SearchPage | Refusal {
  const words = query.trim()
  const { length } = [...words]
  if (length < QUERY_CHARS_MIN) return new Refusal('queryTooShort')
  if (length > QUERY_CHARS_MAX) return invalidParameter('q', `must have at most ${QUERY_CHARS_MAX} characters`)
  if (level !== undefined && !LEVELS.includes(level)) return invalidParameter('level', LEVEL_RULE)
  if (within !== '' && !(isCode(within) && WITHIN_DIGITS.includes(within.length))) return invalidParameter('within', WITHIN_RULE)
  const refusal = refusePage(limit, offset)
  if (refusal !== undefined) return refusal
  // untrimmed: a trailing space means that the last word is complete
  const { records, total } = catalog.search.find(query, level ?? 0, offset, limit, within)
  return { records, total, limit, offset }
}

/** For include=matched: by record, the indexed phrase that matched or -1. Empty where it is not asked for. */
export function matchedPhrases(
  catalog: Catalog,
  query: string,
  records: readonly number[],
  include: Include | undefined,
): readonly number[] {
  return include?.matched === true ? catalog.search.matchedPhrases(query, records) : NONE
}
