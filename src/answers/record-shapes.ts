/** The shape of a record, and of what `include` adds to it. */
export interface Description {
  readonly en: string
  readonly ar: string
}

export type Language = keyof Description

export interface HsRecord {
  readonly hs_code: string
  readonly description: Description
  /** Number of digits. */
  readonly level: number
  /** A 1 followed by the parent's digits; null without a parent. */
  readonly parent_id: number | null
  /** Import duty in percent; indicative. */
  readonly tariff_rate: number
  readonly is_active: boolean
}

export type PathStep = Pick<HsRecord, 'hs_code' | 'description'>

/** What `include` adds to a record. */
export interface Extras {
  /** The codes above, from the chapter down to the parent. */
  readonly path: readonly PathStep[]
  /** By year: what the first six digits were in earlier editions, and what they become in the next. */
  readonly editions: { readonly [year: string]: readonly string[] }
  readonly rate: RateOrigin
  /** In which the quantity is declared; null where the dataset names none, or where the codes below differ. */
  readonly unit: Unit | null
  /** Of the code, of the codes above it and of its section, nearest scope first. */
  readonly notes: CutList<Note>
  /** From the code, from the codes above it and, unless it is a chapter, from those below it. */
  readonly see_also: CutList<Pointer>
  readonly controls: Controls
  readonly examples: Examples
}

/** The first 20 of a list. */
export interface CutList<Item> {
  readonly items: readonly Item[]
  /** Of the whole list. */
  readonly total: number
}

/** A legal note in our own words. */
export interface Note {
  /** `rules`, a section such as S16, a code, or several of them separated by a comma and a space. */
  readonly scope: string
  readonly kind: 'excludes' | 'defines' | 'includes' | 'prefers' | 'rule'
  /** Such as "Chapter 85, note 1(a)". */
  readonly number: string
  readonly text: Description
  /** Codes of the goods that the note sends elsewhere, or that it is about; may be empty. */
  readonly goes_to: readonly string[]
  readonly certainty: 'published' | 'general' | 'uncertain'
}

export interface ScopeNotes {
  readonly scope: string
  readonly notes: readonly Note[]
}

/** Goods that people look for under one code, and the code that they belong to. */
export interface Pointer extends PathStep {
  readonly what: Description
}

/** Further fields for a lookup: the first page of a list, as its own endpoint lists it. */
export interface LookupExtras extends Extras {
  readonly children: Page<ListedRecord>
  /** The codes of the same parent, this one included; none for a chapter. */
  readonly siblings: Page<ListedRecord>
  /** The longest ones. */
  readonly lines: Page<ListedRecord>
}

/** With its rate where that is included too. */
export type ListedRecord = HsRecord & Partial<Pick<Extras, 'rate'>>

/** Further fields for a search result. */
export interface SearchExtras extends Extras {
  /** The everyday name most similar to the query; null where the description is, or where a code was searched for. */
  readonly matched: Name | null
}

/** Everyday names, best known first. */
export interface Examples {
  readonly en: readonly string[]
  readonly ar: readonly string[]
}

export interface Name {
  readonly text: string
  readonly lang: Language
}

export interface RateOrigin {
  /** The code that sets the rate: this one or one above it. */
  readonly from: string
  /** Null where the dataset names no source. */
  readonly source: string | null
  readonly certainty: 'published' | 'general' | 'reported' | 'derived' | 'uncertain' | null
  /** Lowest rate of the lines at or below the code. */
  readonly min: number
  /** Highest rate of them. */
  readonly max: number
  /**
   * `prohibited` where a control of all GCC states, or the list or a control of the country, prohibits the goods; `unknown` where
   * the country's list gives no import rate. The rate is then that of the common tariff.
   */
  readonly status: 'normal' | 'prohibited' | 'unknown'
  /** Only where a country answers. */
  readonly country?: CountryCode
  /** Date of the country's list; null where the common tariff sets the rate. */
  readonly list?: string | null
  /** Date of the record in that list. */
  readonly date?: string | null
}

export type CountryCode = 'AE' | 'SA' | 'BH' | 'OM' | 'QA' | 'KW'

export interface Unit {
  /** Such as kg, u (items) or 2u (pairs). */
  readonly code: string
  readonly name: Description
  readonly certainty: 'published' | 'assumed'
}

/** What importing the goods is subject to in all GCC states, and in the country that was named. */
export interface Controls {
  /** Of the code and of the codes above it, the most serious kind first. */
  readonly items: readonly Control[]
  /** That an empty list does not mean that there is no control. */
  readonly note: Description
}

export interface Control {
  readonly scope: 'GCC' | 'AE' | 'BH' | 'KW' | 'OM' | 'QA' | 'SA'
  readonly kind: 'prohibited' | 'restricted' | 'permit' | 'conformity'
  /** Null where it is not known. */
  readonly authority: string | null
  readonly reason: Description
  readonly source: string
  /** Date of the source, as 2026-11-15. */
  readonly date: string
  readonly certainty: 'published' | 'reported' | 'uncertain'
}

export type Include = keyof Extras
export type LookupInclude = keyof LookupExtras
export type SearchInclude = keyof SearchExtras

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Of all pages. */
  readonly total: number
  readonly limit: number
  readonly offset: number
}
