/** Encodes and decodes snapshots in memory. */
import { assemble, type Snapshot } from '../../src/snapshot/decode.js'
import type { CompiledDocument } from '../../src/snapshot/format.js'
import { decodeParts } from '../../src/snapshot/load.js'
import { snapshotPieces } from '../../src/snapshot/write.js'

export function encodeSnapshot(document: CompiledDocument, datasetDigest: Uint8Array): Buffer {
  return Buffer.concat(snapshotPieces(document, datasetDigest))
}

export function decodeSnapshot(bytes: Uint8Array, name: string): Snapshot {
  return assemble(decodeParts(bytes, name))
}
