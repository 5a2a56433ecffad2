/** The library: everything that the server knows, in a process of your own. */
import { defaultDataDir } from './data-home.js'
import { optionsOf, wrong } from './library/asked.js'
import { BYTES_NAME, openParts } from './library/open.js'
import type { HsCatalog, OpenOptions } from './library/values.js'
import { decodeParts, loadParts } from './snapshot/load.js'
import { snapshotInUse } from './snapshot-in-use.js'

export * from './library/catalog-error.js'
export type * from './library/values.js'

/** As for commands; but a program of others is not stopped by a variable that is set and empty. */
function snapshotByDefault(): string {
  const { HSAPI_SNAPSHOT, HSAPI_DATA_DIR } = process.env
  const dataDir = HSAPI_DATA_DIR || defaultDataDir(process.env)
  return snapshotInUse({ snapshot: HSAPI_SNAPSHOT || undefined, dataDir }).file
}

/** A catalog from a file, from bytes, or from the snapshot that commands would use. */
export async function openCatalog(options?: OpenOptions): Promise<HsCatalog> {
  const { snapshot } = optionsOf(options)
  if (snapshot instanceof Uint8Array) return openParts(async () => ({ parts: decodeParts(snapshot, BYTES_NAME), source: null }))
  if (snapshot === undefined || typeof snapshot === 'string')
    return openParts(async () => {
      const source = snapshot ?? snapshotByDefault()
      return { parts: await loadParts(source, false), source }
    })
  throw wrong('snapshot', 'must be the path of a file, or the bytes of one as a Uint8Array')
}
