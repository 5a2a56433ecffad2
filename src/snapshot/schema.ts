/** The columns of a snapshot with their types and lengths, for the compiler and the loader. */

/**
 * Lengths: one element per record; one per record plus one, because each entry marks the end of the previous one; or any
 * number.
 */
type Extent = 'records' | 'records and an end' | 'any'

/** The array types by their names in the file. */
export interface ColumnTypes {
  u8: Uint8Array
  u16: Uint16Array
  u32: Uint32Array
  i16: Int16Array
  i32: Int32Array
  f64: Float64Array
}
export type TypeName = keyof ColumnTypes

const column = <Type extends TypeName>(type: Type, extent: Extent) => ({ type, extent })

/** In a column of starts, an extra last entry is the end of the last list. */
export const SCHEMA = {
  /** JSON of all records, separated by commas: a page of children is one slice. */
  arena: column('u8', 'any'),
  /** Start of each record in the arena; the last entry is the end of the last record, comma included. */
  offset: column('u32', 'records and an end'),
  /** Bytes up to and including the description; search results start with the same bytes. */
  headBytes: column('u16', 'records'),
  /** Bytes up to and including the English description. */
  englishBytes: column('u16', 'records'),

  /** Ten slots per node, one per digit. */
  trie: column('u32', 'any'),
  /** Record that ends at the node, or -1. */
  trieRecord: column('i32', 'any'),

  level: column('u8', 'records'),
  active: column('u8', 'records'),
  /** Index into `meta.rates`. */
  rate: column('u16', 'records'),
  /** Lowest and highest rate of the lines at or below, as indices into `meta.rates`. */
  rateLow: column('u16', 'records'),
  rateHigh: column('u16', 'records'),
  /** Digits of the code that sets the rate. */
  rateDigits: column('u8', 'records'),
  /** Index into `meta.rateSources`, counted from 1; 0 for none. */
  rateSource: column('u16', 'records'),
  /** Index into `meta.units`, counted from 1; 0 for none. */
  unit: column('u8', 'records'),
  /** Index into `meta.estimateNotes`. */
  estimateNote: column('u16', 'records'),
  /** Record whose description this one repeats; the record itself unless padding added it. */
  source: column('u32', 'records'),
  /** The record's parent, or -1. */
  parent: column('i32', 'records'),
  firstChild: column('u32', 'records'),
  childCount: column('u32', 'records'),
  /** Active records in code order. */
  codeOrder: column('u32', 'any'),
  /** Code padded to 14 digits, as a number. */
  sortKey: column('f64', 'records'),

  /** Start in `lines` for each of `meta.lineDigits`. */
  lineAt: column('u32', 'any'),
  /** Records of each line length, in code order. */
  lines: column('u32', 'any'),

  /** Start in `editionOld` for each of `meta.editions`. */
  editionAt: column('u32', 'any'),
  /** Old codes as numbers, ascending within an edition. */
  editionOld: column('u32', 'any'),
  /** Start in `editionTarget` per old code. */
  editionTargetAt: column('u32', 'any'),
  /** Records, likeliest first. */
  editionTarget: column('u32', 'any'),
  /** The reverse direction: start in `editionNow` for each of `meta.editions`. */
  editionNowAt: column('u32', 'any'),
  /** Records that are targets, ascending within an edition. */
  editionNow: column('u32', 'any'),
  /** Start in `editionSource` per target. */
  editionSourceAt: column('u32', 'any'),
  /** Old codes as numbers: the target's own code first if it is one of them, the others ascending. */
  editionSource: column('u32', 'any'),

  /** Subheadings that the next edition changes: records, ascending. */
  nextRecord: column('u32', 'any'),
  /** Start in `nextTarget` per record. */
  nextTargetAt: column('u32', 'any'),
  /** Codes of the next edition as numbers, likeliest first. */
  nextTarget: column('u32', 'any'),
  /** Index into `NEXT_PARTS` and `NEXT_CERTAINTIES`. */
  nextPart: column('u8', 'any'),
  nextCertainty: column('u8', 'any'),

  /** Records with controls of their own, ascending. */
  controlRecord: column('u32', 'any'),
  /** Start in `control` per record. */
  controlAt: column('u32', 'any'),
  /** Index into `meta.controls`. */
  control: column('u16', 'any'),

  /**
   * JSON of all notes in file order, separated by commas, and the start of each; the last entry is the end of the last note.
   */
  noteArena: column('u8', 'any'),
  noteOffset: column('u32', 'any'),
  /**
   * Scopes of notes, ascending: a record; the number of records plus the index of a section; or, after all sections, the rules.
   */
  noteScope: column('u32', 'any'),
  /** Start in `noteInScope` per scope. */
  noteScopeAt: column('u32', 'any'),
  noteInScope: column('u32', 'any'),
  /**
   * The same three columns for the lists of notes in answers: for a chapter its own notes, then those of its codes; for a
   * section its own notes, then others in its scope.
   */
  noteList: column('u32', 'any'),
  noteListAt: column('u32', 'any'),
  noteInList: column('u32', 'any'),
  /**
   * JSON of the goods of each pointer, without the closing brace, and the start of each; the last entry is the end of the last
   * pointer.
   */
  pointerArena: column('u8', 'any'),
  pointerOffset: column('u32', 'any'),
  /** For each pointer: the record that it starts from, ascending, and the record that it leads to. */
  pointerFrom: column('u32', 'any'),
  pointerTo: column('u32', 'any'),
  /** The English and the Arabic text of each pointer's goods as index terms: start of each text in `pointerWord`. */
  pointerWordsAt: column('u32', 'any'),
  pointerWord: column('u32', 'any'),
  /** The rarest term of each text of a pointer, ascending, and the index of the text in `pointerWordsAt`. */
  pointerWordKey: column('u32', 'any'),
  pointerWordsOf: column('u32', 'any'),

  /**
   * JSON of all changes, separated by commas, in order of `meta.releases`, kind and code, and the start of each; the last entry
   * is the end of the last change.
   */
  changeArena: column('u8', 'any'),
  changeOffset: column('u32', 'any'),

  /**
   * Rates of the countries as indices into `meta.rates`: the rate of a line, or the most frequent rate of the lines below a
   * code; then the lowest and the highest rate of these lines. One entry per record for each list;
   * `meta.countries[].lists[].at` numbers the lists.
   */
  countryRate: column('u8', 'any'),
  countryLow: column('u8', 'any'),
  countryHigh: column('u8', 'any'),
  /** The rule that sets the rate: an index into the country's rules, counted from 1; 0 for the rate of the common tariff. */
  countryRule: column('u16', 'any'),
  /** Start of a country's rules, by index into `meta.countries`. */
  ruleAt: column('u32', 'any'),
  /** A 1 followed by the digits that the codes start with. */
  rulePrefix: column('f64', 'any'),
  /** Index into `meta.rates`; only valid if the goods are allowed. */
  ruleRate: column('u16', 'any'),
  /** Index into `RULE_STATUSES` and `COUNTRY_CERTAINTIES`. */
  ruleStatus: column('u8', 'any'),
  ruleCertainty: column('u8', 'any'),
  /** Date of the record in the list, as a number such as 20251127. */
  ruleDate: column('u32', 'any'),
  /** Index into the country's `sources`. */
  ruleSource: column('u16', 'any'),
  /** For each country and each record: index into the country's `taxSets`, and the flag `TAXES_DIFFER_BELOW`. */
  countryTax: column('u16', 'any'),
  /**
   * For each agreement and each record: index into the agreement's `categories`, counted from 1; 0 for none. See
   * `AgreementMeta`.
   */
  agreementCategory: column('u8', 'any'),

  /** Start in `postings` per term and slot. */
  postingsAt: column('u32', 'any'),
  postings: column('u32', 'any'),
  /** Start of each record's phrases, and of the terms of these phrases. */
  phrasesAt: column('u32', 'records and an end'),
  phraseTermsAt: column('u32', 'records and an end'),
  /** Number of terms of a phrase, and the index of its head noun. */
  phraseLength: column('u16', 'any'),
  phraseHead: column('u16', 'any'),
  phraseTerm: column('u32', 'any'),
  /** For each phrase: the suggested phrase of the keyword that it was made from, counted from 1; 0 for none. */
  phraseName: column('u32', 'any'),
  /** Start of a term's heading evidence. */
  evidenceAt: column('u32', 'any'),
  /** First four digits of a heading; for a chapter, its two digits and two zeros. */
  evidenceHeading: column('u16', 'any'),
  /** Strength of the evidence, up to 65,535. */
  evidence: column('u16', 'any'),
  /** Terms that name a material, ascending, and the record of its catch-all heading. */
  materialTerm: column('u32', 'any'),
  materialRecord: column('u32', 'any'),
  /** Start of a record's attribute values; none for a padded line, see `source`. */
  attributeAt: column('u32', 'records and an end'),
  /** Twice the index into `meta.attributeValues`, plus one if the description excludes the value; grouped by attribute. */
  attributeValue: column('u16', 'any'),

  /** Pairs of neighbouring terms that the classifier knows, as keys, ascending. */
  classifyPair: column('u32', 'any'),
  /** Records of the headings, which are the classes of its first model. */
  headingRecord: column('u32', 'any'),
  /** Start of each feature's classes and weights. A feature is a term, or a pair; pairs are numbered after the last term. */
  headingWeightAt: column('u32', 'any'),
  /** Index into `headingRecord`, ascending within a feature. */
  headingClass: column('u16', 'any'),
  headingWeight: column('i16', 'any'),
  /** The same for the subheadings of a heading. */
  subheadingRecord: column('u32', 'any'),
  subheadingWeightAt: column('u32', 'any'),
  subheadingClass: column('u16', 'any'),
  subheadingWeight: column('i16', 'any'),

  /** Suggested phrases, folded, in UTF-8: sorted bytewise within each language. */
  suggestFolded: column('u8', 'any'),
  /** Start of each phrase. */
  suggestFoldedAt: column('u32', 'any'),
  /** The phrases as displayed, as JSON strings without quotes; empty if equal to the folded phrase. */
  suggestShown: column('u8', 'any'),
  suggestShownAt: column('u32', 'any'),
  suggestRecord: column('u32', 'any'),
  suggestWeight: column('u8', 'any'),
  /** Number shared by phrases that differ only in endings or spaces. */
  suggestAlike: column('u32', 'any'),
  /** The phrase of each inner word (any word but the first), by language, sorted by the text from that word on. */
  suggestInner: column('u32', 'any'),
  /** The offset of each inner word in its phrase. */
  suggestInnerStart: column('u8', 'any'),
  /**
   * Positions number the phrases first, then the inner words: start of the phrases of each language, start of the inner words
   * of each language, and the end.
   */
  suggestParts: column('u32', 'any'),
  /** For each long run: its first position, its end, and the start of its best phrases in `suggestBest`. */
  suggestRanges: column('u32', 'any'),
  suggestBest: column('u32', 'any'),
} as const

export type ColumnName = keyof typeof SCHEMA

export type Columns = { readonly [Name in ColumnName]: ColumnTypes[(typeof SCHEMA)[Name]['type']] }

export const COLUMN_NAMES = Object.keys(SCHEMA) as ColumnName[]

/** Why the length of a column is wrong, as the end of a sentence; undefined if it is right. */
export function wrongExtent(name: ColumnName, length: number, records: number): string | undefined {
  const { extent } = SCHEMA[name]
  if (extent === 'any') return undefined
  const expected = extent === 'records' ? records : records + 1
  return length === expected ? undefined : `has ${length} entries instead of ${expected}`
}
