/**
 * Each running server holds a lock in its data directory. A second server is refused unless both were started to share the
 * directory, because the two would count separately. `hsapi reload` finds the servers by these locks.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { OperatorError } from '../errors.js'
import { makeDirectory, writeAtomic } from '../files/atomic-file.js'
import { confirmedHolder, FileLock, type Holder, runningHolder, STALE_MS } from '../files/file-lock.js'
import { oneAtATime } from './one-at-a-time.js'

const SERVER_LOCK = /^server-[0-9a-f]+\.lock$/
const LEFTOVER = /\.tmp$/
/** A temporary file older than this was left by a killed process. */
const LEFTOVER_MS = 60_000
/**
 * Maximum wait while another server starts. That server may itself wait STALE_MS for a stale lock, so this is longer.
 */
const LOCK_WAIT_MS = STALE_MS + 5_000
const POLL_MS = 100

interface ServerHolder extends Holder {
  shares: boolean
}

/** Removes the locks of servers that ended without releasing them, and counts these servers. */
async function findServers(directory: string): Promise<{ servers: { path: string; holder: ServerHolder }[]; killed: number }> {
  const servers: { path: string; holder: ServerHolder }[] = []
  let killed = 0
  for (const name of await readdir(directory)) {
    if (!SERVER_LOCK.test(name)) continue
    const path = join(directory, name)
    const holder = (await runningHolder(path)) as ServerHolder | undefined
    if (holder !== undefined) servers.push({ path, holder })
    else {
      killed++
      await rm(path, { force: true })
    }
  }
  return { servers, killed }
}

/** Lists the running servers; unlike `findServers`, removes no locks. */
export async function runningServers(directory: string): Promise<{ pid: number; host: string }[]> {
  const locks = (await readdir(directory).catch(() => [])).filter(name => SERVER_LOCK.test(name))
  const holders = await Promise.all(locks.map(name => runningHolder(join(directory, name))))
  return holders.flatMap(holder => (holder === undefined ? [] : [{ pid: holder.pid, host: holder.host }]))
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

export class ServerClaim {
  #timer: NodeJS.Timeout | undefined

  private constructor(
    private readonly lock: FileLock,
    /** Whether the previous server was killed or crashed. */
    readonly isAfterKill: boolean,
  ) {}

  static async take(directory: string, shares: boolean): Promise<ServerClaim> {
    try {
      await makeDirectory(directory, 0o700)
      return await FileLock.during(join(directory, 'servers.lock'), LOCK_WAIT_MS, 'is starting there', async () => {
        await removeLeftovers(directory)
        const { servers, killed } = await findServers(directory)
        let isAfterKill = killed > 0
        for (const { path, holder } of servers) {
          if (shares && holder.shares) continue
          // after a kill, a restarted container finds its own old lock, whose process it cannot look up
          if ((await confirmedHolder(path)) === undefined) {
            isAfterKill = true
            continue
          }
          throw new OperatorError(
            `HSAPI_DATA_DIR ${directory}: process ${holder.pid} on ${holder.host} already uses it; stop that server first, or start both with HSAPI_SHARE_PORT=1`,
          )
        }
        const lock = await FileLock.own(name => join(directory, `server-${name}.lock`), { shares })
        return new ServerClaim(lock.keepFresh(), isAfterKill)
      })
    } catch (error) {
      if (error instanceof OperatorError) throw error
      throw new OperatorError(`HSAPI_DATA_DIR ${directory}: ${(error as Error).message}`, { cause: error })
    }
  }

  onReload(reload: () => Promise<ReloadResult>): void {
    // errors are ignored, because `hsapi reload` reports a timeout if it gets no answer
    const answer = oneAtATime(() => this.#answerRequest(reload).catch(() => {}))
    this.#timer = setInterval(answer, POLL_MS)
  }

  async #answerRequest(reload: () => Promise<ReloadResult>): Promise<void> {
    const request = requestOf(this.lock.path)
    const nonce = await readFile(request, 'utf8').catch(() => undefined)
    if (nonce === undefined) return
    await rm(request, { force: true })
    await writeAtomic(answerOf(this.lock.path), JSON.stringify({ nonce, ...(await reload()) }), 0o600)
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    await rm(requestOf(this.lock.path), { force: true })
    await rm(answerOf(this.lock.path), { force: true })
    await this.lock.release()
  }
}

export interface ReloadResult {
  isLoaded: boolean
  message: string
}

export async function requestReload(
  directory: string,
  waitMs: number,
): Promise<(ReloadResult & { pid: number; host: string })[]> {
  const { servers } = await findServers(directory).catch(() => ({ servers: [] }))
  return Promise.all(
    servers.map(async ({ path, holder: { pid, host } }) => {
      const nonce = `${process.pid}-${Date.now()}`
      await writeAtomic(requestOf(path), nonce, 0o600).catch(error => {
        throw new OperatorError(`HSAPI_DATA_DIR ${directory}: ${(error as Error).message}`, { cause: error })
      })
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
