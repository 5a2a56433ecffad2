import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { Packr } from 'msgpackr/pack'
import { makeDirectory, writeAtomic } from '../files/atomic-file.js'
import { crc32 } from './crc32.js'
import { type CompiledDocument, DIGEST_BYTES, FORMAT_VERSION, HEADER_BYTES, MAGIC } from './format.js'

/** MessagePack's type byte of binary data with a four-byte length. */
const BIN_32 = 0xc6
/** MessagePack of empty binary data, with a one-byte length. */
const NO_BYTES = Buffer.of(0xc4, 0)

/**
 * Returns a snapshot in pieces, because packing tens of megabytes of columns would copy them twice. The result is
 * deterministic.
 */
export function snapshotPieces(document: CompiledDocument, datasetDigest: Uint8Array): Uint8Array[] {
  if (datasetDigest.length !== DIGEST_BYTES) throw new Error('the dataset digest must be a SHA-256')
  const body = packDocument(document)
  const hash = createHash('sha256')
  for (const piece of body) hash.update(piece)
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 0, 'latin1')
  header.writeUInt32LE(FORMAT_VERSION, 8)
  header.writeBigUInt64LE(BigInt(bytesOf(body)), 16)
  hash.digest().copy(header, 24)
  header.set(datasetDigest, 56)
  header.writeUInt32LE(
    body.reduce((sum, piece) => crc32(piece, sum), 0),
    88,
  )
  return [header, ...body]
}

/** Packs the document with an empty block and splices the real one in. */
function packDocument({ blockPieces, directory, meta, vocabulary }: CompiledDocument): Uint8Array[] {
  // without record extensions, so that any MessagePack reader can open the document
  const packed = new Packr({ useRecords: false }).pack({
    block: Buffer.alloc(0),
    directory,
    meta,
    vocabulary,
  })
  const at = packed.indexOf(NO_BYTES)
  const length = Buffer.alloc(5)
  length[0] = BIN_32
  length.writeUInt32BE(bytesOf(blockPieces), 1)
  return [packed.subarray(0, at), length, ...blockPieces, packed.subarray(at + NO_BYTES.length)]
}

function bytesOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
}

/** `folderMode`: mode of the folders that are created. */
export async function writeSnapshot(file: string, pieces: readonly Uint8Array[], folderMode = 0o755): Promise<void> {
  await makeDirectory(dirname(file), folderMode)
  await writeAtomic(file, pieces)
}
