/**
 * Finds clients that do not read their responses, in the socket tables of Linux: uWebSockets.js reports no backpressure for a
 * response without a body.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { subnetOf } from './ip-address.js'

const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
const ESTABLISHED = '01'
/** The engine buffers only for sockets whose kernel buffer is full, and no such buffer is smaller than this. */
const FULL_BYTES = 8192
/** Within this time, a client that reads has taken some bytes from its buffer. */
const INTERVAL_MS = 250

const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1

/** Yields the remote addresses of connections to this port whose send buffer is full. */
function* fullSockets(table: string, port: number): Generator<string> {
  const localPort = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', state, queues = ''] = line.trim().split(/\s+/)
    if (state !== ESTABLISHED || !local.endsWith(localPort)) continue
    if (Number.parseInt(queues, 16) >= FULL_BYTES) yield remote
  }
}

/** The kernel prints an address as 32-bit words in native byte order. */
function remoteSubnet(remote: string): string {
  const bytes = Buffer.from(remote.slice(0, remote.indexOf(':')), 'hex')
  return subnetOf(new Uint8Array(LITTLE_ENDIAN ? bytes.swap32() : bytes))
}

async function readFullSockets(port: number, tables: readonly string[]): Promise<Set<string>> {
  const remotes = new Set<string>()
  for (const path of tables) {
    const table = await readFile(path, 'latin1').catch(() => '')
    for (const remote of fullSockets(table, port)) remotes.add(remote)
  }
  return remotes
}

/** Returns the subnets with a connection whose send buffer is full in two samples. */
export async function stalledSubnets(port: number, tables: readonly string[] = TABLES): Promise<Set<string>> {
  const before = await readFullSockets(port, tables)
  if (before.size === 0) return before
  await wait(INTERVAL_MS)
  const now = await readFullSockets(port, tables)
  return new Set([...now].filter(remote => before.has(remote)).map(remoteSubnet))
}
