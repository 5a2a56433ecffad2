/**
 * API paths that a view requests first. The server puts their answers into the document, so pages and server must build the
 * same paths. This file uses neither the DOM nor Node.
 */
import { subheadingOf } from '../../../codes/levels.js'
import { query } from './query.js'

export const DATASET_PATH = 'dataset'
export const CHAPTERS_PATH = 'chapters'

export const RECORD_INCLUDE = 'path,editions,rate,unit,notes,see_also,controls,examples,children,siblings,lines,countries'
const RECORD_QUERY = query('', { include: RECORD_INCLUDE })
/** The largest page of a list. */
export const LIST_PAGE = 50

export const recordPath = (code: string) => `hs-codes/${encodeURIComponent(code)}${RECORD_QUERY}`

/** `path`: the API path of a list of codes. */
export const listPath = (path: string, limit: number, offset: number) =>
  query(path, { limit, offset: offset === 0 ? null : offset, include: 'rate' })

export const childrenPath = (code: string, offset = 0) => listPath(`hs-codes/${code}/children`, LIST_PAGE, offset)

/** Latest first. */
export const EARLIER_EDITIONS = ['2017', '2012', '2007', '2002', '1996']
/** Editions are compared by six digits. */
export const editionPath = (edition: string, code: string) => `editions/${edition}/${subheadingOf(code)}`

/** Paths whose answers differ by country. */
const BY_COUNTRY = /^(?:hs-codes\/|search\?|classify\?|tariff\/)/

/** `country` '' is the common tariff. */
export function pathIn(country: string, path: string): string {
  if (country === '' || !BY_COUNTRY.test(path)) return path
  return `${path}${path.includes('?') ? '&' : '?'}country=${country}`
}

/** Id of the element with the answers. */
export const ANSWERS_ID = 'first-answers'

/** An answer of the API, without the parts that change over time. */
export interface FirstAnswer {
  data?: unknown
  meta?: { total: number; count: number }
  /** Set if the code was not found. */
  error?: { details?: { nearest?: string; moved_to?: string[] } }
}

export interface FirstAnswers {
  /** The server's default country; '' for the common tariff. */
  serverCountry: string
  /** By path. */
  answers: Record<string, FirstAnswer>
}
