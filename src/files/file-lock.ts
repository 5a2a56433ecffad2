/**
 * A lock file, taken by linking a claim to its name. It names its holder, so that an orphan, a lock whose holder has ended, can
 * be recognised: by process id and start time if this process can look them up, otherwise by age. Host names are not enough,
 * because containers may share one.
 *
 * Two processes may find the same orphan, and the slower must not remove the lock of the faster. So the right to replace an
 * orphan is itself a lock, named after the orphan. The holder of this second lock checks again before it replaces the orphan.
 */
import { randomBytes } from 'node:crypto'
import { constants, copyFile, link, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { writeAtomic } from './atomic-file.js'

/** If the process of a lock cannot be looked up, the lock is an orphan from this age on. */
export const STALE_MS = 10_000
const RENEW_MS = 2_000
const RETRY_MS = 20
/** Maximum depth of locks on orphans: such a lock becomes an orphan itself only after a crash within microseconds. */
const DEPTH_MAX = 3

export interface Holder {
  pid: number
  /** Start time according to the kernel: process ids are reused, but not with the same start time. */
  started: string
  host: string
  /** The kernel's boot id; missing or empty without /proc, like the next field. */
  boot?: string
  pidNamespace?: string
  nonce: string
}

/** Start time of a process: field 22 of its stat file, after the name, which may have spaces and brackets. '' without /proc. */
async function startOf(pid: number): Promise<string> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

async function findPlace() {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const pidNamespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return { host: hostname(), boot: boot.trim(), pidNamespace }
}

/** True if both values are equal, or one of them is unknown. */
const mayBeSame = (one: string | undefined, other: string) => !one || other === '' || one === other

async function isOnThisMachine({ host, boot, pidNamespace }: Holder): Promise<boolean> {
  const place = await findPlace()
  return host === place.host && mayBeSame(boot, place.boot) && mayBeSame(pidNamespace, place.pidNamespace)
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function hasEnded(path: string, holder: Holder): Promise<boolean> {
  if (await isOnThisMachine(holder))
    return !exists(holder.pid) || (holder.started !== '' && (await startOf(holder.pid)) !== holder.started)
  const { mtimeMs } = await stat(path)
  return Date.now() - mtimeMs > STALE_MS
}

/** Reads a lock file. If a crash has left it empty, its holder is unknown, and only its age shows whether it is an orphan. */
export async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    const text = await readFile(path, 'utf8')
    const holder = text.startsWith('{') && text.endsWith('}') ? (JSON.parse(text) as Holder) : undefined
    return holder ?? { pid: 0, started: '', host: '', nonce: `damaged-${(await stat(path)).ino}` }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export async function runningHolder(path: string): Promise<Holder | undefined> {
  const holder = await holderOf(path)
  if (holder === undefined || (await hasEnded(path, holder).catch(() => true))) return undefined
  return holder
}

/**
 * Like `runningHolder`, but if the process cannot be looked up, waits until the process renews its lock or the lock is stale.
 */
export async function confirmedHolder(path: string): Promise<Holder | undefined> {
  const touched = (await stat(path).catch(() => undefined))?.mtimeMs
  for (;;) {
    const holder = await runningHolder(path)
    if (holder === undefined || (await isOnThisMachine(holder))) return holder
    const now = (await stat(path).catch(() => undefined))?.mtimeMs
    if (now !== touched) return runningHolder(path)
    await wait(RENEW_MS / 4)
  }
}

/** Links a file, or copies it if the file system has no hard links. Fails if `path` exists. */
async function linkOrCopy(claimFile: string, path: string): Promise<void> {
  try {
    await link(claimFile, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    await copyFile(claimFile, path, constants.COPYFILE_EXCL)
  }
}

async function newClaim(): Promise<Holder> {
  const pid = process.pid
  return { pid, started: await startOf(pid), ...(await findPlace()), nonce: randomBytes(8).toString('hex') }
}

export class FileLock {
  #timer: NodeJS.Timeout | undefined

  private constructor(
    readonly path: string,
    private readonly nonce: string,
  ) {}

  /** Takes a lock under a unique name and writes `more` into it; the lock shows that its holder is running. */
  static async own(pathOf: (nonce: string) => string, more: object): Promise<FileLock> {
    const claim = await newClaim()
    const path = pathOf(claim.nonce)
    await writeAtomic(path, JSON.stringify({ ...claim, ...more }), 0o600)
    return new FileLock(path, claim.nonce)
  }

  /** Takes the lock and returns it, or returns its holder. */
  static async tryTake(path: string): Promise<FileLock | Holder> {
    const claim = await newClaim()
    const { nonce } = claim
    const claimFile = `${path}.${nonce}.tmp`
    try {
      await writeFile(claimFile, JSON.stringify(claim), { flag: 'wx', mode: 0o600 })
      return (await place(claimFile, path, 0)) ?? new FileLock(path, nonce)
    } finally {
      await rm(claimFile, { force: true })
    }
  }

  /** Like `tryTake`, but waits up to `waitMs` for the lock. */
  static async take(path: string, waitMs: number): Promise<FileLock | Holder> {
    const deadline = Date.now() + waitMs
    for (;;) {
      const taken = await FileLock.tryTake(path)
      if (taken instanceof FileLock || Date.now() > deadline) return taken
      await wait(RETRY_MS)
    }
  }

  /**
   * Runs `work` under the lock. If another process still has it after `waitMs`, the error names what that process is `doing`.
   */
  static async during<Result>(path: string, waitMs: number, doing: string, work: () => Promise<Result>): Promise<Result> {
    const lock = await FileLock.take(path, waitMs)
    if (!(lock instanceof FileLock)) throw new Error(`process ${lock.pid} on ${lock.host} ${doing}`)
    lock.keepFresh()
    try {
      return await work()
    } finally {
      await lock.release()
    }
  }

  /** Renews a lock that is held for a long time, for processes that cannot look up its holder. */
  keepFresh(): this {
    this.#timer = setInterval(() => {
      const now = new Date()
      utimes(this.path, now, now).catch(() => {})
    }, RENEW_MS).unref()
    return this
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    const holder = await holderOf(this.path)
    if (holder?.nonce === this.nonce) await rm(this.path, { force: true })
  }
}

/** Links the claim to `path`; if the lock has a running holder, returns that holder instead. */
async function place(claimFile: string, path: string, depth: number): Promise<Holder | undefined> {
  for (;;) {
    try {
      await linkOrCopy(claimFile, path)
      return undefined
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = await holderOf(path)
    if (holder === undefined) continue
    if (depth === DEPTH_MAX || !(await hasEnded(path, holder).catch(() => false))) return holder
    if (await replace(claimFile, path, holder, depth)) return undefined
  }
}

/** Tries to replace an orphan with the claim; returns whether this succeeded. */
async function replace(claimFile: string, path: string, orphan: Holder, depth: number): Promise<boolean> {
  const right = `${path}.${orphan.nonce}`
  const other = await place(claimFile, right, depth + 1)
  if (other !== undefined) {
    await wait(RETRY_MS)
    return false
  }
  try {
    if ((await holderOf(path))?.nonce !== orphan.nonce) return false
    const copy = `${claimFile}.${depth}`
    await linkOrCopy(claimFile, copy)
    await rename(copy, path)
    return true
  } finally {
    await rm(right, { force: true })
  }
}
