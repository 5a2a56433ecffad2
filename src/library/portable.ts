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
      'The checksum of the snapshot cannot be verified: there is no crypto.subtle here; web pages have it over HTTPS and on localhost.',
    )
  return new Uint8Array(await subtle.digest('SHA-256', isShared(bytes) ? bytes.slice() : bytes))
}

/** Needs the snapshot's bytes: there are no files here. */
export async function openCatalog(options?: OpenOptions): Promise<HsCatalog> {
  const { snapshot } = optionsOf(options, OPEN)
  if (!(snapshot instanceof Uint8Array))
    throw parameterError('snapshot', 'must be the bytes of a snapshot, a Uint8Array: there are no files here')
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
