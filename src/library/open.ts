import { Catalog } from '../catalog/catalog.js'
import { assemble, type SnapshotParts } from '../snapshot/decode.js'
import { SnapshotError } from '../snapshot/format.js'
import { CatalogError } from './catalog-error.js'
import { MemoryCatalog } from './memory-catalog.js'
import type { HsCatalog } from './values.js'

/** What a snapshot is called that came as bytes. */
export const HANDED_IN = 'the snapshot handed in'

export interface ReadSnapshot {
  parts: SnapshotParts
  /** Its file; null for bytes. */
  source: string | null
}

/** A snapshot that cannot be had or believed is an error of the library's own kind. */
export async function openParts(read: () => Promise<ReadSnapshot>): Promise<HsCatalog> {
  try {
    const { parts, source } = await read()
    return new MemoryCatalog(new Catalog(assemble(parts)), source)
  } catch (error) {
    if (error instanceof SnapshotError) throw new CatalogError('db_unavailable', error.message)
    throw error
  }
}
