/** Options and results of the library. Results are the answers of the HTTP API as frozen values. */
import type {
  Calculation,
  Candidate,
  Classified,
  ClassifyAnswer,
  ClassifyItem,
  ClassifyQuestion,
  Control,
  Controls,
  Correlation,
  CountryCode,
  CutList,
  DatasetChange,
  Dataset as DatasetInfo,
  ExactAmounts,
  ExactCostAmounts,
  Examples,
  ExportRow,
  Facet,
  Facets,
  HsRecord,
  Language,
  LeftOut,
  NextCorrelation,
  NextTarget,
  Note,
  Page,
  CountryEstimate as PlainCountryEstimate,
  TariffEstimate as PlainEstimate,
  Pointer,
  RateOrigin,
  Resolved as Resolution,
  ScopeNotes,
  SearchPage,
  ShipmentTerms,
  Suggestion,
  Unit,
  Verdict,
  Warning,
  Description as Words,
} from '../answers/shapes.js'

export type {
  Calculation,
  Candidate,
  Classified,
  ClassifyAnswer,
  ClassifyItem,
  ClassifyQuestion,
  Control,
  Controls,
  Correlation,
  CountryCode,
  CutList,
  DatasetChange,
  DatasetInfo,
  ExactAmounts,
  ExactCostAmounts,
  Examples,
  ExportRow,
  Facet,
  Facets,
  HsRecord,
  Language,
  LeftOut,
  NextCorrelation,
  NextTarget,
  Note,
  Page,
  Pointer,
  RateOrigin,
  Resolution,
  ScopeNotes,
  SearchPage,
  ShipmentTerms,
  Suggestion,
  Unit,
  Verdict,
  Warning,
  Words,
}

/** The country whose tariff applies; the common tariff by default. */
export interface CountryOptions {
  /** Letter case does not matter. */
  readonly country?: CountryCode | Lowercase<CountryCode> | undefined
  /** A day such as 2026-03-01. Rates come from the country's newest list up to that day. */
  readonly as_of?: string | undefined
}

export interface PageOptions extends CountryOptions {
  /** Page size, 1 to 50. */
  readonly limit?: number | undefined
  /** Number of entries before the page; default 0. */
  readonly offset?: number | undefined
}

export interface SearchOptions extends PageOptions {
  /** Only codes with this many digits: 2, 4, 6, 8, 10 or 12. */
  readonly level?: number | undefined
  /** Only codes at or below this code of 2, 4 or 6 digits. */
  readonly within?: string | undefined
  /** Only codes with this `tariff_rate`, in percent. */
  readonly rate?: number | undefined
  /** Adds counts over all results, not only those of the page. */
  readonly facets?: readonly Facet[] | undefined
}

export interface LinesOptions extends PageOptions {
  /** One of the dataset's `line_digits`; the longest by default. */
  readonly digits?: number | undefined
}

export interface RowsOptions extends CountryOptions {
  /** Only codes with this many digits: 2, 4, 6, 8, 10 or 12. */
  readonly level?: number | undefined
  /** Only codes at or below this code. */
  readonly within?: string | undefined
}

export interface ChangesOptions {
  /** A version of the dataset; only later changes are listed. */
  readonly since?: string | undefined
  readonly kind?: DatasetChange['kind'] | undefined
  /** Only changes that affect these codes (at most 100), including changes to a code above that apply to all codes below it. */
  readonly codes?: readonly string[] | undefined
  /** Page size, 1 to 50. */
  readonly limit?: number | undefined
  /** Number of entries before the page; default 0. */
  readonly offset?: number | undefined
}

export interface SuggestOptions {
  /** Maximum number of suggestions, 1 to 20; default 10. */
  readonly limit?: number | undefined
  /** Default: the language of the typed letters. */
  readonly lang?: Language | undefined
}

export interface ResolveOptions extends CountryOptions {
  /** Edition of the codes, such as '2017'; the edition of the dataset by default. */
  readonly edition?: string | undefined
}

export interface ClassifyOptions extends CountryOptions {
  /** Number of digits of the candidates: 4, 6, 8 or 12; default 6. */
  readonly level?: number | undefined
  /** Maximum number of candidates for each text, 1 to 20; default 5. */
  readonly limit?: number | undefined
}

export interface TextOptions extends ClassifyOptions {
  /** Only codes at or below this code, or at or below one of these codes, at most 20. */
  readonly within?: string | readonly string[] | undefined
  /** A code to verify against the text. */
  readonly hs_code?: string | undefined
}

export interface ShortOptions {
  /** Maximum number of characters, 10 to 200; default 35. */
  readonly short_max?: number | undefined
}

export interface TariffOptions {
  /** A label of three letters; amounts are not converted. Default USD. */
  readonly currency?: string | undefined
  /** Whether VAT is added; by default only if `vat_rate` is set. */
  readonly include_vat?: boolean | undefined
  /** VAT rate in percent, 0 to 100 with at most 4 decimals; the dataset's rate by default. */
  readonly vat_rate?: number | string | undefined
}

