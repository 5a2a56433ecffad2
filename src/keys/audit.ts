/**
 * Keeps a log of key changes in the data directory: who made each change, from where, what changed and when. The key itself is
 * never written.
 */
import { open } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { isoSeconds } from '../clock.js'
import { makeDirectory, ownByDirectory } from '../files/atomic-file.js'

export const AUDIT_NAME = 'keys-audit.jsonl'

export type KeyChange = 'created' | 'rotated' | 'revoked' | 'copied'

export interface Origin {
  from: 'command line' | 'admin port' | 'first start'
  /** The operator's address, if the change came through the admin port. */
  address?: string | undefined
}

/** The user of this process, and the user who started it with sudo. */
function user(): string {
  let name = String(process.getuid?.() ?? '')
  try {
    name = userInfo().username
  } catch {
    // the user has no name, as in some containers
  }
  const { SUDO_USER: sudoUser } = process.env
  return sudoUser === undefined ? name : `${name} (sudo by ${sudoUser})`
}

/** `key` is an id, or the number of keys that were copied. Rejects if the line cannot be written. */
export async function writeAudit(
  dataDir: string,
  change: KeyChange,
  key: string | number,
  { from, address }: Origin,
  nowMs: number,
): Promise<void> {
  const line = { time: isoSeconds(nowMs), change, key, from, address, user: user(), host: hostname(), pid: process.pid }
  await makeDirectory(dataDir, 0o700)
  const handle = await open(join(dataDir, AUDIT_NAME), 'a', 0o600)
  try {
    await ownByDirectory(handle, dataDir)
    // a single write, so that lines of several programs do not mix
    await handle.write(`${JSON.stringify(line)}\n`)
  } finally {
    await handle.close()
  }
}
