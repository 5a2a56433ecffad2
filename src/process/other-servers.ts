/** Finds servers on this machine with another data directory, so that a command can warn that it did not change their keys. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { runningServers } from './data-folder.js'

const OTHERS_MAX = 20
const MAIN = /(?:^|\/)dist\/src\/main\.js$/

export interface OtherServer {
  pid: number
  /** Undefined if the environment of the process may not be read or does not set a data directory. */
  dataDir: string | undefined
}

/**
 * Finds servers by their command lines in /proc, which every user may read. Their data directory is known only if their
 * environment may be read too. Returns an empty list if a server uses `dataDir` itself, or if there is no /proc.
 */
export async function otherServers(dataDir: string): Promise<OtherServer[]> {
  if ((await runningServers(dataDir)).length > 0) return []
  const found: OtherServer[] = []
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^[0-9]+$/.test(name) || !(await isServer(name))) continue
    const otherDir = await dataDirOf(name)
    // this server uses `dataDir`, but is still starting
    if (otherDir === resolve(dataDir)) return []
    found.push({ pid: Number(name), dataDir: otherDir })
    if (found.length === OTHERS_MAX) break
  }
  return found
}

const listIn = async (path: string) => (await readFile(path, 'utf8').catch(() => '')).split('\0')

async function isServer(pid: string): Promise<boolean> {
  const args = await listIn(`/proc/${pid}/cmdline`)
  const at = args.findIndex(arg => MAIN.test(arg) || basename(arg) === 'hsapi')
  return at >= 0 && args[at + 1] === 'serve'
}

async function dataDirOf(pid: string): Promise<string | undefined> {
  const name = 'HSAPI_DATA_DIR='
  const setting = (await listIn(`/proc/${pid}/environ`)).find(line => line.startsWith(name))
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return setting === undefined || folder === undefined ? undefined : resolve(folder, setting.slice(name.length))
}
