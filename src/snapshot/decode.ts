/** A snapshot from its bytes, wherever they came from. Runs where there are neither files nor Node. */
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

/** A document that fits its header. Whether it is undamaged is checked with what the platform has: CRC-32 or SHA-256. */
export interface SealedDocument {
  body: Uint8Array
  /** What SHA-256 of the body must be … */
  sha256: Uint8Array
  /** … and its CRC-32. */
  crc32: number
  /** What to call it in sentences. */
  name: string
}

const ID_BYTES = 8
/** A document of MessagePack: null. */
const NIL = Uint8Array.of(0xc0)

export const REBUILD = 'run "hsapi build" to make a new one'

function refuse(name: string, why: string): never {
  throw new SnapshotError(`${name}: ${why}; ${REBUILD}`)
}

/** Checks what the writer wrote, in the order that gives the most telling sentence. */
export function readHeader(bytes: Uint8Array, name: string): SealedDocument {
  const isOurs = bytes.length >= MAGIC.length && [...MAGIC].every((c, i) => c.charCodeAt(0) === bytes[i])
  if (!isOurs) refuse(name, 'this is not an hsapi snapshot')
  if (bytes.length < HEADER_BYTES) refuse(name, 'the snapshot is truncated within its header')
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const version = view.getUint32(8, true)
  if (version !== FORMAT_VERSION)
    refuse(name, `the snapshot has format version ${version}, this server reads version ${FORMAT_VERSION}`)
  const expected = Number(view.getBigUint64(16, true))
  const actual = bytes.length - HEADER_BYTES
  if (actual < expected) refuse(name, `the snapshot is truncated: ${actual} of ${expected} bytes`)
  if (actual > expected) refuse(name, `the snapshot has ${actual - expected} bytes too many`)
  return {
    body: bytes.subarray(HEADER_BYTES),
    sha256: bytes.subarray(24, 24 + DIGEST_BYTES),
    crc32: view.getUint32(88, true),
    name,
  }
}

/** `isIntact`: whether a checksum of the body, computed here, is the one in the header. */
export function unseal({ body, sha256, name }: SealedDocument, isIntact: boolean): SnapshotParts {
  if (!isIntact) refuse(name, 'the snapshot was altered: its checksum does not match')
  const unpackr = new Unpackr({ useRecords: false })
  const document = unpackr.unpack(body) as SnapshotDocument
  // the library keeps a view of what it read last, which would hold a replaced dataset in memory
  unpackr.unpack(NIL)
  const { meta, directory, vocabulary } = document
  const wrong = wrongDirectory(directory, document.block.byteLength, meta.records)
  if (wrong !== undefined) refuse(name, `the snapshot does not fit this server: ${wrong}`)
  const id = Array.from(sha256.subarray(0, ID_BYTES), byte => byte.toString(16).padStart(2, '0')).join('')
  return { id, meta, directory, block: placeBlock(document.block), vocabulary }
}
