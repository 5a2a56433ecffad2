/** Reads and checks a snapshot in a separate thread, because that takes a tenth of a second or more. */
import { parentPort, workerData } from 'node:worker_threads'
import type { SnapshotParts } from '../snapshot/decode.js'
import { SnapshotError } from '../snapshot/format.js'
import { decodeParts, readStamped, type StampedBytes } from '../snapshot/load.js'

export interface LoadOrder {
  file: string
  shared: boolean
}

/** `stamp` is undefined if the file could not be read. */
export type Loaded = { parts: SnapshotParts; stamp: string } | { refused: string; stamp: string | undefined }

const port = parentPort
if (port !== null) {
  const { file, shared } = workerData as LoadOrder
  let read: StampedBytes | undefined
  try {
    read = await readStamped(file, shared)
    const parts = decodeParts(read.bytes, file)
    const loaded = { parts, stamp: read.stamp } satisfies Loaded
    port.postMessage(loaded, shared ? [] : [parts.block.buffer as ArrayBuffer])
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    port.postMessage({ refused: error.message, stamp: read?.stamp } satisfies Loaded)
  }
}
