/** A snapshot from its file. */
import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { assemble, REBUILD, readHeader, type Snapshot, type SnapshotParts, unseal } from './decode.js'
import { DIGEST_BYTES, FORMAT_VERSION, HEADER_BYTES, MAGIC, SnapshotError } from './format.js'

export function decodeParts(bytes: Uint8Array, name: string): SnapshotParts {
  const sealed = readHeader(bytes, name)
  return unseal(sealed, createHash('sha256').update(sealed.body).digest())
}

export function decodeSnapshot(bytes: Uint8Array, name: string): Snapshot {
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
