/**
 * The snapshot file: a fixed header, then one msgpack document.
 *
 *   0  8  magic "HSAPISNP"
 *   8  4  format version
 *  12  4  reserved, zero
 *  16  8  length of the document in bytes
 *  24 32  SHA-256 of the document: its identity, and what browsers check
 *  56 32  SHA-256 of the dataset it was compiled from
 *  88  4  CRC-32 of the document: finds damage several times faster, so a server starts sooner
 *  92  6  reserved, zero
 *  98     the document
 *
 * The document begins with the block of columns, whose first byte thereby lies on a multiple of 8: its columns are
 * read where they are.
 */
import type { WordData } from '../text/word-data.js'
import type { DirectoryEntry } from './columns.js'

export const MAGIC = 'HSAPISNP'
/** Raise it whenever the document's content or meaning changes. */
export const FORMAT_VERSION = 14
export const HEADER_BYTES = 98
export const DIGEST_BYTES = 32

/** Where a duty rate comes from, and how sure it is. */
export interface RateSource {
  source: string
  /** Read in a published tariff or agreement; commonly reported; or open to doubt. */
  certainty: 'published' | 'general' | 'uncertain'
  /** When it was looked at, as 2026-11-15. */
  date: string
}

/** A section of the nomenclature, by its Roman number. */
export interface Section {
  section: string
  titleEn: string
  titleAr: string
  /** Two digits each, ascending. */
  chapters: string[]
}

export interface SnapshotMeta {
  edition: string
  /** The dataset's own version; empty where it has none. */
  version: string
  /** Percent, as a decimal string. */
  vatRate: string
  /** The distinct duty rates in percent; records refer to them by position. */
  rates: string[]
  /** What the dataset says of its rates; records refer to them by position, counted from 1. */
  rateSources: RateSource[]
  /** In the nomenclature's order; empty where the dataset does not tell them. */
  sections: Section[]
  /** Code lengths that goods are declared on, ascending. */
  lineDigits: number[]
  /** Years of the earlier editions whose codes are known, newest first. */
  editions: string[]
  /** What the dataset says of words, apart from goods: the index was made by it, and queries must be read by it. */
  words: WordData
  /** Records, padded lines included. */
  records: number
  /** Longest rendered record in bytes. */
  recordBytesMax: number
}

export interface SnapshotDocument {
  /** First, see above. */
  block: Uint8Array
  directory: DirectoryEntry[]
  meta: SnapshotMeta
  /** Every term of the index in code-unit order, separated by newlines. */
  vocabulary: string
}

/** A document that is about to be written: its block is not put together in memory. */
export interface CompiledDocument extends Omit<SnapshotDocument, 'block'> {
  blockPieces: readonly Uint8Array[]
}

/** A snapshot that must not be served. The message names the file and what to do. */
export class SnapshotError extends Error {}
