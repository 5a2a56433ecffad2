import type { BigIntStats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { crc32 } from './crc32.js'
import { assemble, REBUILD, readHeader, type Snapshot, type SnapshotParts, unseal } from './decode.js'
import { DIGEST_BYTES, FORMAT_VERSION, HEADER_BYTES, MAGIC, SnapshotError } from './format.js'

export function decodeParts(bytes: Uint8Array, name: string): SnapshotParts {
  const sealed = readHeader(bytes, name)
  return unseal(sealed, crc32(sealed.body) === sealed.crc32)
}

export interface StampedBytes {
  bytes: Uint8Array
  /** Identifies the version of the file. */
  stamp: string
}

/** A text that changes when the file is replaced or written to. */
export function stampOf({ ino, mtimeNs, size }: BigIntStats): string {
  return `${ino}-${mtimeNs}-${size}`
}

/** The stamp of a file; undefined if there is no such file. */
export async function stampOfFile(file: string): Promise<string | undefined> {
  return stat(file, { bigint: true }).then(stampOf, () => undefined)
}

export async function loadSnapshot(file: string): Promise<Snapshot> {
  return assemble(await loadParts(file))
}

/** With `shared`, reads directly into shared memory, because a later copy would need twice the memory for a while. */
async function readWhole(file: string, shared: boolean): Promise<StampedBytes> {
  const handle = await open(file, 'r')
  try {
    const stats = await handle.stat({ bigint: true })
    const stamp = stampOf(stats)
    // the size of a pipe is not known
    if (!stats.isFile() && !shared) return { bytes: await handle.readFile(), stamp }
    const size = Number(stats.size)
    const bytes = shared ? Buffer.from(new SharedArrayBuffer(size)) : Buffer.allocUnsafeSlow(size)
    let filled = 0
    while (filled < size) {
      const { bytesRead } = await handle.read(bytes, filled, size - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return { bytes: bytes.subarray(0, filled), stamp }
  } finally {
    await handle.close()
  }
}

/** Reads a file without checking its bytes; with `shared`, into memory that other threads can read. */
export async function readStamped(file: string, shared: boolean): Promise<StampedBytes> {
  try {
    return await readWhole(file, shared)
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new SnapshotError(missing ? `${file}: there is no snapshot; ${REBUILD}` : `${file}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

export async function loadParts(file: string): Promise<SnapshotParts> {
  const { bytes } = await readStamped(file, false)
  return decodeParts(bytes, file)
}

/** The digest of the dataset from which the snapshot was compiled; undefined if there is no snapshot of this format. */
export async function readDatasetDigest(file: string): Promise<Buffer | undefined> {
  try {
    const handle = await open(file, 'r')
    const header = Buffer.alloc(HEADER_BYTES)
    const { bytesRead } = await handle.read(header, 0, HEADER_BYTES, 0).finally(() => handle.close())
    if (bytesRead < HEADER_BYTES || header.toString('latin1', 0, 8) !== MAGIC) return undefined
    if (header.readUInt32LE(8) !== FORMAT_VERSION) return undefined
    return header.subarray(56, 56 + DIGEST_BYTES)
  } catch {
    return undefined
  }
}
