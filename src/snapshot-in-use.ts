/** Which snapshot answers, and where a new one is written: decided here for the server, commands, agents and the library. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isCheckout, packageRootIfAny } from './package-root.js'
import { SnapshotError } from './snapshot/format.js'

const NAME = 'hs.snapshot'

export interface SnapshotSettings {
  /** HSAPI_SNAPSHOT, where it is set. */
  snapshot: string | undefined
  dataDir: string
}

export interface SnapshotInUse {
  file: string
  origin: 'HSAPI_SNAPSHOT' | 'data directory' | 'shipped'
}

/** The compiled dataset that comes with the package. */
export function shippedSnapshot(): string {
  const root = packageRootIfAny()
  if (root === undefined)
    throw new SnapshotError('there is no snapshot beside a bundled program: name a file, or hand in the bytes')
  return join(root, 'dist', NAME)
}

export function snapshotInUse({ snapshot, dataDir }: SnapshotSettings): SnapshotInUse {
  if (snapshot !== undefined) return { file: snapshot, origin: 'HSAPI_SNAPSHOT' }
  const own = join(dataDir, NAME)
  if (existsSync(own)) return { file: own, origin: 'data directory' }
  return { file: shippedSnapshot(), origin: 'shipped' }
}

export function snapshotLine({ file, origin }: SnapshotInUse): string {
  return `hsapi: snapshot ${file} (${origin})`
}

/** An installed package keeps its shipped snapshot; in a checkout that is the one that a build makes. */
export function snapshotToBuild({ snapshot, dataDir }: SnapshotSettings, inCheckout = isCheckout()): string {
  return snapshot ?? (inCheckout ? shippedSnapshot() : join(dataDir, NAME))
}
