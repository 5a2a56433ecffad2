/** Reads a table from a file in any supported format. Loaded when a file is chosen. */
import type { Unzipped } from 'fflate'
import { readCells } from './read-table.js'

export const FILE_BYTES_MAX = 8_000_000
/** A small file may unpack to a very large one. */
const UNPACKED_BYTES_MAX = 100_000_000

const MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const
const ZIP = [0x50, 0x4b, 0x03, 0x04]

const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, at) => bytes[at] === byte)

function decode(bytes: Uint8Array): string {
  const marked = MARKS.find(mark => startsWith(bytes, mark.bytes))
  if (marked !== undefined) return new TextDecoder(marked.encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // the encoding in which Excel saves CSV on Arabic Windows
    return new TextDecoder('windows-1256').decode(bytes)
  }
}

/** Null if the file is not text. */
export function decodeText(bytes: Uint8Array): string | null {
  const text = decode(bytes)
  return text.includes('\u0000') ? null : text
}

/** Numbers as a person would type them; dates without a time. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  return String(value)
}

/**
 * The first sheet. Its parts are unpacked here and packed again without compression: the library would unpack large parts in
 * workers created from text, which the page's content security policy forbids.
 */
async function readSheetCells(bytes: Uint8Array): Promise<string[][]> {
  const [{ unzipSync, zipSync }, { readSheet }] = await Promise.all([import('fflate'), import('read-excel-file/universal')])
  let left = UNPACKED_BYTES_MAX
  const parts: Unzipped = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!/\.(?:xml|rels)$/.test(name)) return false
      left -= originalSize
      if (left < 0) throw new Error('too large')
      return true
    },
  })
  const stored = zipSync(parts, { level: 0 })
  const rows = await readSheet(stored.buffer as ArrayBuffer, { trim: false })
  return rows.map(row => row.map(cellText))
}

/** Null if the file is neither text nor a workbook, or is too large. */
export async function readFile(file: Blob): Promise<string[][] | null> {
  if (file.size > FILE_BYTES_MAX) return null
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (startsWith(bytes, ZIP)) {
    try {
      return await readSheetCells(bytes)
    } catch {
      return null
    }
  }
  const text = decodeText(bytes)
  return text === null ? null : readCells(text)
}
