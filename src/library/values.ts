/** What the library takes and gives: the answers of HTTP, frozen. */
import type {
  Calculation,
  Correlation,
  Dataset as DatasetInfo,
  HsRecord,
  Language,
  Page,
  TariffEstimate as PlainEstimate,
  RateOrigin,
  Resolved as Resolution,
  Suggestion,
  Description as Words,
} from '../answers/shapes.js'

export type { Calculation, Correlation, DatasetInfo, HsRecord, Language, Page, RateOrigin, Resolution, Suggestion, Words }

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

export interface SuggestOptions {
  /** 1 to 20; 10 unless told. */
  readonly limit?: number | undefined
  /** In which language; in that of the letters typed unless told. */
  readonly lang?: Language | undefined
}

export interface ResolveOptions {
  /** The edition of the codes, such as '2017'; the dataset's own unless told. */
  readonly edition?: string | undefined
}

export interface TariffOptions {
  /** Three letters, a label only: nothing is converted. USD unless told. */
  readonly currency?: string | undefined
  /** Whether VAT is added; unless told, only where `vat_rate` is given. */
  readonly include_vat?: boolean | undefined
  /** Percent from 0 to 100 with at most 4 decimals; the dataset's unless told. */
  readonly vat_rate?: number | string | undefined
}

/** The amounts with all their digits, as decimals. */
export type ExactAmounts = {
  readonly [Name in Exclude<keyof Calculation, 'currency' | 'import_duty_rate' | 'vat_rate'>]: string
}

export interface TariffEstimate extends PlainEstimate {
  readonly exact: ExactAmounts
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
