/** Entry point of the library in Node. */
import { optionsOf, parameterError } from './library/check-arguments.js'
import { BYTES_NAME, openParts } from './library/open.js'
import { OPEN } from './library/option-names.js'
import type { HsCatalog, OpenOptions } from './library/values.js'
import { decodeParts, loadParts } from './snapshot/load.js'
import { shippedSnapshot } from './snapshot-in-use.js'

export * from './library/catalog-error.js'
export type * from './library/values.js'

/**
 * Opens a file or bytes; by default the file in HSAPI_SNAPSHOT, otherwise the shipped snapshot. The user's data directory is
 * not searched, because another program may have written a snapshot with other answers there.
 */
export async function openCatalog(options?: OpenOptions): Promise<HsCatalog> {
  const { snapshot } = optionsOf(options, OPEN)
  if (snapshot instanceof Uint8Array) return openParts(async () => ({ parts: decodeParts(snapshot, BYTES_NAME), source: null }))
  if (snapshot === undefined || typeof snapshot === 'string')
    return openParts(async () => {
      // an empty variable counts as unset, so that it does not stop a program that uses the library
      const source = snapshot ?? (process.env.HSAPI_SNAPSHOT || shippedSnapshot())
      return { parts: await loadParts(source), source }
    })
  throw parameterError('snapshot', 'must be the path of a file, or the bytes of one as a Uint8Array')
}
