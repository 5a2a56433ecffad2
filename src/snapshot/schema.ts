/** Which columns a snapshot has, of what type and how long: what the build must hand over and the loader insists on. */

/** How many elements a column has: one a record, one more than that where each entry ends the one before, or its own number. */
type Extent = 'records' | 'records and an end' | 'any'

/** The kinds of columns by the names that the file gives them. */
export interface ColumnTypes {
  u8: Uint8Array
  u16: Uint16Array
  u32: Uint32Array
  i32: Int32Array
  f64: Float64Array
}
export type TypeName = keyof ColumnTypes

const column = <Type extends TypeName>(type: Type, extent: Extent) => ({ type, extent })

export const SCHEMA = {
  /** All records' JSON, in order, one comma between two: a page of children is one slice. */
  arena: column('u8', 'any'),
  /** Where each record starts in the arena; the last entry ends the last record, comma included. */
  offset: column('u32', 'records and an end'),
  /** Bytes of a record up to and including its description: the part that a search result shares with it. */
  headBytes: column('u16', 'records'),
  /** Bytes of a record up to and including its English description. */
  englishBytes: column('u16', 'records'),

  /** Ten slots a node, one a digit. */
  trie: column('u32', 'any'),
  /** Per node, the record that ends there, or -1. */
  trieRecord: column('i32', 'any'),

  /** Number of digits. */
  level: column('u8', 'records'),
  /** 1 for an active code. */
  active: column('u8', 'records'),
  /** Position in the meta's `rates`. */
  rate: column('u16', 'records'),
  /** The lowest and the highest rate of the lines at or below a record, as positions in `rates`. */
  rateLow: column('u16', 'records'),
  rateHigh: column('u16', 'records'),
  /** How many of a record's digits make up the code that its rate is written on. */
  rateDigits: column('u8', 'records'),
  /** Position in the meta's `rateSources`, counted from 1; 0 where nothing is told. */
  rateSource: column('u16', 'records'),
  /** The record whose words this one repeats; its own unless it was added by padding. */
  source: column('u32', 'records'),
  /** The record above, or -1. */
  parent: column('i32', 'records'),
  firstChild: column('u32', 'records'),
  childCount: column('u32', 'records'),
  /** Active records in code order, for searches by digits. */
  codeOrder: column('u32', 'any'),
  /** Codes as numbers of 14 digits. */
  sortKey: column('f64', 'records'),

  /** For each of the meta's `lineDigits`, where its lines begin in `lines`; one more entry ends the last. */
  lineAt: column('u32', 'any'),
  /** The records of each line length, in code order. */
  lines: column('u32', 'any'),

  /** For each of the meta's `editions`, where its old codes begin; one more entry ends the last. */
  editionAt: column('u32', 'any'),
  /** Old codes as numbers, ascending within their edition. */
  editionOld: column('u32', 'any'),
  /** Per old code, where its targets begin; one more entry ends the last. */
  editionTargetAt: column('u32', 'any'),
  /** Records that old codes became, the likeliest first. */
  editionTarget: column('u32', 'any'),

  /** Per term and slot where its records begin; one more entry ends the last. */
  postingsAt: column('u32', 'any'),
  postings: column('u32', 'any'),
  /** Where a record's phrases begin: their lengths and heads, and their terms; one more entry ends the last. */
  phrasesAt: column('u32', 'records and an end'),
  phraseTermsAt: column('u32', 'records and an end'),
  /** Per phrase, how many terms it has, and which of them names the good. */
  phraseLength: column('u16', 'any'),
  phraseHead: column('u16', 'any'),
  /** The phrases' terms, end to end. */
  phraseTerm: column('u32', 'any'),
  /** Per term, where its homes begin; one more entry ends the last. */
  familyAt: column('u32', 'any'),
  /** Per home, the first four digits of a heading (of a chapter two and two zeros) … */
  familyHeading: column('u16', 'any'),
  /** … and how far it is about the term, up to 65,535. */
  familyWorth: column('u16', 'any'),
  /** Terms that name a material, ascending, and the record that takes what is made of each and has no other. */
  materialTerm: column('u32', 'any'),
  materialRecord: column('u32', 'any'),

  /**
   * Phrases to suggest, as people type them (folded, UTF-8), end to end: those of each language in the order of their
   * bytes. A phrase's number is its place among them.
   */
  suggestFolded: column('u8', 'any'),
  /** Where each phrase begins; one more entry ends the last. So in the next pair, too. */
  suggestFoldedAt: column('u32', 'any'),
  /** The same phrases as JSON shows them, without quotes; nothing where that is no different. */
  suggestShown: column('u8', 'any'),
  suggestShownAt: column('u32', 'any'),
  /** Per phrase, the record that it leads to. */
  suggestRecord: column('u32', 'any'),
  /** Per phrase, how well known it is. */
  suggestWeight: column('u8', 'any'),
  /** Per phrase, a number that it shares with those that read alike. */
  suggestAlike: column('u32', 'any'),
  /** Beginnings of words within phrases, in the order of what follows, language by language: which phrase … */
  suggestInner: column('u32', 'any'),
  /** … and how many bytes stand before. */
  suggestInnerStart: column('u8', 'any'),
  /**
   * Positions count through the phrases and on through the beginnings within them. Where the phrases of each language
   * begin, then where the beginnings of each do, and the end.
   */
  suggestParts: column('u32', 'any'),
  /** Long runs of positions: first, end, and where their best phrases begin; a last row ends the last. */
  suggestRanges: column('u32', 'any'),
  suggestBest: column('u32', 'any'),
} as const

export type ColumnName = keyof typeof SCHEMA

export type Columns = { readonly [Name in ColumnName]: ColumnTypes[(typeof SCHEMA)[Name]['type']] }

export const COLUMN_NAMES = Object.keys(SCHEMA) as ColumnName[]

/** What is wrong with a column's length, as the end of a sentence; undefined where nothing is. */
export function wrongExtent(name: ColumnName, length: number, records: number): string | undefined {
  const { extent } = SCHEMA[name]
  if (extent === 'any') return undefined
  const expected = extent === 'records' ? records : records + 1
  return length === expected ? undefined : `has ${length} entries instead of ${expected}`
}
