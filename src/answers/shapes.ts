/** The shape of every answer, for client, library and pages: the types of the contract, and types derived from them. */
import type { CountryCode, Description, Facet, Facets, Language, NoteList, RateOrigin, RecordPage } from '../contract/types.js'

export type * from '../contract/types.js'

/** One page of a list. */
export interface Page<Item> extends Omit<RecordPage, 'items'> {
  readonly items: readonly Item[]
}

/** The first items of a list, and how many there are in total. */
export interface CutList<Item> extends Omit<NoteList, 'items'> {
  readonly items: readonly Item[]
}

/** An item with the named fields, or with all fields if none are named. */
export type Picked<Item, F extends string> = [F] extends [never]
  ? Item
  : Pick<Item, F & keyof Item> & ('description' extends F ? unknown : PickedWords<F>)

type PickedWords<F extends string> = [F & `description.${Language}`] extends [never]
  ? unknown
  : { readonly description: Pick<Description, F extends `description.${infer L extends Language}` ? L : never> }

/** A page of results, with the requested facets. */
export type SearchPage<Item, F extends Facet> = Page<Item> &
  ([F] extends [never] ? unknown : { readonly facets: Pick<Facets, F> })

/** The results of one of several searches; `q` is the query as sent. */
export type SearchAnswer<Item, F extends Facet> = SearchPage<Item, F> & { readonly q: string }

/** A record as a row of the table that `hsapi export` and the library's `rows` return. */
export interface ExportRow {
  readonly hs_code: string
  /** Number of digits. */
  readonly level: number
  /** Null for a chapter. */
  readonly parent: string | null
  /** The codes above, from the chapter down to the parent. */
  readonly path: readonly string[]
  readonly description_en: string
  readonly description_ar: string
  /** The unit's code, such as kg; null if the dataset has no unit for the code, or if the codes below have different units. */
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
  /** The unit's code in UN/ECE Recommendation 20, such as KGM. */
  readonly unit_unece: string | null
  /** This and the next two fields exist only if a country is named. */
  readonly country?: CountryCode
  /** Date of the country's list; null if the common tariff sets the rate. */
  readonly rate_list?: string | null
  readonly rate_date?: string | null
}
