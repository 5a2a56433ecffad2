/** Checks of the output file, and errors that name it. */
import { stat } from 'node:fs/promises'
import { OperatorError } from '../errors.js'

/** Refuses the input as output, even with --force, and an existing file without it. */
export async function refuseOutput(file: string, out: string, force: boolean): Promise<void> {
  const existing = await stat(out).catch(() => undefined)
  if (existing === undefined) return
  const input = await stat(file)
  if (existing.dev === input.dev && existing.ino === input.ino)
    throw new OperatorError(`${out}: this is the input itself; name another file for the output`)
  await refuseExisting(out, force)
}

export async function refuseExisting(out: string, force: boolean): Promise<void> {
  const existing = await stat(out).catch(() => undefined)
  if (existing === undefined) return
  if (!existing.isFile()) throw new OperatorError(`${out}: this is not a regular file; name another one`)
  if (!force) throw new OperatorError(`${out}: the file already exists; --force replaces it`)
}

export function writeError(out: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT') return new OperatorError(`${out}: there is no such directory`)
  // errors without a system code are bugs
  return error.code === undefined ? error : new OperatorError(`${out}: ${error.message}`)
}
