/** The data of a code's page, and the actions that need a browser. */
import type { ComponentChildren } from 'preact'
import type { Description, HsRecord, ListedRecord, LookupExtras, Note, RateOrigin, Section } from '../../../answers/shapes.js'
import { SUBHEADING_DIGITS } from '../../../codes/levels.js'

/** A lookup with everything that the page requests. */
export type WholeRecord = HsRecord & LookupExtras

export interface Sibling {
  hs_code: string
  description: Description
  /** Null for chapters, which have no rate. */
  tariff_rate: number | null
  rate?: RateOrigin
}

export interface RecordData {
  record: WholeRecord
  /** Codes with the same parent: the first page of the list. */
  siblings: { items: readonly Sibling[]; total: number }
}

/** Chapters have no parent. Their siblings are the chapters of the same section. */
export function sectionSiblings(sections: readonly Section[], chapter: string): RecordData['siblings'] {
  const section = sections.find(({ chapters }) => chapters.some(({ hs_code }) => hs_code === chapter))
  const items = (section?.chapters ?? []).map(one => ({ ...one, tariff_rate: null }))
  return { items, total: items.length }
}

/** Above subheadings the lines' rates differ too much for one estimate. */
export const hasEstimate = ({ level }: WholeRecord) => level >= SUBHEADING_DIGITS

export type Range = readonly [from: number, to: number]

export interface RecordActions {
  /** A button that loads the next page of a list. Progress and errors are shown in its place. */
  moreButton(path: string, offset: number, show: (items: readonly ListedRecord[]) => void): ComponentChildren
  /** The next page of a list; empty if the request fails. */
  more(path: string, offset: number): Promise<readonly ListedRecord[]>
  /** A button that loads all notes of a chapter. */
  notesButton(chapter: string, show: (notes: readonly Note[]) => void): ComponentChildren
  allSiblings(here: WholeRecord, show: (siblings: readonly Sibling[]) => void): void
  tellApart(texts: readonly string[], areBelowHeadings: boolean): (readonly Range[])[]
  /** Scrolls to the lines without a new history entry. */
  toLines(event: Event): void
  /** Buttons to star the code and to compare it. */
  keepButtons: ComponentChildren
  printNote: ComponentChildren
  /** Buttons to copy and print; printing waits for `all`. */
  tools(all: () => Promise<void>): ComponentChildren
  calculator: ComponentChildren
}
