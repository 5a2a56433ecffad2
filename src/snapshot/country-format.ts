/**
 * Countries in a snapshot: rates that differ from the common tariff's, taxes, fees, thresholds, and the effect of origin. Rates
 * are in columns (schema.ts); the small tables are here. Amounts and rates are decimal strings; '' means that there is none.
 */

export const COUNTRY_CODES = ['AE', 'SA', 'BH', 'OM', 'QA', 'KW'] as const
export type CountryCode = (typeof COUNTRY_CODES)[number]

/** `derived`: the code is not in the list, but the neighbouring codes agree on the rate. */
export const COUNTRY_CERTAINTIES = ['published', 'reported', 'derived', 'uncertain'] as const
export type CountryCertainty = (typeof COUNTRY_CERTAINTIES)[number]

/** `export_prohibited`: only an export ban is recorded, and the import rate is unknown. */
export const RULE_STATUSES = ['allowed', 'prohibited', 'export_prohibited', 'unknown'] as const
export type RuleStatus = (typeof RULE_STATUSES)[number]

export interface Bilingual {
  en: string
  ar: string
}

/** `source` is an index into the country's `sources`. */
interface Sourced {
  source: number
  certainty: CountryCertainty
}

export interface CountryMeta {
  code: CountryCode
  name: Bilingual
  currency: string
  /** Decimals of the currency. */
  decimals: number
  /** Units of the currency per US dollar; null without a fixed rate. */
  peg: (Sourced & { usd: string }) | null
  /** `all`: the country's own list has every line. `some`: it has only known deviations from the common tariff. */
  coverage: 'all' | 'some'
  vat: CountryVat
  /** The country's own lists, ascending by date; may be empty. */
  lists: CountryListMeta[]
  /** Each distinct tax once. */
  taxes: CountryTax[]
  /**
   * Sets of taxes that apply to the same codes: for each prefix, longest first, indices into `taxes`. The first set is empty.
   */
  taxSets: number[][][]
  fees: CountryFee[]
  thresholds: CountryThreshold[]
  sources: string[]
}

export interface CountryListMeta {
  date: string
  source: number
  /** Index of the list's part of the country columns, counted over all lists of all countries. */
  at: number
}

/** The amounts that import VAT is charged on, in addition to the CIF value. */
export const VAT_BASES = ['duty', 'excise', 'fees'] as const
export type VatBase = (typeof VAT_BASES)[number]

export interface CountryVat extends Sourced {
  /** Percent; 0 if there is no VAT. */
  rate: string
  base: VatBase[]
  date: string
}

/** Flag in `countryTax`: other rows apply to some of the codes below. */
export const TAXES_DIFFER_BELOW = 0x8000

export const TAX_NAMES = ['vat', 'excise'] as const
export const APPLIES = ['yes', 'perhaps'] as const
/** Litres, pieces and grams. */
export const TAX_UNITS = ['l', 'u', 'g'] as const
export type TaxUnit = (typeof TAX_UNITS)[number]
/** Codes of the units in UN/ECE Recommendation 20. */
const TAX_UNITS_UNECE: Readonly<Record<TaxUnit, string>> = { l: 'LTR', u: 'H87', g: 'GRM' }
export const taxUnitUnece = (unit: TaxUnit | null): string | null => (unit === null ? null : TAX_UNITS_UNECE[unit])

/** A tax: a rate on the value, or an amount for each unit. */
export interface CountryTax extends Sourced {
  tax: (typeof TAX_NAMES)[number]
  /** Percent of the value. */
  rate: string
  /** In the country's currency, for each `unit`. */
  amount: string
  unit: TaxUnit | ''
  /** Grams of sugar per 100 ml: minimum (inclusive) and maximum (exclusive). */
  sugarFrom: string
  sugarBelow: string
  /** Minimum price on which excise is charged, for each `unit`. */
  minimum: string
  /** `perhaps`: depends on something that the code does not show. */
  applies: (typeof APPLIES)[number]
  goods: Bilingual
  /** Both texts are '' if there is no condition. */
  condition: Bilingual
  /** First and last day; '' means no limit. */
  since: string
  until: string
}

/** A fee on a declaration: percent of the CIF value between `minimum` and `maximum`, or a fixed `amount`. */
export interface CountryFee extends Sourced {
  fee: string
  name: Bilingual
  rate: string
  amount: string
  minimum: string
  maximum: string
  applies: (typeof APPLIES)[number]
  since: string
}

/** A rule for parcels below a certain value. */
export interface CountryThreshold extends Sourced {
  /** In the country's currency. */
  below: string
  duty: 'free'
  /** `none`: the country has no VAT. */
  vat: (typeof THRESHOLD_VAT)[number]
  /** How the value is measured: `cif`, `goods_freight` (without insurance), or '' if unknown. */
  basis: string
  /** Codes that start with one of these are never exempt. */
  notFor: string[]
  rule: Bilingual
  since: string
}
export const THRESHOLD_VAT = ['free', 'charged', 'none'] as const

/**
 * `common`: the full duty applies. `outside`: the agreement does not cover the goods. `doubtful`: the treatment is not known.
 */
export const TREATMENTS = ['free', 'common', 'outside', 'prohibited', 'doubtful'] as const
export type Treatment = (typeof TREATMENTS)[number]

export interface AgreementMeta {
  agreement: string
  name: Bilingual
  importers: CountryCode[]
  /** ISO codes of the countries of origin. */
  members: string[]
  /** Whether estimates apply the agreement; others are only mentioned. */
  isCalculated: boolean
  /** Proof of origin that customs asks for. */
  proof: Bilingual
  inForce: string
  /** Index into `meta.originSources`. */
  source: number
  certainty: CountryCertainty
  terms: AgreementTerm[]
  /** `agreementCategory` refers to these; empty if the agreement has a single term, which applies to all goods. */
  categories: AgreementCategory[]
  /** Index of the agreement's part of `agreementCategory`; -1 without categories. */
  at: number
}

/** Category '' means all goods. */
export interface AgreementTerm {
  category: string
  treatment: Treatment
  /** May be empty. */
  note: Bilingual
}

export interface AgreementCategory {
  /** Index into `terms`. */
  term: number
  certainty: CountryCertainty
}

export interface AntiDumping {
  /** `GCC` means all member states. */
  scope: CountryCode | 'GCC'
  prefix: string
  /** ISO code of the country of origin. */
  origin: string
  /** Text, because the rate depends on the producer. */
  rate: string
  goods: Bilingual
  since: string
  until: string
  /** Index into `meta.originSources`. */
  source: number
  certainty: CountryCertainty
}
