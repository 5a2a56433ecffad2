/** Entry point without Node, for browsers and edge runtimes. */
import { isShared } from '../snapshot/columns.js'
import { readHeader, unseal } from '../snapshot/decode.js'
import { CatalogError } from './catalog-error.js'
import { optionsOf, parameterError } from './check-arguments.js'
import { BYTES_NAME, openParts } from './open.js'
import { OPEN } from './option-names.js'
import type { HsCatalog, OpenOptions } from './values.js'

export * from './catalog-error.js'
export type * from './values.js'

interface Digester {
  digest(algorithm: 'SHA-256', bytes: Uint8Array): Promise<ArrayBuffer>
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  const subtle = (globalThis as { crypto?: { subtle?: Digester } }).crypto?.subtle
  if (subtle === undefined)
    throw new CatalogError(
      'db_unavailable',
      'The checksum of the snapshot cannot be verified without crypto.subtle, which web pages have only over HTTPS and on localhost.',
    )
  return new Uint8Array(await subtle.digest('SHA-256', isShared(bytes) ? bytes.slice() : bytes))
}

/** Opens a catalog from the bytes of a snapshot, because this entry point cannot read files. */
export async function openCatalog(options?: OpenOptions): Promise<HsCatalog> {
  const { snapshot } = optionsOf(options, OPEN)
  if (!(snapshot instanceof Uint8Array))
    throw parameterError('snapshot', 'must be a Uint8Array with the bytes of a snapshot: this entry point cannot read files')
  return openParts(async () => {
    const sealed = readHeader(snapshot, BYTES_NAME)
    const digest = await sha256(sealed.body)
    return {
      parts: unseal(
        sealed,
        digest.every((byte, i) => byte === sealed.sha256[i]),
      ),
      source: null,
    }
  })
}
