import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRootIfAny } from './package-root.js'
import { SnapshotError } from './snapshot/format.js'

const NAME = 'hs.snapshot'

export interface SnapshotSettings {
  snapshot: string | undefined
  dataDir: string
}

export interface SnapshotInUse {
  file: string
  origin: 'HSAPI_SNAPSHOT' | 'pinned' | 'data directory' | 'shipped'
}

export const keptFolder = (dataDir: string) => join(dataDir, 'snapshots')
export const keptFile = (dataDir: string, id: string) => join(keptFolder(dataDir), `${id}.snapshot`)
export const pinFile = (dataDir: string) => join(dataDir, 'snapshot-pinned')

/** The id that `hsapi snapshots use` has pinned; undefined if none is pinned. */
export function pinnedId(dataDir: string): string | undefined {
  try {
    return /^[0-9a-f]{16}(?=\n?$)/.exec(readFileSync(pinFile(dataDir), 'utf8'))?.[0]
  } catch {
    return undefined
  }
}

export function shippedSnapshot(): string {
  const root = packageRootIfAny()
  if (root === undefined) throw new SnapshotError('a bundled program does not include a snapshot: pass a file name or the bytes')
  return join(root, 'dist', NAME)
}

/** With `isPinIgnored`: the snapshot that would be in use if none were pinned. */
export function snapshotInUse({ snapshot, dataDir }: SnapshotSettings, isPinIgnored = false): SnapshotInUse {
  if (snapshot !== undefined) return { file: snapshot, origin: 'HSAPI_SNAPSHOT' }
  const pinned = isPinIgnored ? undefined : pinnedId(dataDir)
  if (pinned !== undefined) return { file: keptFile(dataDir, pinned), origin: 'pinned' }
  const inDataDir = join(dataDir, NAME)
  if (existsSync(inDataDir)) return { file: inDataDir, origin: 'data directory' }
  return { file: shippedSnapshot(), origin: 'shipped' }
}

const REASONS: Readonly<Record<SnapshotInUse['origin'], string>> = {
  HSAPI_SNAPSHOT: 'named by HSAPI_SNAPSHOT',
  pinned: 'pinned by "hsapi snapshots use"',
  'data directory': 'from the data directory, instead of the shipped one',
  shipped: 'shipped',
}

export function snapshotLine({ file, origin }: SnapshotInUse): string {
  return `hsapi: snapshot ${file} (${REASONS[origin]})`
}

/** The file that a build writes. "npm start" overwrites the shipped snapshot, so only the shipped dataset is built into it. */
export function snapshotToBuild({ snapshot, dataDir }: SnapshotSettings, fromShippedDataset: boolean): string {
  return snapshot ?? (fromShippedDataset ? shippedSnapshot() : join(dataDir, NAME))
}
