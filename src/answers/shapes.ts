/** The shape of every answer, for client, library and pages. A test compares each type with the OpenAPI document. */
import type { ErrorCode } from './error-shapes.js'
import type { Description, HsRecord, Language, Page, PathStep } from './record-shapes.js'

export type * from './classify-shapes.js'
export type * from './dataset-shapes.js'
export type * from './error-shapes.js'
export type * from './record-shapes.js'
export type * from './shipment-shapes.js'
export type * from './tariff-shapes.js'

export type SearchItem = Pick<HsRecord, 'hs_code' | 'description' | 'tariff_rate'>

/** How all results of a search are distributed, not only those of a page. */
export interface Facets {
  /** Most results first. */
  readonly chapter: readonly ChapterCount[]
  /** Ascending. */
  readonly level: readonly LevelCount[]
  /** By `tariff_rate`, ascending. */
  readonly rate: readonly RateCount[]
}

export type Facet = keyof Facets

export interface ChapterCount extends PathStep {
  readonly count: number
}

export interface LevelCount {
  readonly level: number
  readonly count: number
}

export interface RateCount {
  readonly rate: number
  readonly count: number
}

/** Values of `fields` for a search result, and for a record in a list. */
export type ResultField = keyof SearchItem | WordsField
export type RecordField = keyof HsRecord | WordsField
type WordsField = `description.${Language}`

/** An item with the fields that were named, or with all where none were. */
export type Picked<Item, F extends string> = [F] extends [never]
  ? Item
  : Pick<Item, F & keyof Item> & ('description' extends F ? unknown : PickedWords<F>)

type PickedWords<F extends string> = [F & WordsField] extends [never]
  ? unknown
  : { readonly description: Pick<Description, F extends `description.${infer L extends Language}` ? L : never> }

/** One of many searches. */
export interface SearchQuery {
  readonly q: string
  readonly level?: 2 | 4 | 6 | 8 | 10 | 12
  readonly within?: string
  readonly rate?: number
  readonly limit?: number
  readonly offset?: number
}

/** A page of results, with the facets that were asked for. */
export type SearchPage<Item, F extends Facet> = Page<Item> &
  ([F] extends [never] ? unknown : { readonly facets: Pick<Facets, F> })

/** The results of one of many searches; `q` as sent. */
export type SearchAnswer<Item, F extends Facet> = SearchPage<Item, F> & { readonly q: string }

/** Why it has none. */
export interface SearchRefusal {
  readonly q: string
  readonly error: { readonly code: ErrorCode; readonly message: string }
}

export interface Suggestion extends PathStep {
  readonly text: string
  readonly lang: Language
}

export interface Section {
  /** Roman number; null for chapters outside any section. */
  readonly section: string | null
  readonly title: Description
  readonly chapters: readonly PathStep[]
}

export type ResolveStatus = 'found' | 'normalised' | 'ambiguous' | 'moved' | 'unknown' | 'invalid'

export interface Resolved {
  readonly input: string
  readonly status: ResolveStatus
  readonly hs_code: string | null
  /** Whether it is one of the longest lines. */
  readonly declarable: boolean
  /** Number of longest lines at or below it. */
  readonly lines: number
  readonly nearest: string | null
  readonly candidates: readonly string[]
  readonly record: HsRecord | null
  /** Why it is invalid. */
  readonly reason?: string
}

export interface Correlation {
  readonly edition: string
  readonly code: string
  readonly relation: 'same' | 'moved' | 'split'
  /** The most likely first. */
  readonly targets: readonly HsRecord[]
}

/** What a code of today becomes in the next edition, whose codes have no records yet. */
export interface NextCorrelation {
  readonly edition: string
  readonly code: string
  readonly relation: 'same' | 'moved' | 'split'
  /** The most likely first. */
  readonly targets: readonly NextTarget[]
  readonly provisional: true
}

export interface NextTarget {
  readonly hs_code: string
  /** Whether it takes over all of the code (`whole`, `new`) or a part (`old`, `both`), and from others too (`new`, `both`). */
  readonly part: 'whole' | 'old' | 'new' | 'both'
  readonly certainty: 'published' | 'derived' | 'uncertain'
}

export interface Dataset {
  readonly edition: string
  readonly version: string
  readonly snapshot: string
  readonly records: number
  readonly levels: { readonly [digits: string]: number }
  readonly line_digits: readonly number[]
  readonly vat_rate: number
  readonly languages: readonly Language[]
  readonly rates: readonly number[]
}

export interface Health {
  readonly status: 'ok' | 'starting'
  readonly service: string
  readonly foundation_schema_ready: boolean
  readonly api_version: string
}
