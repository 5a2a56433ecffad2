import { Catalog } from '../catalog/catalog.js'
import { assemble, type SnapshotParts } from '../snapshot/decode.js'
import { SnapshotError } from '../snapshot/format.js'
import { CatalogError } from './catalog-error.js'
import { MemoryCatalog } from './memory-catalog.js'
import type { HsCatalog } from './values.js'

/** Name of a snapshot passed as bytes, in error messages. */
export const BYTES_NAME = 'the snapshot passed as bytes'

/** Creates a catalog from what `read` returns. Errors in the snapshot become `CatalogError`s. `source` is null for bytes. */
export async function openParts(read: () => Promise<{ parts: SnapshotParts; source: string | null }>): Promise<HsCatalog> {
  try {
    const { parts, source } = await read()
    return new MemoryCatalog(new Catalog(assemble(parts)), source)
  } catch (error) {
    if (error instanceof SnapshotError) throw new CatalogError('db_unavailable', error.message)
    throw error
  }
}
