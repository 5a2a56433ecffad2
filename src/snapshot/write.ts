import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { Packr } from 'msgpackr/pack'
import { makeDirectory, writeFileAtomic } from '../files/atomic-file.js'
import { crc32 } from './crc32.js'
import { DIGEST_BYTES, FORMAT_VERSION, HEADER_BYTES, MAGIC, type SnapshotDocument } from './format.js'

/** The bytes of a snapshot; the same document and digest always give the same bytes. */
export function encodeSnapshot(document: SnapshotDocument, datasetDigest: Uint8Array): Buffer {
  if (datasetDigest.length !== DIGEST_BYTES) throw new Error('the dataset digest must be a SHA-256')
  // no record extensions: plain msgpack that any reader can open
  const body = new Packr({ useRecords: false }).pack(document)
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 0, 'latin1')
  header.writeUInt32LE(FORMAT_VERSION, 8)
  header.writeBigUInt64LE(BigInt(body.length), 16)
  createHash('sha256').update(body).digest().copy(header, 24)
  header.set(datasetDigest, 56)
  header.writeUInt32LE(crc32(body), 88)
  return Buffer.concat([header, body])
}

/** `folderMode` is for folders that must be made first. */
export async function writeSnapshot(file: string, bytes: Buffer, folderMode = 0o755): Promise<void> {
  await makeDirectory(dirname(file), folderMode)
  await writeFileAtomic(file, bytes)
}
