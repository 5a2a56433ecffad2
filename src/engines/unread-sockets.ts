/**
 * Whose connections hold answers that they do not read, as Linux tells it. uWebSockets.js says of a body whether it was
 * taken, of a head alone it does not, and it gives connections no name: so the kernel is asked, and answers by address.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { siteOf } from './ip-address.js'

const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
const ESTABLISHED = '01'
/** The engine keeps bytes of its own only for a connection whose buffer in the kernel is full, and none is smaller. */
const FULL_BYTES = 8192
/** Whoever is reading has taken something of it by then. */
const LOOKS_APART_MS = 250

/** What a connection's buffer in the kernel holds, by its other end: those on this port that hold much. */
function* fullBuffers(table: string, port: number): Generator<string> {
  const ours = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', state, queues = ''] = line.trim().split(/\s+/)
    if (state !== ESTABLISHED || !local.endsWith(ours)) continue
    if (Number.parseInt(queues, 16) >= FULL_BYTES) yield remote
  }
}

/** The kernel writes an address as numbers of 32 bits, in the machine's own order of bytes. */
function siteOfEnd(end: string): string {
  const hex = end.slice(0, end.indexOf(':'))
  const bytes = Buffer.from(hex, 'hex')
  return siteOf(new Uint8Array(LITTLE_ENDIAN ? bytes.swap32() : bytes))
}

const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1

async function look(port: number, tables: readonly string[]): Promise<Set<string>> {
  const ends = new Set<string>()
  for (const path of tables) {
    const table = await readFile(path, 'latin1').catch(() => '')
    for (const end of fullBuffers(table, port)) ends.add(end)
  }
  return ends
}

/** Sites, as `siteOf` writes them, with a connection to this port whose buffer is full now and was a moment ago. */
export async function sitesNotReading(port: number, tables: readonly string[] = TABLES): Promise<Set<string>> {
  const before = await look(port, tables)
  if (before.size === 0) return before
  await wait(LOOKS_APART_MS)
  const sites = new Set<string>()
  for (const end of await look(port, tables)) if (before.has(end)) sites.add(siteOfEnd(end))
  return sites
}
