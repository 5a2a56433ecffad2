import { type FileHandle, open } from 'node:fs/promises'

const CHUNK_BYTES = 256 * 1024

/** Whether both files exist and have the same bytes; reads them in pieces. */
export async function hasSameContent(one: string, other: string): Promise<boolean> {
  const handles: FileHandle[] = []
  try {
    for (const path of [one, other]) handles.push(await open(path, 'r'))
    const [first, second] = handles as [FileHandle, FileHandle]
    if ((await first.stat()).size !== (await second.stat()).size) return false
    const [a, b] = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)]
    for (let at = 0; ; ) {
      const [{ bytesRead }, { bytesRead: readToo }] = await Promise.all([
        first.read(a, 0, CHUNK_BYTES, at),
        second.read(b, 0, CHUNK_BYTES, at),
      ])
      if (bytesRead !== readToo || !a.subarray(0, bytesRead).equals(b.subarray(0, bytesRead))) return false
      if (bytesRead === 0) return true
      at += bytesRead
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  } finally {
    for (const handle of handles) await handle.close()
  }
}
