import { existsSync } from 'node:fs'
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
  origin: 'HSAPI_SNAPSHOT' | 'data directory' | 'shipped'
}

export function shippedSnapshot(): string {
  const root = packageRootIfAny()
  if (root === undefined) throw new SnapshotError('a bundled program has no snapshot beside it: pass a file name or the bytes')
  return join(root, 'dist', NAME)
}

export function snapshotInUse({ snapshot, dataDir }: SnapshotSettings): SnapshotInUse {
  if (snapshot !== undefined) return { file: snapshot, origin: 'HSAPI_SNAPSHOT' }
  const own = join(dataDir, NAME)
  if (existsSync(own)) return { file: own, origin: 'data directory' }
  return { file: shippedSnapshot(), origin: 'shipped' }
}

const REASONS: Readonly<Record<SnapshotInUse['origin'], string>> = {
  HSAPI_SNAPSHOT: 'named by HSAPI_SNAPSHOT',
  'data directory': 'from the data directory, instead of the shipped one',
  shipped: 'shipped',
}

export function snapshotLine({ file, origin }: SnapshotInUse): string {
  return `hsapi: snapshot ${file} (${REASONS[origin]})`
}

/** Only a build of the shipped dataset replaces the shipped snapshot: "npm start" would overwrite any other. */
export function snapshotToBuild({ snapshot, dataDir }: SnapshotSettings, fromShippedDataset: boolean): string {
  return snapshot ?? (fromShippedDataset ? shippedSnapshot() : join(dataDir, NAME))
}
