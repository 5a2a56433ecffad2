/**
 * The snapshot file: a fixed header, then one msgpack document.
 *
 *   0  8  magic "HSAPISNP"
 *   8  4  format version
 *  12  4  reserved, zero
 *  16  8  length of the document in bytes
 *  24 32  SHA-256 of the document: identifies the snapshot; browsers verify this checksum
 *  56 32  SHA-256 of the dataset from which the snapshot was compiled
 *  88  4  CRC-32 of the document: servers verify this checksum, which is several times faster
 *  92  6  reserved, zero
 *  98     the document
 *
 * The document starts with the block of columns, so that the block is aligned to 8 bytes and can be read in place.
 */
import type { WordData } from '../text/word-data.js'
import type { DirectoryEntry } from './columns.js'
import type { AgreementMeta, AntiDumping, Bilingual, CountryMeta } from './country-format.js'

export const MAGIC = 'HSAPISNP'
/** Must be raised whenever the content or the meaning of the document changes. */
export const FORMAT_VERSION = 21
export const HEADER_BYTES = 98
export const DIGEST_BYTES = 32

/** Source of a duty rate and its certainty. */
export interface RateSource {
  source: string
  /** `published`: from a published tariff. `general`: commonly reported. `uncertain`: doubtful. */
  certainty: 'published' | 'general' | 'uncertain'
  /** Date of the source, such as 2026-11-15. */
  date: string
}

/** Unit in which quantities are declared. */
export interface Unit {
  /** Such as kg. */
  code: string
  en: string
  ar: string
  /** Code of UN/ECE Recommendation 20, such as KGM; null if it has none. */
  unece: string | null
  certainty: 'published' | 'assumed'
}

/**
 * How a code of the next edition relates to a current code. `whole`: both have the same scope. `old`: the new code is a part of
 * the current one. `new`: the current code is a part of the new one. `both`: a part of the current code is a part of the new
 * one.
 */
export const NEXT_PARTS = ['whole', 'old', 'new', 'both'] as const
export type NextPart = (typeof NEXT_PARTS)[number]
export const NEXT_CERTAINTIES = ['published', 'derived', 'uncertain'] as const
export type NextCertainty = (typeof NEXT_CERTAINTIES)[number]

/** All member states (GCC), or one of them. */
export const CONTROL_SCOPES = ['GCC', 'AE', 'BH', 'KW', 'OM', 'QA', 'SA'] as const
export type ControlScope = (typeof CONTROL_SCOPES)[number]
/** Most serious kind first. */
export const CONTROL_KINDS = ['prohibited', 'restricted', 'permit', 'conformity'] as const
export const CONTROL_CERTAINTIES = ['published', 'reported', 'uncertain'] as const

/** A condition or ban on importing goods. */
export interface Control {
  scope: ControlScope
  kind: (typeof CONTROL_KINDS)[number]
  /** Empty if unknown. */
  authority: string
  /** Index into `meta.controlReasons`. */
  reason: number
  /** Index into `meta.controlSources`. */
  source: number
  /** Date of the source, such as 2026-11-15. */
  date: string
  certainty: (typeof CONTROL_CERTAINTIES)[number]
}

export interface ControlReason {
  en: string
  ar: string
}

/** The effect of a legal note. */
export const NOTE_KINDS = ['excludes', 'defines', 'includes', 'prefers', 'rule'] as const
/** `published`: from a published text. `general`: from general knowledge of the nomenclature. `uncertain`: doubtful. */
export const NOTE_CERTAINTIES = ['published', 'general', 'uncertain'] as const

/** Changes that apply to a code and to all codes below it. */
export const TERM_KINDS = ['country_rate', 'taxes', 'controls', 'unit'] as const
export type TermKind = (typeof TERM_KINDS)[number]
/** The kinds of changes that a version of the dataset may make to a code, in the order of answers. */
export const CHANGE_KINDS = ['added', 'removed', 'rate', 'active', 'words', ...TERM_KINDS] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

export interface Release {
  version: string
  /** The version with which this one is compared. */
  before: string
  /** Such as 2026-11-15. */
  date: string
  /** Both texts may be empty. */
  summary: Bilingual
  /** Number of changes by `CHANGE_KINDS`. */
  counts: number[]
}

/** Facts about a record that decide which notes its estimates have. */
export interface EstimateNote {
  isActive: boolean
  /** Lowest and highest rate of the lines at or below the code. */
  low: string
  high: string
  /** Whether the goods are prohibited in all GCC states. */
  isProhibited: boolean
}

