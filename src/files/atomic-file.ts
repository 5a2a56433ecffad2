import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const PERMISSIONS = 0o777

/**
 * Replaces a file completely or not at all, even in a crash. The new file keeps the old one's owner and mode, or takes the
 * owner of the directory: a command run by root must not take the file away from the server's user. Other work can run while
 * the pieces are written.
 */
export function writeAtomic(file: string, content: Content, mode = 0o644): Promise<void> {
  return fillAtomic(file, filledWith(content), mode)
}

type Content = string | Uint8Array | Iterable<string | Uint8Array>
type Fill = (handle: FileHandle, temporary: string) => Promise<void>

function filledWith(content: Content): Fill {
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : content
  return async handle => {
    for (const piece of pieces) await handle.writeFile(piece)
  }
}

/** Like `writeAtomic`, but `fill` writes the content, through the handle or to the temporary file. */
export async function fillAtomic(file: string, fill: Fill, mode = 0o644): Promise<void> {
  await replaceAll([await prepare(file, fill, mode)])
}

/**
 * Writes the same content to a file and a copy in the same directory. Neither is replaced before both are complete on disk, so
 * that a full disk changes nothing; then the file is replaced before the copy.
 */
export async function writeWithCopy(file: string, copy: string, content: () => Content, mode = 0o644): Promise<void> {
  const first = await prepare(file, filledWith(content()), mode)
  try {
    await replaceAll([first, await prepare(copy, filledWith(content()), mode)])
  } finally {
    await rm(first.temporary, { force: true })
  }
}

interface Prepared {
  file: string
  temporary: string
}

/** Writes the content to disk under a temporary name. */
async function prepare(file: string, fill: Fill, mode: number): Promise<Prepared> {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx', mode)
    try {
      await keepOwner(handle, file)
      await fill(handle, temporary)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return { file, temporary }
}

/** Moves the temporary files to their names; all must be in one directory. */
async function replaceAll(prepared: readonly [Prepared, ...Prepared[]]): Promise<void> {
  try {
    for (const { file, temporary } of prepared) await rename(temporary, file)
  } catch (error) {
    for (const { temporary } of prepared) await rm(temporary, { force: true })
    throw error
  }
  await syncDirectory(dirname(prepared[0].file))
}

/**
 * Gives a file that root created to the owner of its directory: the server runs as that user and must be able to write to it.
 */
export async function ownByDirectory(handle: FileHandle, directory: string): Promise<void> {
  const { uid, gid } = await stat(directory)
  const file = await handle.stat()
  if (file.uid === 0 && uid !== 0) await handle.chown(uid, gid)
}

/** Writes a directory to disk, so that a power failure cannot undo a rename. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  await directory.sync().finally(() => directory.close())
}

async function keepOwner(handle: FileHandle, file: string): Promise<void> {
  const before = await stat(file).catch(() => undefined)
  if (before !== undefined) await handle.chmod(before.mode & PERMISSIONS)
  const { uid, gid } = before ?? (await stat(dirname(file)))
  const created = await handle.stat()
  if (created.uid === uid && (created.gid === gid || before === undefined)) return
  // only root can give a new file to the owner of the directory
  if (before === undefined && created.uid !== 0) return
  try {
    await handle.chown(uid, gid)
  } catch {
    throw new Error(`it belongs to user ${uid} and group ${gid}; run this as that user or as root`)
  }
}

/** Creates a directory and its parents. Node's `recursive` never returns if a parent accepts no children, as under /proc. */
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
