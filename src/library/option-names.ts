/** The names of each function's options. The types ensure that no name is missing. */
import type {
  ChangesOptions,
  ClassifyItem,
  ClassifyOptions,
  CountryOptions,
  LinesOptions,
  OpenOptions,
  PageOptions,
  ResolveOptions,
  RowsOptions,
  SearchOptions,
  ShipmentOptions,
  ShortOptions,
  SuggestOptions,
  TextOptions,
} from './values.js'

export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

const page = { limit: true, offset: true } as const

export const OPEN: OptionNames<OpenOptions> = { snapshot: true }
export const COUNTRY: OptionNames<CountryOptions> = { country: true, as_of: true }
export const PAGE: OptionNames<PageOptions> = { ...page, ...COUNTRY }
export const SEARCH: OptionNames<SearchOptions> = { level: true, within: true, rate: true, facets: true, ...PAGE }
export const LINES: OptionNames<LinesOptions> = { digits: true, ...PAGE }
export const ROWS: OptionNames<RowsOptions> = { level: true, within: true, ...COUNTRY }
export const CHANGES: OptionNames<ChangesOptions> = { since: true, kind: true, codes: true, ...page }
export const SUGGEST: OptionNames<SuggestOptions> = { limit: true, lang: true }
export const RESOLVE: OptionNames<ResolveOptions> = { edition: true, ...COUNTRY }
export const CLASSIFY: OptionNames<ClassifyOptions> = { level: true, limit: true, ...COUNTRY }
export const CLASSIFY_ITEM: OptionNames<ClassifyItem> = { text: true, within: true, hs_code: true, sku: true, gtin: true }
export const TEXT: OptionNames<TextOptions> = { within: true, hs_code: true, ...CLASSIFY }
export const SHORT: OptionNames<ShortOptions> = { short_max: true }
export const TARIFF: OptionNames<ShipmentOptions> = {
  currency: true,
  include_vat: true,
  vat_rate: true,
  ...COUNTRY,
  origin: true,
  freight: true,
  insurance: true,
  quantity: true,
  unit: true,
  sugar: true,
  convert: true,
}
