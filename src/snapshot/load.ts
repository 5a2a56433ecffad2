import { open, readFile } from 'node:fs/promises'
import { Unpackr } from 'msgpackr/unpack'
import { type DirectoryEntry, placeBlock, viewColumns, wrongDirectory } from './columns.js'
import {
  DIGEST_BYTES,
  FORMAT_VERSION,
  HEADER_BYTES,
  MAGIC,
  type SnapshotDocument,
  SnapshotError,
  type SnapshotMeta,
  sha256,
} from './format.js'
import type { Columns } from './schema.js'

export interface Snapshot {
  /** The first digits of its checksum: tells one snapshot from another. */
  id: string
  meta: SnapshotMeta
  columns: Columns
  vocabulary: string
}

/** A snapshot as it is handed to another thread: the block is shared, not copied. */
export interface SnapshotParts {
  id: string
  meta: SnapshotMeta
  directory: DirectoryEntry[]
  block: Uint8Array
  vocabulary: string
}

export function assemble({ id, meta, directory, block, vocabulary }: SnapshotParts): Snapshot {
  return { id, meta, columns: viewColumns(directory, block), vocabulary }
}

const ID_BYTES = 8

const REBUILD = 'run "hsapi build" to make a new one'

/** Checks what the writer wrote, in the order that gives the most telling sentence. */
export function decodeParts(bytes: Buffer, name: string): SnapshotParts {
  const refuse = (why: string): never => {
    throw new SnapshotError(`${name}: ${why}; ${REBUILD}`)
  }
  if (bytes.length < MAGIC.length || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    refuse('this is not an hsapi snapshot')
  }
  if (bytes.length < HEADER_BYTES) refuse('the snapshot is truncated within its header')
  const version = bytes.readUInt32LE(8)
  if (version !== FORMAT_VERSION) {
    refuse(`the snapshot has format version ${version}, this server reads version ${FORMAT_VERSION}`)
  }
  const expected = Number(bytes.readBigUInt64LE(16))
  const actual = bytes.length - HEADER_BYTES
  if (actual < expected) refuse(`the snapshot is truncated: ${actual} of ${expected} bytes`)
  if (actual > expected) refuse(`the snapshot has ${actual - expected} bytes too many`)
  const body = bytes.subarray(HEADER_BYTES)
  const checksum = bytes.subarray(24, 24 + DIGEST_BYTES)
  if (!sha256(body).equals(checksum)) {
    refuse('the snapshot was altered: its checksum does not match')
  }
  const document = new Unpackr({ useRecords: false }).unpack(body) as SnapshotDocument
  const { meta, directory, vocabulary } = document
  const wrong = wrongDirectory(directory, document.block.byteLength, meta.records)
  if (wrong !== undefined) refuse(`the snapshot does not fit this server: ${wrong}`)
  const id = checksum.toString('hex', 0, ID_BYTES)
  return { id, meta, directory, block: placeBlock(document.block), vocabulary }
}

export function decodeSnapshot(bytes: Buffer, name: string): Snapshot {
  return assemble(decodeParts(bytes, name))
}

export async function loadSnapshot(file: string): Promise<Snapshot> {
  return assemble(await loadParts(file, false))
}

/** Straight into memory that other threads can read: a copy made later would stay beside it until much is collected. */
async function readShared(file: string): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const bytes = Buffer.from(new SharedArrayBuffer(size))
    let filled = 0
    while (filled < size) {
      const { bytesRead } = await handle.read(bytes, filled, size - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return bytes.subarray(0, filled)
  } finally {
    await handle.close()
  }
}

/** With `shared` the block lies in memory that other threads can read. */
export async function loadParts(file: string, shared: boolean): Promise<SnapshotParts> {
  let bytes: Buffer
  try {
    bytes = shared ? await readShared(file) : await readFile(file)
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new SnapshotError(
      missing ? `${file}: there is no snapshot; ${REBUILD}` : `${file}: ${(error as Error).message}`,
    )
  }
  return decodeParts(bytes, file)
}

/** The dataset digest in a snapshot's header, or undefined where there is no snapshot of this format. */
export async function readDatasetDigest(file: string): Promise<Buffer | undefined> {
  try {
    const handle = await open(file, 'r')
    try {
      const header = Buffer.alloc(HEADER_BYTES)
      const { bytesRead } = await handle.read(header, 0, HEADER_BYTES, 0)
      if (bytesRead < HEADER_BYTES || header.toString('latin1', 0, 8) !== MAGIC) return undefined
      if (header.readUInt32LE(8) !== FORMAT_VERSION) return undefined
      return header.subarray(56, 56 + DIGEST_BYTES)
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}
