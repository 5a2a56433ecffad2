/** Entry point of the library in Node. */
import { optionsOf, wrong } from './library/asked.js'
import { BYTES_NAME, openParts } from './library/open.js'
import { OPEN } from './library/option-names.js'
import type { HsCatalog, OpenOptions } from './library/values.js'
import { decodeParts, loadParts } from './snapshot/load.js'
import { shippedSnapshot } from './snapshot-in-use.js'

export * from './library/catalog-error.js'
export type * from './library/values.js'

/**
 * Opens a file, bytes, or by default the one that HSAPI_SNAPSHOT names, else the shipped one: a snapshot that another program has
 * left in the user's data directory must not change this one's answers.
 */
export async function openCatalog(options?: OpenOptions): Promise<HsCatalog> {
  const { snapshot } = optionsOf(options, OPEN)
  if (snapshot instanceof Uint8Array) return openParts(async () => ({ parts: decodeParts(snapshot, BYTES_NAME), source: null }))
  if (snapshot === undefined || typeof snapshot === 'string')
    return openParts(async () => {
      // an empty variable counts as unset: it must not stop another program
      const source = snapshot ?? (process.env.HSAPI_SNAPSHOT || shippedSnapshot())
      return { parts: await loadParts(source), source }
    })
  throw wrong('snapshot', 'must be the path of a file, or the bytes of one as a Uint8Array')
}
