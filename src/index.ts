/** Entry point of the library in Node. */
import { defaultDataDir } from './data-home.js'
import { optionsOf, wrong } from './library/asked.js'
import { BYTES_NAME, openParts } from './library/open.js'
import { OPEN } from './library/option-names.js'
import type { HsCatalog, OpenOptions } from './library/values.js'
import { decodeParts, loadParts } from './snapshot/load.js'
import { snapshotInUse } from './snapshot-in-use.js'

export * from './library/catalog-error.js'
export type * from './library/values.js'

/** As for commands, except that an empty variable counts as unset: it must not stop another program. */
function snapshotByDefault(): string {
  const { HSAPI_SNAPSHOT, HSAPI_DATA_DIR } = process.env
  const dataDir = HSAPI_DATA_DIR || defaultDataDir(process.env)
  return snapshotInUse({ snapshot: HSAPI_SNAPSHOT || undefined, dataDir }).file
}

/** Opens a file, bytes, or by default the snapshot that commands would use. */
export async function openCatalog(options?: OpenOptions): Promise<HsCatalog> {
  const { snapshot } = optionsOf(options, OPEN)
  if (snapshot instanceof Uint8Array) return openParts(async () => ({ parts: decodeParts(snapshot, BYTES_NAME), source: null }))
  if (snapshot === undefined || typeof snapshot === 'string')
    return openParts(async () => {
      const source = snapshot ?? snapshotByDefault()
      return { parts: await loadParts(source), source }
    })
  throw wrong('snapshot', 'must be the path of a file, or the bytes of one as a Uint8Array')
}
