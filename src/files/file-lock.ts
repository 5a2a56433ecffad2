/**
 * A lock as a file, held by at most one process: whoever links its own claim to the lock's name has it. The file names its
 * holder, so that an orphan is known at once: by process id and start time where those can be looked up from here, else by
 * age. Host names are not enough for that: containers may share one, and each has a process 1.
 *
 * Taking over an orphan is the delicate part: two processes may both have found it, and the slower one must not remove the
 * lock that the faster one has made meanwhile. So the right to replace a certain orphan is itself a lock, named after
 * that orphan; whoever has it looks again, and only then puts its own claim in the orphan's place.
 */
import { randomBytes } from 'node:crypto'
import { constants, copyFile, link, open, readFile, readlink, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { writeFileAtomic } from './atomic-file.js'

/** A holder that cannot be looked up from here and has not renewed its lock for so long is gone. */
export const STALE_MS = 10_000
const RENEW_MS = 2_000
const RETRY_MS = 20
/** Orphans of orphans: each needs a process that died within microseconds. */
const DEPTH_MAX = 3

export interface Holder {
  pid: number
  /** When the process began, in the kernel's count: process ids are used again, these pairs are not. */
  started: string
  host: string
  /** Of the kernel, new with every start of the machine; missing or empty where there is no /proc. */
  boot?: string
  /** Within which process ids mean something; missing or empty where there is no /proc. */
  pidNamespace?: string
  /** Names this very lock. */
  nonce: string
}

/** The twenty-second field, counted behind the name, which may hold spaces and brackets. Empty where there is no /proc. */
async function startOf(pid: number): Promise<string> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

/** Where process ids are those that this process sees. */
interface Place {
  host: string
  boot: string
  pidNamespace: string
}

let here: Promise<Place> | undefined

async function findPlace(): Promise<Place> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const pidNamespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return { host: hostname(), boot: boot.trim(), pidNamespace }
}

/** What either side does not know does not tell them apart. */
const mayBeSame = (one: string | undefined, other: string) => !one || other === '' || one === other

async function isHere({ host, boot, pidNamespace }: Holder): Promise<boolean> {
  here ??= findPlace()
  const place = await here
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

async function isGone(path: string, holder: Holder): Promise<boolean> {
  if (await isHere(holder))
    return !exists(holder.pid) || (holder.started !== '' && (await startOf(holder.pid)) !== holder.started)
  const { mtimeMs } = await stat(path)
  return Date.now() - mtimeMs > STALE_MS
}

/** Who holds it; undefined where nobody does. A file that a crash left empty is nobody's, and judged by its age. */
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

/** Its holder, where that process still lives. */
export async function livingHolder(path: string): Promise<Holder | undefined> {
  const holder = await holderOf(path)
  if (holder === undefined || (await isGone(path, holder).catch(() => true))) return undefined
  return holder
}

/** As `livingHolder`; one that only its age tells of is waited for until it renews its lock, or proves to be gone. */
export async function holderThatRenews(path: string): Promise<Holder | undefined> {
  const touched = (await stat(path).catch(() => undefined))?.mtimeMs
  for (;;) {
    const holder = await livingHolder(path)
    if (holder === undefined || (await isHere(holder))) return holder
    const now = (await stat(path).catch(() => undefined))?.mtimeMs
    if (now !== touched) return livingHolder(path)
    await wait(RENEW_MS / 4)
  }
}

/** Makes `path` the same file as `own`, unless something is there. Not every file system has hard links. */
async function linkOrCopy(own: string, path: string): Promise<void> {
  try {
    await link(own, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    await copyFile(own, path, constants.COPYFILE_EXCL)
  }
}

async function newClaim(): Promise<Holder> {
  here ??= findPlace()
  const pid = process.pid
  return { pid, started: await startOf(pid), ...(await here), nonce: randomBytes(8).toString('hex') }
}

export class FileLock {
  readonly path: string
  readonly #nonce: string
  #timer: NodeJS.Timeout | undefined

  private constructor(path: string, nonce: string) {
    this.path = path
    this.#nonce = nonce
  }

  /** A lock under a name that nobody else has, which says besides who lives: `more` is kept in it. */
  static async own(pathOf: (nonce: string) => string, more: object): Promise<FileLock> {
    const claim = await newClaim()
    const path = pathOf(claim.nonce)
    await writeFileAtomic(path, JSON.stringify({ ...claim, ...more }), 0o600)
    return new FileLock(path, claim.nonce)
  }

  /** The lock, or who holds it. */
  static async tryTake(path: string): Promise<FileLock | Holder> {
    const claim = await newClaim()
    const { nonce } = claim
    const own = `${path}.${nonce}.tmp`
    try {
      const handle = await open(own, 'wx', 0o600)
      try {
        await handle.writeFile(JSON.stringify(claim))
      } finally {
        await handle.close()
      }
      const holder = await place(own, path, 0)
      return holder ?? new FileLock(path, nonce)
    } finally {
      await rm(own, { force: true })
    }
  }

  /** The lock, once it is free, or its holder where that takes longer than `waitMs`. */
  static async take(path: string, waitMs: number): Promise<FileLock | Holder> {
    const deadline = Date.now() + waitMs
    for (;;) {
      const taken = await FileLock.tryTake(path)
      if (taken instanceof FileLock || Date.now() > deadline) return taken
      await wait(RETRY_MS)
    }
  }

  /** For a lock that is held for long: processes elsewhere see by it that the holder lives. */
  keepFresh(): this {
    this.#timer = setInterval(() => {
      const now = new Date()
      // where it fails, others may come to think that this process is gone; they will say so
      utimes(this.path, now, now).catch(() => {})
    }, RENEW_MS)
    this.#timer.unref()
    return this
  }

  async isOurs(): Promise<boolean> {
    return (await holderOf(this.path))?.nonce === this.#nonce
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    if (await this.isOurs()) await rm(this.path, { force: true })
  }
}

/** Puts the claim `own` at `path`: undefined, or the living holder of what is there. */
async function place(own: string, path: string, depth: number): Promise<Holder | undefined> {
  for (;;) {
    try {
      await linkOrCopy(own, path)
      return undefined
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = await holderOf(path)
    if (holder === undefined) continue
    if (depth === DEPTH_MAX || !(await isGone(path, holder).catch(() => false))) return holder
    if (await replace(own, path, holder, depth)) return undefined
  }
}

/** Whether the claim now stands in the orphan's place. */
async function replace(own: string, path: string, orphan: Holder, depth: number): Promise<boolean> {
  const right = `${path}.${orphan.nonce}`
  const other = await place(own, right, depth + 1)
  if (other !== undefined) {
    await wait(RETRY_MS)
    return false
  }
  try {
    if ((await holderOf(path))?.nonce !== orphan.nonce) return false
    const copy = `${own}.${depth}`
    await linkOrCopy(own, copy)
    await rename(copy, path)
    return true
  } finally {
    await rm(right, { force: true })
  }
}
