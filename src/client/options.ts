/** Options of the client's methods. */
import type { CountryCode, Include, Language, SearchInclude, ShipmentTerms } from '../answers/shapes.js'
import type { CallOptions } from './transport.js'

/** By whose tariff; by default the common one, or the server's HSAPI_COUNTRY. */
export interface CountryOptions extends CallOptions {
  /** Letter case does not matter. */
  country?: CountryCode | Lowercase<CountryCode>
  /** Such as 2026-03-01: the country's newest list that is not after this day. */
  as_of?: string
}

/** Additional fields: `include: ['path']`. */
export interface IncludeOptions<I extends string> extends CountryOptions {
  include?: readonly I[]
}

export interface PageOptions<I extends string> extends IncludeOptions<I> {
  /** 1 to 50. */
  limit?: number
  offset?: number
}

export interface SearchOptions<I extends SearchInclude> extends PageOptions<I> {
  /** Only codes of this many digits. */
  level?: 2 | 4 | 6 | 8 | 10 | 12
  /** Only codes at or below this one of 2, 4 or 6 digits. */
  within?: string
}

export interface LinesOptions<I extends Include> extends PageOptions<I> {
  /** Default: the longest. */
  digits?: number
}

export interface SuggestOptions extends CallOptions {
  /** 1 to 20. */
  limit?: number
  /** Default: the language of the typed letters. */
  lang?: Language
}

export interface ClassifyOptions extends CountryOptions {
  /** Digits of the candidates; default 6. */
  level?: 4 | 6 | 8 | 12
  /** Candidates for each item, 1 to 20; default 5. */
  limit?: number
}

export interface EditionOptions extends CountryOptions {
  /** Edition of the codes: `2022`, `2017`, `2012`, `2007`, `2002` or `1996`. */
  edition?: string
}

export interface TariffOptions extends CallOptions {
  /** A label of three letters; nothing is converted. */
  currency?: string
  /** Whether VAT is added; by default only where `vat_rate` is given. */
  include_vat?: boolean
  /** Percent, in place of the dataset's; implies VAT. */
  vat_rate?: number
}

/** An estimate for a country includes VAT unless `include_vat` is false. */
export interface InvoiceOptions extends TariffOptions {
  country: CountryCode | Lowercase<CountryCode>
  as_of?: string
  /** Of every item that names none. */
  origin?: string
}

export interface ShipmentOptions extends InvoiceOptions, ShipmentTerms {
  origin?: string
  /** Whether to add the amounts in the country's currency, by fixed rates. */
  convert?: boolean
}
