/** Named typed arrays in one block, which the file stores and all threads share after loading. */
import { COLUMN_NAMES, type ColumnName, type Columns, SCHEMA, type TypeName, wrongExtent } from './schema.js'

const TYPES = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i16: Int16Array,
  i32: Int32Array,
  f64: Float64Array,
} as const satisfies Record<TypeName, unknown>

/** `offset` in bytes, `length` in elements. */
export type DirectoryEntry = [name: string, type: string, offset: number, length: number]

/** Columns are aligned to the widest element, so that views need no copy. */
const ALIGN = 8

/** The block as a list of pieces: the columns, not copied, and the padding between them. */
export function layOutColumns(columns: Columns): { directory: DirectoryEntry[]; blockPieces: Uint8Array[] } {
  const directory: DirectoryEntry[] = []
  const blockPieces: Uint8Array[] = []
  const records = columns.level.length
  let end = 0
  for (const name of COLUMN_NAMES) {
    const column = columns[name]
    const wrong = wrongExtent(name, column.length, records)
    if (wrong !== undefined) throw new Error(`the column ${name} ${wrong}`)
    directory.push([name, SCHEMA[name].type, end, column.length])
    const padding = (ALIGN - (column.byteLength % ALIGN)) % ALIGN
    blockPieces.push(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
    blockPieces.push(new Uint8Array(padding))
    end += column.byteLength + padding
  }
  return { directory, blockPieces }
}

/** Whether bytes are in shared memory. SharedArrayBuffer does not exist in pages that are not cross-origin isolated. */
export function isShared({ buffer }: Uint8Array): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer
}

/** Returns an aligned block; copies a misaligned one into memory of the same kind. */
export function placeBlock(block: Uint8Array): Uint8Array {
  if (block.byteOffset % ALIGN === 0) return block
  const length = block.byteLength
  const placed = new Uint8Array(isShared(block) ? new SharedArrayBuffer(length) : new ArrayBuffer(length))
  placed.set(block)
  return placed
}

/** Why a directory of columns does not match the schema, as part of a message; undefined if it matches. */
export function wrongDirectory(directory: readonly DirectoryEntry[], blockBytes: number, records: number): string | undefined {
  const entries = new Map(directory.map(entry => [entry[0], entry]))
  for (const name of COLUMN_NAMES) {
    const entry = entries.get(name)
    if (entry === undefined) return `it lacks the column ${name}`
    const [, type, offset, length] = entry
    const expected = SCHEMA[name].type
    if (type !== expected) return `its column ${name} is of type ${type} instead of ${expected}`
    const isValid = Number.isInteger(offset) && Number.isInteger(length) && offset >= 0 && length >= 0
    if (!isValid || offset % ALIGN !== 0 || offset + length * TYPES[expected].BYTES_PER_ELEMENT > blockBytes)
      return `its column ${name} does not fit the block`
    const wrong = wrongExtent(name, length, records)
    if (wrong !== undefined) return `its column ${name} ${wrong}`
    entries.delete(name)
  }
  const [foreign] = entries.keys()
  return foreign === undefined ? undefined : `it has a column ${foreign}, which this program does not know`
}

type ColumnConstructor = new (buffer: ArrayBufferLike, offset: number, length: number) => Columns[ColumnName]

/** The columns of a directory that `wrongDirectory` accepts. */
export function viewColumns(directory: readonly DirectoryEntry[], block: Uint8Array): Columns {
  const view = ([name, , offset, length]: DirectoryEntry) => {
    const Type = TYPES[SCHEMA[name as ColumnName].type] as ColumnConstructor
    return [name, new Type(block.buffer, block.byteOffset + offset, length)]
  }
  return Object.fromEntries(directory.map(view)) as Columns
}
