/** The library: everything that the server knows, in a process of your own. */
import { optionsOf, wrong } from './library/asked.js'
import { HANDED_IN, openParts } from './library/open.js'
import type { HsCatalog, OpenOptions } from './library/values.js'
import { shippedSnapshot } from './package-root.js'
import { decodeParts, loadParts } from './snapshot/load.js'

export * from './library/catalog-error.js'
export type * from './library/values.js'

/** A catalog from the snapshot that comes with the package, from a file, or from bytes. */
export async function openCatalog(options?: OpenOptions): Promise<HsCatalog> {
  const { snapshot = shippedSnapshot() } = optionsOf(options)
  if (typeof snapshot === 'string') return openParts(() => loadParts(snapshot, false))
  if (snapshot instanceof Uint8Array) return openParts(async () => decodeParts(snapshot, HANDED_IN))
  throw wrong('snapshot', 'must be the path of a file, or the bytes of one as a Uint8Array')
}
