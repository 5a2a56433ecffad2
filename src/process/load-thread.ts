/** Reads and checks a snapshot while the other threads answer: that takes a tenth of a second and more. */
import { parentPort, workerData } from 'node:worker_threads'
import type { SnapshotParts } from '../snapshot/decode.js'
import { SnapshotError } from '../snapshot/format.js'
import { loadParts } from '../snapshot/load.js'

export interface LoadOrder {
  file: string
  /** Whether several threads are to read the columns. */
  shared: boolean
}

export type Loaded = { parts: SnapshotParts } | { refused: string }

const port = parentPort
if (port !== null) {
  const { file, shared } = workerData as LoadOrder
  try {
    const parts = await loadParts(file, shared)
    port.postMessage({ parts } satisfies Loaded, shared ? [] : [parts.block.buffer as ArrayBuffer])
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    port.postMessage({ refused: error.message } satisfies Loaded)
  }
}