/** A section of the nomenclature. `section` is its Roman numeral. */
export interface Section {
  section: string
  titleEn: string
  titleAr: string
  /** Two digits each, ascending. */
  chapters: string[]
}

/** A property by which goods differ, and the question about it. `{}` in a text is replaced by names of values. */
export interface Attribute {
  question: Bilingual
  /** The question whether the goods have a certain value. */
  yesNo: Bilingual
  answer: Bilingual
  /** The answer for goods without any of the values. */
  other: Bilingual
  isAbsentUnlessStated: boolean
  /** Groups of chapters and headings. The attribute decides between codes of the same group or of the same heading. */
  across: string[][]
  /** Whether a title may state shares of its values: "60% cotton 40% polyester". */
  hasShares?: boolean
}

export interface AttributeValue {
  /** Index into `meta.attributes`. */
  attribute: number
  /** Index of the value that includes this one, or -1. */
  broader: number
  /** Whether descriptions state this value by leaving their list of values open: "and other materials". */
  isOther: boolean
  name: Bilingual
  /** Terms that state the value, separated by spaces. */
  phrases: string[]
}

/** '': a brand with many kinds of goods. `line`: one kind of goods ("iPhone"). `word`: also an ordinary word ("Shell"). */
export const BRAND_KINDS = ['', 'line', 'word'] as const
export type BrandKind = (typeof BRAND_KINDS)[number]

/** A brand or product line. */
export interface Brand {
  /** Folded words, separated by spaces. */
  spellings: string[]
  /** Headings and subheadings of the brand's goods, likeliest first. */
  codes: string[]
  kind: BrandKind
}

/** Words that do not name goods. */
export interface VagueGoods {
  /** Terms, separated by spaces. */
  phrases: string[]
  /** The detail that is missing from the text; null for words that add nothing to other words. */
  missing: Bilingual | null
}

export interface SnapshotMeta {
  edition: string
  /** Empty if the dataset has none. */
  version: string
  /** In percent, as a decimal string. */
  vatRate: string
  /** Distinct duty rates in percent; records refer to them by index. Rates that occur only in lists of countries come last. */
  rates: string[]
  /** The first `commonRates` of `rates` are the rates of the common tariff. */
  commonRates: number
  /** Sources of duty rates; records refer to them by index, counted from 1. */
  rateSources: RateSource[]
  /** Units of quantities; records refer to them by index, counted from 1. */
  units: Unit[]
  /** Distinct controls; records refer to them by index. */
  controls: Control[]
  controlReasons: ControlReason[]
  controlSources: string[]
  /** Distinct notes; records refer to them by index. */
  estimateNotes: EstimateNote[]
  /** Countries that have a layer, in the order of `COUNTRY_CODES`. */
  countries: CountryMeta[]
  /** Trade agreements, in the order of their file. */
  agreements: AgreementMeta[]
  antiDumping: AntiDumping[]
  /** Sources of agreements and anti-dumping duties. */
  originSources: string[]
  /** In the nomenclature's order; may be empty. */
  sections: Section[]
  /** Lengths of the codes under which goods are declared, ascending. */
  lineDigits: number[]
  /** Years of known earlier editions, newest first. */
  editions: string[]
  /** Versions whose changes are known, newest first. */
  releases: Release[]
  /** Year of the next edition; empty if the dataset does not cover it. */
  nextEdition: string
  /** The dataset lists the most useful attributes first. */
  attributes: Attribute[]
  attributeValues: AttributeValue[]
  brands: Brand[]
  vagueGoods: VagueGoods[]
  /** Word lists used for the index; queries must use the same lists. */
  words: WordData
  /** Number of records, including padded lines. */
  records: number
  /** Longest rendered record in bytes. */
  recordBytesMax: number
}

export interface SnapshotDocument {
  /** First in the document, for alignment: see above. */
  block: Uint8Array
  directory: DirectoryEntry[]
  meta: SnapshotMeta
  /** Index terms in code-unit order, separated by newlines. */
  vocabulary: string
}

/** A document to write, with the block in pieces, so that the whole block need not be assembled in memory. */
export interface CompiledDocument extends Omit<SnapshotDocument, 'block'> {
  blockPieces: readonly Uint8Array[]
}

/** A snapshot cannot be used. The message names the file and says what to do. */
export class SnapshotError extends Error {}
