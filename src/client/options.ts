import type {
  ChangeKind,
  CountryCode,
  Facet,
  Include,
  Language,
  RecordField,
  ResultField,
  SearchInclude,
  ShipmentTerms,
} from '../answers/shapes.js'
import type { CallOptions } from './transport.js'

/** The country whose tariff applies; by default the common tariff, or the server's HSAPI_COUNTRY. */
export interface CountryOptions extends CallOptions {
  /** Letter case does not matter. */
  country?: CountryCode | Lowercase<CountryCode>
  /** A day such as 2026-03-01. Rates come from the country's newest list up to that day. */
  as_of?: string
}

/** Additional fields: `include: ['path']`. */
export interface IncludeOptions<I extends string> extends CountryOptions {
  include?: readonly I[]
  /** Maximum characters of the short description that `include: ['short']` adds, 10 to 200; default 35. */
  short_max?: number
}

export interface PageOptions<I extends string, F extends string = RecordField> extends IncludeOptions<I> {
  /** Page size, 1 to 50. */
  limit?: number
  offset?: number
  /** Returns only these of the items' own fields: `fields: ['hs_code', 'description.en']`. */
  fields?: readonly F[]
}

export interface EverySearchOptions<I extends SearchInclude, F extends ResultField> extends PageOptions<I, F> {
  /** Only codes of this many digits. */
  level?: 2 | 4 | 6 | 8 | 10 | 12
  /** Only codes at or below this code of 2, 4 or 6 digits. */
  within?: string
  /** Only codes with this `tariff_rate`, in percent. */
  rate?: number
}

export interface SearchOptions<I extends SearchInclude, F extends ResultField = ResultField, C extends Facet = Facet>
  extends EverySearchOptions<I, F> {
  /** Adds counts over all results: `facets: ['chapter']`. */
  facets?: readonly C[]
}

/** Options for all queries of `searchMany`. */
export interface SearchManyOptions<I extends SearchInclude, F extends ResultField, C extends Facet> extends IncludeOptions<I> {
  fields?: readonly F[]
  facets?: readonly C[]
}

export interface LinesOptions<I extends Include, F extends RecordField = RecordField> extends PageOptions<I, F> {
  /** Number of digits of the lines; by default, the longest lines. */
  digits?: number
}

export interface ChangesOptions extends CallOptions {
  /** A version of the dataset; only later changes are listed. Default: all known changes. */
  since?: string
  kind?: ChangeKind
  /** Only changes that affect these codes (at most 100), codes below them, or the code that a padded line repeats. */
  codes?: readonly string[]
  /** Page size, 1 to 50. */
  limit?: number
  offset?: number
}

export interface SuggestOptions extends CallOptions {
  /** Maximum number of suggestions, 1 to 20. */
  limit?: number
  /** Default: the language of the typed letters. */
  lang?: Language
}

export interface ClassifyOptions extends CountryOptions {
  /** Number of digits of the candidates; default 6. */
  level?: 4 | 6 | 8 | 12
  /** Maximum number of candidates for each item, 1 to 20; default 5. */
  limit?: number
}

export interface EditionOptions extends CountryOptions {
  /** Edition of the codes: `2022`, `2017`, `2012`, `2007`, `2002` or `1996`. */
  edition?: string
}

export interface TariffOptions extends CallOptions {
  /** A label of three letters; amounts are not converted. */
  currency?: string
  /** Whether VAT is added; by default only if `vat_rate` is set. */
  include_vat?: boolean
  /** VAT rate in percent, instead of the dataset's; implies VAT. */
  vat_rate?: number
  /** `['exact']` adds `exact`, the amounts as decimal strings. */
  include?: readonly 'exact'[]
}

/** An estimate for a country includes VAT unless `include_vat` is false. */
export interface InvoiceOptions extends TariffOptions {
  country: CountryCode | Lowercase<CountryCode>
  as_of?: string
  /** Country of origin of every item that has no `origin` of its own. */
  origin?: string
}

export interface ShipmentOptions extends InvoiceOptions, ShipmentTerms {
  origin?: string
  /** Whether to add the amounts in the country's currency, converted at fixed rates. */
  convert?: boolean
}
