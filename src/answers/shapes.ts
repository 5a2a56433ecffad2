/** The shape of every answer, for client, library and pages. A test compares each type with the OpenAPI document. */
export type * from './classify-shapes.js'
export type * from './dataset-shapes.js'
export type * from './shipment-shapes.js'

export interface Description {
  readonly en: string
  readonly ar: string
}

export type Language = keyof Description

export interface HsRecord {
  readonly hs_code: string
  readonly description: Description
  /** Number of digits. */
  readonly level: number
  /** A 1 followed by the parent's digits; null without a parent. */
  readonly parent_id: number | null
  /** Import duty in percent; indicative. */
  readonly tariff_rate: number
  readonly is_active: boolean
}

export type PathStep = Pick<HsRecord, 'hs_code' | 'description'>

/** What `include` adds to a record. */
export interface Extras {
  /** The codes above, from the chapter down to the parent. */
  readonly path: readonly PathStep[]
  /** By year: what the first six digits were in earlier editions, and what they become in the next. */
  readonly editions: { readonly [year: string]: readonly string[] }
  readonly rate: RateOrigin
  /** In which the quantity is declared; null where the dataset names none, or where the codes below differ. */
  readonly unit: Unit | null
  /** Of the code, of the codes above it and of its section, nearest scope first. */
  readonly notes: CutList<Note>
  /** From the code, from the codes above it and, unless it is a chapter, from those below it. */
  readonly see_also: CutList<Pointer>
  readonly controls: Controls
  readonly examples: Examples
}

/** The first 20 of a list. */
export interface CutList<Item> {
  readonly items: readonly Item[]
  /** Of the whole list. */
  readonly total: number
}

/** A legal note in our own words. */
export interface Note {
  /** `rules`, a section such as S16, a code, or several of them separated by a comma and a space. */
  readonly scope: string
  readonly kind: 'excludes' | 'defines' | 'includes' | 'prefers' | 'rule'
  /** Such as "Chapter 85, note 1(a)". */
  readonly number: string
  readonly text: Description
  /** Codes of the goods that the note sends elsewhere, or that it is about; may be empty. */
  readonly goes_to: readonly string[]
  readonly certainty: 'published' | 'general' | 'uncertain'
}

export interface ScopeNotes {
  readonly scope: string
  readonly notes: readonly Note[]
}

/** Goods that people look for under one code, and the code that they belong to. */
export interface Pointer extends PathStep {
  readonly what: Description
}

/** Further fields for a lookup: the first page of a list, as its own endpoint lists it. */
export interface LookupExtras extends Extras {
  readonly children: Page<ListedRecord>
  /** The codes of the same parent, this one included; none for a chapter. */
  readonly siblings: Page<ListedRecord>
  /** The longest ones. */
  readonly lines: Page<ListedRecord>
}

/** With its rate where that is included too. */
export type ListedRecord = HsRecord & Partial<Pick<Extras, 'rate'>>

/** Further fields for a search result. */
export interface SearchExtras extends Extras {
  /** The everyday name most similar to the query; null where the description is, or where a code was searched for. */
  readonly matched: Name | null
}

/** Everyday names, best known first. */
export interface Examples {
  readonly en: readonly string[]
  readonly ar: readonly string[]
}

export interface Name {
  readonly text: string
  readonly lang: Language
}

export interface RateOrigin {
  /** The code that sets the rate: this one or one above it. */
  readonly from: string
  /** Null where the dataset names no source. */
  readonly source: string | null
  readonly certainty: 'published' | 'general' | 'reported' | 'derived' | 'uncertain' | null
  /** Lowest rate of the lines at or below the code. */
  readonly min: number
  /** Highest rate of them. */
  readonly max: number
  /**
   * `prohibited` where a control of all GCC states, or the list or a control of the country, prohibits the goods; `unknown` where
   * the country's list gives no import rate. The rate is then that of the common tariff.
   */
  readonly status: 'normal' | 'prohibited' | 'unknown'
  /** Only where a country answers. */
  readonly country?: CountryCode
  /** Date of the country's list; null where the common tariff sets the rate. */
  readonly list?: string | null
  /** Date of the record in that list. */
  readonly date?: string | null
}

export type CountryCode = 'AE' | 'SA' | 'BH' | 'OM' | 'QA' | 'KW'

export interface Unit {
  /** Such as kg, u (items) or 2u (pairs). */
  readonly code: string
  readonly name: Description
  readonly certainty: 'published' | 'assumed'
}

/** What importing the goods is subject to in all GCC states, and in the country that was named. */
export interface Controls {
  /** Of the code and of the codes above it, the most serious kind first. */
  readonly items: readonly Control[]
  /** That an empty list does not mean that there is no control. */
  readonly note: Description
}

export interface Control {
  readonly scope: 'GCC' | 'AE' | 'BH' | 'KW' | 'OM' | 'QA' | 'SA'
  readonly kind: 'prohibited' | 'restricted' | 'permit' | 'conformity'
  /** Null where it is not known. */
  readonly authority: string | null
  readonly reason: Description
  readonly source: string
  /** Date of the source, as 2026-11-15. */
  readonly date: string
  readonly certainty: 'published' | 'reported' | 'uncertain'
}

export type Include = keyof Extras
export type LookupInclude = keyof LookupExtras
export type SearchInclude = keyof SearchExtras

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

/** As JavaScript numbers, which may be rounded. */
export interface Calculation {
  readonly declared_value: number
  readonly currency: string
  readonly import_duty_rate: number
  readonly import_duty_amount: number
  readonly vat_rate: number
  readonly vat_amount: number
  readonly total_duties_taxes: number
  readonly landed_cost: number
}

export interface TariffEstimate {
  readonly hs_code: string
  /** The English description. */
  readonly product: string
  readonly calculation: Calculation
  /** That rates are indicative, and further notes on this code. */
  readonly notes: string
}

export interface InvoiceItem {
  readonly hs_code: string
  /** As a string where a number would be rounded. */
  readonly value: number | string
}

export interface InvoiceItemError {
  readonly hs_code: string
  readonly error: { readonly code: ErrorCode; readonly message: string }
}

export interface Invoice {
  readonly items: readonly (TariffEstimate | InvoiceItemError)[]
  readonly totals: Omit<Calculation, 'currency' | 'import_duty_rate' | 'vat_rate'>
}

export type ErrorCode =
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'api_key_expired'
  | 'rate_limit_exceeded'
  | 'invalid_code'
  | 'invalid_value'
  | 'query_too_short'
  | 'invalid_parameter'
  | 'not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'internal_error'
  | 'db_unavailable'
  | 'busy'
  | 'origin_not_allowed'

export interface ErrorDetails {
  /** The parameter that is wrong. */
  readonly parameter?: string
  /** The known name nearest to an unknown parameter. */
  readonly did_you_mean?: string
  /** The longest existing prefix. */
  readonly nearest?: string
  /** What an earlier edition's code is now, likeliest first. */
  readonly moved_to?: readonly string[]
  /** Today's codes whose goods a code of the next edition takes over. */
  readonly comes_from?: readonly string[]
  /** Of an internal error: finds it in the server's log. */
  readonly request_id?: string
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Of all pages. */
  readonly total: number
  readonly limit: number
  readonly offset: number
}
