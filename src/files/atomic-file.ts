import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const PERMISSIONS = 0o777

/**
 * Replaces a file completely or not at all, even at a crash. Owner and mode are those of the old file, or the owner is that of
 * the directory: root must not take the file from the user that a server runs as. Between pieces the event loop turns.
 */
export function writeAtomic(
  file: string,
  content: string | Uint8Array | Iterable<string | Uint8Array>,
  mode = 0o644,
): Promise<void> {
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : content
  const fill = async (handle: FileHandle) => {
    for (const piece of pieces) await handle.writeFile(piece)
  }
  return fillAtomic(file, fill, mode)
}

/** As `writeAtomic`, with the content that `fill` writes: through the handle, or by the name that the file has until it is complete. */
export async function fillAtomic(file: string, fill: (handle: FileHandle) => Promise<void>, mode = 0o644): Promise<void> {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx', mode)
    try {
      await keepOwner(handle, file)
      await fill(handle)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncDirectory(dirname(file))
}

/** Without this a rename may be lost at a power failure. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  await directory.sync().finally(() => directory.close())
}

async function keepOwner(handle: FileHandle, file: string): Promise<void> {
  const before = await stat(file).catch(() => undefined)
  if (before !== undefined) await handle.chmod(before.mode & PERMISSIONS)
  const { uid, gid } = before ?? (await stat(dirname(file)))
  const made = await handle.stat()
  if (made.uid === uid && (made.gid === gid || before === undefined)) return
  // only root can give a new file to the owner of the directory
  if (before === undefined && made.uid !== 0) return
  try {
    await handle.chown(uid, gid)
  } catch {
    throw new Error(`it belongs to user ${uid} and group ${gid}; run this as that user or as root`)
  }
}

/** Recursive. Node's own option never returns if a parent exists but accepts no children, as under /proc. */
export async function makeDirectory(path: string, mode = 0o755): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT') throw error
    const parent = dirname(path)
    if (existsSync(parent) || parent === path) throw error
    await makeDirectory(parent, mode)
    await mkdir(path, { mode })
  }
}
