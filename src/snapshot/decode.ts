/** Decodes a snapshot from bytes, without files or Node. */
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
  /** First 16 hex digits of the snapshot's SHA-256. */
  id: string
  meta: SnapshotMeta
  columns: Columns
  vocabulary: string
}

/** The form in which a snapshot is passed to another thread: the block is shared, not copied. */
export interface SnapshotParts extends Omit<Snapshot, 'columns'> {
  directory: DirectoryEntry[]
  block: Uint8Array
}

export function assemble({ id, meta, directory, block, vocabulary }: SnapshotParts): Snapshot {
  return { id, meta, columns: viewColumns(directory, block), vocabulary }
}

/** A document whose header is valid. Node verifies the CRC-32, other platforms the SHA-256. */
export interface SealedDocument {
  body: Uint8Array
  /** Expected SHA-256 of the body. */
  sha256: Uint8Array
  crc32: number
  name: string
}

const ID_BYTES = 8
/** MessagePack for null. */
const NIL = Uint8Array.of(0xc0)

export const REBUILD = 'run "hsapi build" with its dataset to make a new one'

function refuse(name: string, why: string): never {
  throw new SnapshotError(`${name}: ${why}; ${REBUILD}`)
}

/** Makes the checks in the order that leads to the most helpful message. */
export function readHeader(bytes: Uint8Array, name: string): SealedDocument {
  const isOurs = bytes.length >= MAGIC.length && [...MAGIC].every((c, i) => c.charCodeAt(0) === bytes[i])
  if (!isOurs) refuse(name, 'this is not an hsapi snapshot')
  if (bytes.length < HEADER_BYTES) refuse(name, 'the snapshot is truncated within its header')
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const version = view.getUint32(8, true)
  if (version !== FORMAT_VERSION)
    refuse(name, `the snapshot has format version ${version}, but this server reads version ${FORMAT_VERSION}`)
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

/** Decodes the document. `isIntact`: whether the computed checksum matches the header. */
export function unseal({ body, sha256, name }: SealedDocument, isIntact: boolean): SnapshotParts {
  if (!isIntact) refuse(name, 'the snapshot was altered: its checksum does not match')
  const unpackr = new Unpackr({ useRecords: false })
  const document = unpackr.unpack(body) as SnapshotDocument
  // msgpackr keeps a view of its last input, which would keep a replaced dataset in memory
  unpackr.unpack(NIL)
  const { meta, directory, vocabulary } = document
  const wrong = wrongDirectory(directory, document.block.byteLength, meta.records)
  if (wrong !== undefined) refuse(name, `the snapshot does not fit this server: ${wrong}`)
  const id = Array.from(sha256.subarray(0, ID_BYTES), byte => byte.toString(16).padStart(2, '0')).join('')
  return { id, meta, directory, block: placeBlock(document.block), vocabulary }
}
