import { Catalog } from '../catalog/catalog.js'
import { assemble, type SnapshotParts } from '../snapshot/decode.js'
import { SnapshotError } from '../snapshot/format.js'
import { CatalogError } from './catalog-error.js'
import { MemoryCatalog } from './memory-catalog.js'
import type { HsCatalog } from './values.js'

/** Name of a snapshot passed as bytes, in error messages. */
export const BYTES_NAME = 'the snapshot handed in'

export interface ReadSnapshot {
  parts: SnapshotParts
  /** Null for bytes. */
  source: string | null
}

/** Turns snapshot errors into the library's own. */
export async function openParts(read: () => Promise<ReadSnapshot>): Promise<HsCatalog> {
  try {
    const { parts, source } = await read()
    return new MemoryCatalog(new Catalog(assemble(parts)), source)
  } catch (error) {
    if (error instanceof SnapshotError) throw new CatalogError('db_unavailable', error.message)
    throw error
  }
}
