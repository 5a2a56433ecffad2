/**
 * Who serves from a data directory. Each server leaves a lock there for as long as it runs; a second one is refused, since
 * both would count on their own, unless both were told to share. The locks also say whom `hsapi reload` is to ask.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { OperatorError } from '../errors.js'
import { makeDirectory, writeFileAtomic } from '../files/atomic-file.js'
import { FileLock, type Holder, holderThatRenews, livingHolder, STALE_MS } from '../files/file-lock.js'

const SERVER_LOCK = /^server-[0-9a-f]+\.lock$/
const LEFTOVER = /\.tmp$/
/** Nobody takes so long to write a file here: what is older was left by a process that was killed. */
const LEFTOVER_MS = 60_000
/** Longer than a server that starts may wait for another to prove gone. */
const LOCK_WAIT_MS = STALE_MS + 5_000
const POLL_MS = 100

interface ServerHolder extends Holder {
  shares: boolean
}

/** The servers that run on this directory, with the files that say so. */
async function serversOf(directory: string): Promise<{ path: string; holder: ServerHolder }[]> {
  const servers: { path: string; holder: ServerHolder }[] = []
  for (const name of await readdir(directory)) {
    if (!SERVER_LOCK.test(name)) continue
    const path = join(directory, name)
    const holder = (await livingHolder(path)) as ServerHolder | undefined
    if (holder !== undefined) servers.push({ path, holder })
    else await rm(path, { force: true })
  }
  return servers
}

async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!LEFTOVER.test(name)) continue
    const path = join(directory, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > LEFTOVER_MS) await rm(path, { force: true })
  }
}

const requestOf = (lock: string) => lock.replace(/\.lock$/, '.reload')
const answerOf = (lock: string) => lock.replace(/\.lock$/, '.reloaded')

/** A server's place in a data directory. */
export class ServerClaim {
  readonly #lock: FileLock
  #timer: NodeJS.Timeout | undefined

  private constructor(lock: FileLock) {
    this.#lock = lock
  }

  /** Refuses with a sentence that names the other server. */
  static async take(directory: string, shares: boolean): Promise<ServerClaim> {
    try {
      await makeDirectory(directory, 0o700)
      const turn = await FileLock.take(join(directory, 'servers.lock'), LOCK_WAIT_MS)
      if (!(turn instanceof FileLock)) throw new Error(`process ${turn.pid} on ${turn.host} is starting there`)
      turn.keepFresh()
      try {
        await removeLeftovers(directory)
        for (const { path, holder } of await serversOf(directory)) {
          if (shares && holder.shares) continue
          // a container that was killed and started again finds its own lock, and cannot look up its process
          if ((await holderThatRenews(path)) === undefined) continue
          throw new OperatorError(
            `HSAPI_DATA_DIR ${directory}: process ${holder.pid} on ${holder.host} serves from it; stop that one first, or start both with HSAPI_SHARE_PORT=1`,
          )
        }
        const lock = await FileLock.own(name => join(directory, `server-${name}.lock`), { shares })
        return new ServerClaim(lock.keepFresh())
      } finally {
        await turn.release()
      }
    } catch (error) {
      if (error instanceof OperatorError) throw error
      throw new OperatorError(`HSAPI_DATA_DIR ${directory}: ${(error as Error).message}`, { cause: error })
    }
  }

  /** Does what `hsapi reload` asks for, and answers it. */
  onReload(reload: () => Promise<ReloadResult>): void {
    let isBusy = false
    this.#timer = setInterval(async () => {
      if (isBusy) return
      isBusy = true
      try {
        const nonce = await readFile(requestOf(this.#lock.path), 'utf8').catch(() => undefined)
        if (nonce === undefined) return
        await rm(requestOf(this.#lock.path), { force: true })
        const answer = JSON.stringify({ nonce, ...(await reload()) })
        await writeFileAtomic(answerOf(this.#lock.path), answer, 0o600)
      } catch {
        // the one who asked waits in vain and says so
      } finally {
        isBusy = false
      }
    }, POLL_MS)
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    await rm(requestOf(this.#lock.path), { force: true })
    await rm(answerOf(this.#lock.path), { force: true })
    await this.#lock.release()
  }
}

export interface ReloadResult {
  isLoaded: boolean
  message: string
}

async function writeRequest(directory: string, path: string, nonce: string): Promise<void> {
  try {
    await writeFileAtomic(path, nonce, 0o600)
  } catch (error) {
    throw new OperatorError(`HSAPI_DATA_DIR ${directory}: ${(error as Error).message}`, { cause: error })
  }
}

/** Asks every server of a data directory to load its snapshot anew. */
export async function requestReload(
  directory: string,
  waitMs: number,
): Promise<(ReloadResult & { pid: number; host: string })[]> {
  const servers = await serversOf(directory).catch(() => [])
  return Promise.all(
    servers.map(async ({ path, holder: { pid, host } }) => {
      const nonce = `${process.pid}-${Date.now()}`
      await writeRequest(directory, requestOf(path), nonce)
      const deadline = Date.now() + waitMs
      while (Date.now() < deadline) {
        const text = await readFile(answerOf(path), 'utf8').catch(() => '')
        const answer = text === '' ? undefined : (JSON.parse(text) as ReloadResult & { nonce: string })
        if (answer?.nonce === nonce) {
          await rm(answerOf(path), { force: true })
          return { pid, host, isLoaded: answer.isLoaded, message: answer.message }
        }
        await wait(POLL_MS)
      }
      await rm(requestOf(path), { force: true })
      return { pid, host, isLoaded: false, message: `no answer within ${waitMs / 1000} seconds` }
    }),
  )
}
