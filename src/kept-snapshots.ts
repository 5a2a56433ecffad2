/** Snapshots of the data directory that newer snapshots have replaced, and the pinned snapshot. */
import { existsSync } from 'node:fs'
import { copyFile, link, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { OperatorError } from './errors.js'
import { makeDirectory, syncDirectory, writeAtomic } from './files/atomic-file.js'
import { loadParts } from './snapshot/load.js'
import {
  keptFile,
  keptFolder,
  pinFile,
  pinnedId,
  type SnapshotInUse,
  type SnapshotSettings,
  shippedSnapshot,
  snapshotInUse,
} from './snapshot-in-use.js'

const KEPT_MAX = 3
const NAME = /^([0-9a-f]{16})\.snapshot$/
/** The beginning of an id. */
const START = /^[0-9a-f]{4,16}$/

export interface KeptSnapshot {
  id: string
  file: string
  /** The version of the snapshot's dataset; undefined if this program cannot read the file. */
  version: string | undefined
  records: number | undefined
  /** Why the file cannot be read. */
  problem: string | undefined
  writtenMs: number
}

async function describe(file: string, id = ''): Promise<KeptSnapshot> {
  const writtenMs = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  try {
    const { id: found, meta } = await loadParts(file)
    return { id: found, file, version: meta.version, records: meta.records, problem: undefined, writtenMs }
  } catch (error) {
    return { id, file, version: undefined, records: undefined, problem: (error as Error).message, writtenMs }
  }
}

/** The ids of the kept snapshots, in the order of the directory. */
async function keptIds(dataDir: string): Promise<string[]> {
  const names = await readdir(keptFolder(dataDir)).catch(() => [])
  return names.flatMap(name => NAME.exec(name)?.[1] ?? [])
}

/** Adds the file to the kept snapshots, as a hard link or a copy. */
async function keep(dataDir: string, file: string, id: string): Promise<void> {
  const kept = keptFile(dataDir, id)
  if ((await keptIds(dataDir)).includes(id)) return
  await makeDirectory(keptFolder(dataDir), 0o700)
  const temporary = `${kept}.${process.pid}.tmp`
  await rm(temporary, { force: true })
  await link(file, temporary).catch(() => copyFile(file, temporary))
  await rename(temporary, kept)
  await syncDirectory(keptFolder(dataDir))
}

/** Keeps the snapshot of the data directory before another one replaces it. A file that is not a snapshot is not kept. */
export async function keepReplaced(dataDir: string, file: string): Promise<void> {
  const { id, problem } = await describe(file)
  if (problem === undefined) await keep(dataDir, file, id)
}

/** Removes all kept snapshots except the newest three, the current one and the pinned one. */
export async function removeOld(dataDir: string, currentFile: string): Promise<void> {
  const pinned = pinnedId(dataDir)
  const { id: current } = await describe(currentFile)
  const kept = await Promise.all(
    (await keptIds(dataDir)).map(async id => ({ id, ms: (await stat(keptFile(dataDir, id))).mtimeMs })),
  )
  const others = kept.filter(({ id }) => id !== pinned && id !== current).sort((a, b) => b.ms - a.ms)
  for (const { id } of others.slice(KEPT_MAX)) await rm(keptFile(dataDir, id), { force: true })
}

export interface SnapshotChoice extends KeptSnapshot {
  /** Where the snapshot comes from. */
  origin: SnapshotInUse['origin'] | 'kept'
  isInUse: boolean
}

/** Every snapshot that can be used, newest first. */
export async function choices(settings: SnapshotSettings): Promise<SnapshotChoice[]> {
  const inUse = snapshotInUse(settings)
  const unpinned = snapshotInUse(settings, true)
  const shipped = { file: shippedSnapshot(), origin: 'shipped' } as const
  const found = [inUse, unpinned, ...(existsSync(shipped.file) ? [shipped] : [])]
  const described: SnapshotChoice[] = []
  const add = async (file: string, origin: SnapshotChoice['origin'], id?: string) => {
    if (described.some(known => known.file === file)) return
    const snapshot = await describe(file, id)
    if (snapshot.problem === undefined && described.some(known => known.id === snapshot.id)) return
    described.push({ ...snapshot, origin, isInUse: file === inUse.file })
  }
  for (const { file, origin } of found) await add(file, origin)
  for (const id of await keptIds(settings.dataDir)) await add(keptFile(settings.dataDir, id), 'kept', id)
  return described.sort((a, b) => b.writtenMs - a.writtenMs)
}

/** Pins the snapshot whose id starts with `start`, and returns it. */
export async function pin(settings: SnapshotSettings, start: string): Promise<KeptSnapshot> {
  if (!START.test(start)) throw new OperatorError(`"${start}" is not a snapshot id; "hsapi snapshots list" shows the ids`)
  const found = (await choices(settings)).filter(({ id }) => id.startsWith(start))
  const [chosen] = found
  if (chosen === undefined) throw new OperatorError(`no snapshot id starts with ${start}; "hsapi snapshots list" shows the ids`)
  if (found.length > 1) throw new OperatorError(`${found.length} snapshot ids start with ${start}: give more characters`)
  if (chosen.problem !== undefined) throw new OperatorError(chosen.problem)
  await keep(settings.dataDir, chosen.file, chosen.id)
  await writeAtomic(pinFile(settings.dataDir), `${chosen.id}\n`)
  return chosen
}

/** Returns whether a snapshot was pinned. */
export async function unpin(dataDir: string): Promise<boolean> {
  const wasPinned = await readFile(pinFile(dataDir)).then(
    () => true,
    () => false,
  )
  await rm(pinFile(dataDir), { force: true })
  return wasPinned
}
