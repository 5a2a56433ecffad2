/** What the page of a code shows, and what only a browser can do with it. */
import type { ComponentChildren } from 'preact'
import type { Description, HsRecord, ListedRecord, LookupExtras, Note, RateOrigin, Section } from '../../../answers/shapes.js'
import { SUBHEADING_DIGITS } from '../../../codes/levels.js'

/** Of a lookup with all that the page asks for. */
export type WholeRecord = HsRecord & LookupExtras

export interface Sibling {
  hs_code: string
  description: Description
  /** Null for chapters, which have none of their own. */
  tariff_rate: number | null
  rate?: RateOrigin
}

export interface RecordData {
  record: WholeRecord
  /** The first page of them. */
  siblings: { items: readonly Sibling[]; total: number }
}

/** Chapters have no parent: the other chapters of their section are beside them. */
export function sectionSiblings(sections: readonly Section[], chapter: string): RecordData['siblings'] {
  const section = sections.find(({ chapters }) => chapters.some(({ hs_code }) => hs_code === chapter))
  const items = (section?.chapters ?? []).map(one => ({ ...one, tariff_rate: null }))
  return { items, total: items.length }
}

/** Above subheadings the lines' rates differ too much for one estimate. */
export const hasEstimate = ({ level }: WholeRecord) => level >= SUBHEADING_DIGITS

export type Range = readonly [from: number, to: number]

export interface RecordActions {
  /** A button for the next page of a list, which shows progress and troubles in its place. */
  moreButton(path: string, offset: number, show: (items: readonly ListedRecord[]) => void): ComponentChildren
  /** The next page of a list; empty if something goes wrong. */
  more(path: string, offset: number): Promise<readonly ListedRecord[]>
  /** A button for all notes of a chapter. */
  notesButton(chapter: string, show: (notes: readonly Note[]) => void): ComponentChildren
  allSiblings(here: WholeRecord, show: (siblings: readonly Sibling[]) => void): void
  tellApart(texts: readonly string[], areResidual: boolean): (readonly Range[])[]
  /** Follows the link to the lines without an entry in the history. */
  toLines(event: Event): void
  /** Star and comparison. */
  keepButtons: ComponentChildren
  printNote: ComponentChildren
  /** Copy and print; printing waits for `all`. */
  tools(all: () => Promise<void>): ComponentChildren
  calculator: ComponentChildren
}
