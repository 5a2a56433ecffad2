/** The contract's shapes as types. A test holds each of them against the OpenAPI document, field by field. */

export interface Description {
  en: string
  ar: string
}

export type Language = keyof Description

export interface HsRecord {
  hs_code: string
  description: Description
  /** Number of digits. */
  level: number
  /** A 1 followed by the parent's digits; null without a parent. */
  parent_id: number | null
  /** Import duty in percent; indicative. */
  tariff_rate: number
  is_active: boolean
}

export interface PathStep {
  hs_code: string
  description: Description
}

/** What `include` adds to a record. */
export interface Extras {
  /** The codes above, from the chapter down to the parent. */
  path: PathStep[]
  /** By year: what the first six digits were in earlier editions. */
  editions: { [year: string]: string[] }
  rate: {
    /** The code that the rate is written on. */
    from: string
    source: string | null
    certainty: 'published' | 'general' | 'uncertain' | null
  }
}

export type Include = keyof Extras

export interface SearchItem {
  hs_code: string
  description: Description
  tariff_rate: number
}

export interface Suggestion {
  text: string
  lang: Language
  hs_code: string
  description: Description
}

export interface Section {
  /** Its Roman number; null for chapters that stand in none. */
  section: string | null
  title: Description
  chapters: PathStep[]
}

export type ResolveStatus = 'found' | 'normalised' | 'ambiguous' | 'moved' | 'unknown' | 'invalid'

export interface Resolved {
  input: string
  status: ResolveStatus
  hs_code: string | null
  /** Whether it is one of the longest lines. */
  declarable: boolean
  /** How many of the longest lines stand at or below it. */
  lines: number
  nearest: string | null
  candidates: string[]
  record: HsRecord | null
  /** Why it is invalid. */
  reason?: string
}

export interface Correlation {
  edition: string
  code: string
  relation: 'same' | 'moved' | 'split'
  /** The most likely first. */
  targets: HsRecord[]
}

export interface Dataset {
  edition: string
  version: string
  snapshot: string
  records: number
  levels: { [digits: string]: number }
  line_digits: number[]
  vat_rate: number
  languages: Language[]
  rates: number[]
}

export interface Health {
  status: 'ok' | 'starting'
  service: string
  foundation_schema_ready: boolean
  api_version: string
}

export interface TariffEstimate {
  hs_code: string
  product: string
  calculation: {
    declared_value: number
    currency: string
    import_duty_rate: number
    import_duty_amount: number
    vat_rate: number
    vat_amount: number
    total_duties_taxes: number
    landed_cost: number
  }
  notes: string
}

export interface InvoiceItem {
  hs_code: string
  /** As a string where a number would be rounded. */
  value: number | string
}

export interface InvoiceItemError {
  hs_code: string
  error: { code: ErrorCode; message: string }
}

export interface Invoice {
  items: (TariffEstimate | InvoiceItemError)[]
  totals: {
    declared_value: number
    import_duty_amount: number
    vat_amount: number
    total_duties_taxes: number
    landed_cost: number
  }
}

/** What a server refuses with. */
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

export interface ErrorDetails {
  /** The parameter that is wrong. */
  parameter?: string
  /** The longest code above that exists. */
  nearest?: string
  /** What a code of an earlier edition is now, the likeliest first. */
  moved_to?: string[]
  /** Of a mistake of the server's: by which its log tells more. */
  request_id?: string
}

/** One page of a list. */
export interface Page<Item> {
  items: Item[]
  /** All there are, whatever the page. */
  total: number
  limit: number
  offset: number
}
