/** The dataset as a whole: rows of a table, and what its versions changed. */
import type { CountryCode, Description, RateOrigin } from './record-shapes.js'

/** A record as a row of a flat table: of `hsapi export` and the library's `rows`. */
export interface ExportRow {
  readonly hs_code: string
  /** Number of digits. */
  readonly level: number
  /** Null without one. */
  readonly parent: string | null
  /** The codes above, from the chapter down to the parent. */
  readonly path: readonly string[]
  readonly description_en: string
  readonly description_ar: string
  /** Such as kg; null where the dataset names none, or where the codes below differ. */
  readonly unit: string | null
  readonly unit_en: string | null
  readonly unit_ar: string | null
  /** Import duty in percent; indicative. */
  readonly tariff_rate: number
  /** Lowest and highest rate of the lines at or below the code. */
  readonly rate_min: number
  readonly rate_max: number
  readonly rate_status: RateOrigin['status']
  /** The code that sets the rate: this one or one above it. */
  readonly rate_from: string
  readonly rate_source: string | null
  readonly rate_certainty: RateOrigin['certainty']
  readonly is_active: boolean
  /** Only where a country is named, as the next two. */
  readonly country?: CountryCode
  /** Date of the country's list; null where the common tariff sets the rate. */
  readonly rate_list?: string | null
  readonly rate_date?: string | null
}

export type ChangeKind = 'added' | 'removed' | 'rate' | 'active' | 'words'

/** What a version of the dataset changed of one code. */
export interface DatasetChange {
  readonly version: string
  readonly kind: ChangeKind
  readonly hs_code: string
  /** Null for a code that was added. */
  readonly old: ChangedFields | null
  /** Null for a code that was removed. */
  readonly new: ChangedFields | null
}

/** Of a code that was added or removed, description and rate; otherwise only what changed. */
export interface ChangedFields {
  readonly description?: Description
  readonly tariff_rate?: number
  readonly is_active?: boolean
}