/** An estimate for a country includes VAT unless `include_vat` is false. */
export interface ShipmentOptions extends TariffOptions, CountryOptions, ShipmentTerms {
  readonly country: CountryCode | Lowercase<CountryCode>
  /** Whether to add the amounts in the country's currency, by fixed rates. */
  readonly convert?: boolean | undefined
}

export interface TariffEstimate extends PlainEstimate {
  readonly exact: ExactAmounts
}

export interface CountryEstimate extends PlainCountryEstimate {
  readonly exact: ExactCostAmounts
}

/**
 * A dataset in memory; every method is synchronous. An unknown code gives `null`; a malformed code or a value out of range
 * throws a `CatalogError`.
 */
export interface HsCatalog {
  readonly dataset: DatasetInfo

  /** The file from which the catalog was opened; null if it was opened from bytes. */
  readonly source: string | null

  /** The record of a code of 2 to 14 digits. For codes as people write them, see `resolve`. */
  lookup(code: string, options?: CountryOptions): HsRecord | null

  /** Finds codes by English or Arabic words or by their first digits, best first. The default of `limit` is 20. */
  search<const C extends Facet = never>(
    query: string,
    options?: SearchOptions & { readonly facets?: readonly C[] | undefined },
  ): SearchPage<HsRecord, C>

  /** Completions of typed text, best first. */
  suggest(typed: string, options?: SuggestOptions): readonly Suggestion[]

  /** The codes one level below, ascending. Default `limit` 50. */
  children(code: string, options?: PageOptions): Page<HsRecord> | null

  /** Lines at or below a code, under which goods are declared, ascending. Default `limit` 50. */
  lines(code: string, options?: LinesOptions): Page<HsRecord> | null

  /** The codes above a code, from the chapter down to the parent; empty for a chapter. */
  path(code: string): readonly HsRecord[] | null

  /** Reads codes as people write them: dots, lost zeros, earlier editions. */
  resolve(text: string, options?: ResolveOptions): Resolution
  resolve(texts: readonly string[], options?: ResolveOptions): readonly Resolution[]

  /** Proposes codes for a product title of 2 to 500 characters. A proposal is never a customs ruling. */
  classify(text: string, options?: TextOptions): Classified
  classify(items: readonly (string | ClassifyItem)[], options?: ClassifyOptions): readonly Classified[]

  /** The codes of the next edition that replace a current six-digit code; provisional. */
  editions(edition: '2028', code: string): NextCorrelation | null

  /** The current codes for a six-digit code of an earlier edition, such as '2017'; null if that edition does not have it. */
  editions(edition: string, code: string): Correlation | null

  /** For each earlier edition, the codes that correspond to the first six digits; empty lists for a shorter code. */
  earlier(code: string): Readonly<Record<string, readonly string[]>> | null

  /** The source of a code's duty rate. */
  rate(code: string, options?: CountryOptions): RateOrigin | null

  /**
   * The unit in which quantities are declared; null for an unknown code, if the dataset has no unit for the code, or if the
   * codes below have different units.
   */
  unit(code: string): Unit | null

  /** Import controls of all GCC states and of the given country. An empty list does not mean that there is no control. */
  controls(code: string, options?: CountryOptions): Controls | null

  /** The legal notes of a chapter such as '85' or a section such as 'S16', or `'rules'`; null for any other `scope`. */
  notes(scope: string): ScopeNotes | null

  /** The notes that affect a code: its own and those of the codes above it and of its section, nearest scope first. */
  notesOn(code: string): CutList<Note> | null

  /** Goods that people look for under this code, with the code to which they belong; at most 20. */
  seeAlso(code: string): CutList<Pointer> | null

  /** Everyday names of a code, best known first, at most 12 per language. */
  examples(code: string): Examples | null

  /** A short description for couriers and shops; null if the code is unknown or one language has no short description. */
  short(code: string, options?: ShortOptions): Words | null

  /** The cost of a shipment in a country: duty, excise, fees and VAT with their sources. */
  tariff(code: string, value: number | string, options: ShipmentOptions): CountryEstimate | null

  /** Exact duty, VAT and landed cost of a CIF value from 0.01 to 999999999999.99; pass text to avoid rounding. */
  tariff(code: string, value: number | string, options?: TariffOptions): TariffEstimate | null

  /** Changes to the dataset, newest version first: those after `since`, or all known changes. Default `limit` 50. */
  changes(options?: ChangesOptions): Page<DatasetChange>

  /** All records in code order, as the rows of the table that `hsapi export` writes. Each row is created when it is read. */
  rows(options?: RowsOptions): IterableIterator<ExportRow>

  /** Releases the memory. Later calls throw; values already returned stay valid. */
  close(): void
}

export interface OpenOptions {
  /**
   * A snapshot file, or its bytes, which must not change afterwards. Default in Node: the file that HSAPI_SNAPSHOT names,
   * otherwise the one shipped with the package.
   */
  readonly snapshot?: string | Uint8Array | undefined
}
