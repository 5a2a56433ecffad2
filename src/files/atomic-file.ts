import { randomBytes } from 'node:crypto'
import { access, type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const PERMISSIONS = 0o777

/**
 * Replaces a file whole or not at all: readers see the old content or the new, never a part, and a crash
 * leaves the old one. The directory is synced too, else the rename itself may be lost with the power.
 * The new file has the owner and the mode of the old one, or the owner of its directory: root must not take it from the
 * user that a server runs as.
 */
export function writeFileAtomic(file: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  return writeAtomic(file, [content], mode)
}

/** As `writeFileAtomic`, piece by piece: between two of them other work gets its turn. */
export function writeAtomic(file: string, pieces: Iterable<string | Uint8Array>, mode = 0o644): Promise<void> {
  const fill = async (handle: FileHandle) => {
    for (const piece of pieces) await handle.writeFile(piece)
  }
  return fillAtomic(file, fill, mode)
}

/** As `writeFileAtomic`, for whoever writes on and on: what `fill` has written when it is done takes the place of `file`. */
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

/** A new name is on the disk only once its directory is. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

async function keepOwner(handle: FileHandle, file: string): Promise<void> {
  const before = await stat(file).catch(() => undefined)
  if (before !== undefined) await handle.chmod(before.mode & PERMISSIONS)
  const { uid, gid } = before ?? (await stat(dirname(file)))
  const made = await handle.stat()
  if (made.uid === uid && (made.gid === gid || before === undefined)) return
  // without an old file only root can, and need, hand the new one over
  if (before === undefined && made.uid !== 0) return
  try {
    await handle.chown(uid, gid)
  } catch {
    throw new Error(`it belongs to user ${uid} and group ${gid}; run this as that user, or as root`)
  }
}

/**
 * Makes a directory and those above it. Node's own `recursive` tries forever where a parent is there but takes no
 * children, as under /proc.
 */
export async function makeDirectory(path: string, mode = 0o755): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT') throw error
    const parent = dirname(path)
    const parentExists = await access(parent).then(
      () => true,
      () => false,
    )
    if (parentExists || parent === path) throw error
    await makeDirectory(parent, mode)
    await mkdir(path, { mode })
  }
}
