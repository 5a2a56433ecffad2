/**
 * Named typed arrays in one block of memory. The block is what the snapshot stores and, once loaded, what every
 * thread can read: one copy, whatever the number of workers.
 */

const TYPES = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const

type TypeName = keyof typeof TYPES
export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array
export type Columns = Record<string, Column>

/** name, type, first byte, number of elements */
export type DirectoryEntry = [name: string, type: TypeName, offset: number, length: number]

/** Every column starts on a multiple of the widest element, so that a view of it needs no copy. */
const ALIGN = 8

function typeOf(column: Column): TypeName {
  for (const [name, type] of Object.entries(TYPES)) if (column instanceof type) return name as TypeName
  throw new Error('a column must be one of the known typed arrays')
}

export function packColumns(columns: Columns): { directory: DirectoryEntry[]; block: Uint8Array } {
  const directory: DirectoryEntry[] = []
  let offset = 0
  for (const [name, column] of Object.entries(columns)) {
    directory.push([name, typeOf(column), offset, column.length])
    offset += Math.ceil(column.byteLength / ALIGN) * ALIGN
  }
  const block = new Uint8Array(offset)
  for (const [name, , start] of directory) {
    const column = columns[name] as Column
    block.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), start)
  }
  return { directory, block }
}

/** The block where it is, if it lies well, and else a copy of it in memory of the same kind. */
export function placeBlock(block: Uint8Array): Uint8Array {
  if (block.byteOffset % ALIGN === 0) return block
  const length = block.byteLength
  const isShared = block.buffer instanceof SharedArrayBuffer
  const placed = new Uint8Array(isShared ? new SharedArrayBuffer(length) : new ArrayBuffer(length))
  placed.set(block)
  return placed
}

export function viewColumns(directory: DirectoryEntry[], block: Uint8Array): Columns {
  const columns: Columns = {}
  for (const [name, type, offset, length] of directory) {
    const Type = TYPES[type] as new (buffer: ArrayBufferLike, offset: number, length: number) => Column
    if (Type === undefined || offset + length * TYPES[type].BYTES_PER_ELEMENT > block.byteLength) {
      throw new Error(`column ${name} does not fit the block`)
    }
    columns[name] = new Type(block.buffer, block.byteOffset + offset, length)
  }
  return columns
}
