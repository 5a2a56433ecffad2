/** What the library takes and gives. Values have the names and the order of the HTTP answers, and are frozen. */

/** Words in both languages; empty where a dataset lacks one of them. */
export interface Words {
  readonly en: string
  readonly ar: string
}

export interface HsRecord {
  /** Digits: a code is text, its first digit may be 0. */
  readonly hs_code: string
  readonly description: Words
  /** Number of digits. */
  readonly level: number
  /** A 1 followed by the parent's digits; null without a parent. */
  readonly parent_id: number | null
  /** Import duty in percent. Indicative: verify it with the customs authority. */
  readonly tariff_rate: number
  readonly is_active: boolean
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Of all that there are, not only these. */
  readonly total: number
  readonly limit: number
  readonly offset: number
}

export interface PageOptions {
  /** 1 to 50. */
  readonly limit?: number | undefined
  /** How many to pass over; 0 unless told. */
  readonly offset?: number | undefined
}

export interface SearchOptions extends PageOptions {
  /** Only codes of so many digits: 2, 4, 6, 8, 10 or 12. */
  readonly level?: number | undefined
  /** Only codes at or below this one of 2, 4 or 6 digits. */
  readonly within?: string | undefined
}

export interface LinesOptions extends PageOptions {
  /** Length of the lines, one of the dataset's `line_digits`; the longest unless told. */
  readonly digits?: number | undefined
}

export type Language = 'en' | 'ar'

export interface SuggestOptions {
  /** 1 to 20; 10 unless told. */
  readonly limit?: number | undefined
  /** In which language; in that of the letters typed unless told. */
  readonly lang?: Language | undefined
}

export interface Suggestion {
  readonly text: string
  readonly lang: Language
  readonly hs_code: string
  readonly description: Words
}

export interface ResolveOptions {
  /** The edition of the codes, such as '2017'; the dataset's own unless told. */
  readonly edition?: string | undefined
}

export interface Resolution {
  readonly input: string
  readonly status: 'found' | 'normalised' | 'ambiguous' | 'moved' | 'unknown' | 'invalid'
  /** The code that is meant; null where none is, or more than one may be. */
  readonly hs_code: string | null
  /** Whether it is one of the longest lines, on which goods are declared. */
  readonly declarable: boolean
  /** How many of those stand at or below it. */
  readonly lines: number
  /** For an unknown code the longest code above it that exists. */
  readonly nearest: string | null
  /** Codes that may be meant, the likeliest first. */
  readonly candidates: readonly string[]
  readonly record: HsRecord | null
  /** Why it is invalid. */
  readonly reason?: string
}

/** What a code of an earlier edition is now. */
export interface Correlation {
  readonly edition: string
  readonly code: string
  readonly relation: 'same' | 'moved' | 'split'
  /** The most likely first. */
  readonly targets: readonly HsRecord[]
}

export interface RateOrigin {
  /** The code that the rate is written on: the one asked for or one above it. */
  readonly from: string
  /** Null where the dataset does not tell. */
  readonly source: string | null
  readonly certainty: 'published' | 'general' | 'uncertain' | null
}

export interface TariffOptions {
  /** Three letters, a label only: nothing is converted. USD unless told. */
  readonly currency?: string | undefined
  /** Whether VAT is added; unless told, only where `vat_rate` is given. */
  readonly include_vat?: boolean | undefined
  /** Percent from 0 to 100 with at most 4 decimals; the dataset's unless told. */
  readonly vat_rate?: number | string | undefined
}

/** Amounts as numbers: the nearest that JavaScript has. */
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

/** The same amounts with all their digits, as decimals. */
export type ExactAmounts = {
  readonly [Name in Exclude<keyof Calculation, 'currency' | 'import_duty_rate' | 'vat_rate'>]: string
}

export interface TariffEstimate {
  readonly hs_code: string
  /** The English description. */
  readonly product: string
  readonly calculation: Calculation
  readonly exact: ExactAmounts
  /** That rates are indicative, and what else must be known. */
  readonly notes: string
}

export interface DatasetInfo {
  readonly edition: string
  readonly version: string
  /** Tells one snapshot from another. */
  readonly snapshot: string
  readonly records: number
  /** How many codes there are of each length. */
  readonly levels: Readonly<Record<string, number>>
  /** Code lengths that goods are declared on, ascending. */
  readonly line_digits: readonly number[]
  readonly vat_rate: number
  readonly languages: readonly Language[]
  /** The distinct duty rates in percent. */
  readonly rates: readonly number[]
}

/**
 * Everything known about the codes, in memory. Nothing here waits, and nothing is shared with another catalog. A code that is not
 * there is `null`; what is no code, or a value out of bounds, throws a `CatalogError`.
 */
export interface HsCatalog {
  /** What is loaded. */
  readonly dataset: DatasetInfo

  /** The file that it was opened from; null where bytes were handed in. */
  readonly source: string | null

  /** The record of a code of 2 to 14 digits. For codes as people write them see `resolve`. */
  lookup(code: string): HsRecord | null

  /** Codes by words, in English or Arabic, or by their first digits: the best first. `limit` is 20 unless told. */
  search(query: string, options?: SearchOptions): Page<HsRecord>

  /** Completions for what is being typed, the best first. */
  suggest(typed: string, options?: SuggestOptions): readonly Suggestion[]

  /** The codes one level below, ascending. `limit` is 50 unless told. */
  children(code: string, options?: PageOptions): Page<HsRecord> | null

  /** Every line of a length at or below a code, ascending: what goods are declared on. `limit` is 50 unless told. */
  lines(code: string, options?: LinesOptions): Page<HsRecord> | null

  /** The codes above, from the chapter down to the parent; none for a chapter. */
  path(code: string): readonly HsRecord[] | null

  /** What a text, or each of several, means as a code: dots, lost zeros, earlier editions. */
  resolve(text: string, options?: ResolveOptions): Resolution
  resolve(texts: readonly string[], options?: ResolveOptions): readonly Resolution[]

  /** What a six-digit code of an earlier edition, such as '2017', is now; null where that edition did not have it. */
  editions(edition: string, code: string): Correlation | null

  /** What a code, or its first six digits, was in each earlier edition; empty lists for a shorter one. */
  earlier(code: string): Readonly<Record<string, readonly string[]>> | null

  /** Where a code's duty rate comes from. */
  rate(code: string): RateOrigin | null

  /** Duty, VAT and landed cost of goods of a CIF value from 0.01 to 999999999999.99, exactly; text where a number would be rounded. */
  tariff(code: string, value: number | string, options?: TariffOptions): TariffEstimate | null

  /** Lets go of the memory. What is asked afterwards throws; values already given stay. */
  close(): void
}

export interface OpenOptions {
  /**
   * A snapshot: its file, or its bytes, which must not be changed from then on. Without it, in Node: the file that HSAPI_SNAPSHOT
   * names, else `hs.snapshot` in the data directory, else the one that comes with the package.
   */
  readonly snapshot?: string | Uint8Array | undefined
}
