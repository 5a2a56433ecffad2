import { randomBytes } from 'node:crypto'
import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file whole or not at all: readers see the old content or the new, never a part, and a crash
 * leaves the old one. The directory is synced too, else the rename itself may be lost with the power.
 */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array,
  mode = 0o644,
): Promise<void> {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx', mode)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  const directory = await open(dirname(file), 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
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
