import type { OpenRoute } from '../../src/http/routes.js'
import { Head, type HeadOptions } from '../../src/responses/head.js'

/** Returns a route that always answers with the same body. */
export const asset = (path: string, body: Uint8Array, options: Omit<HeadOptions, 'status'> = {}): OpenRoute => ({
  kind: 'open',
  path,
  prepare: () => {
    const document = { head: new Head({ ...options, status: '200 OK' }), body }
    return (_ready, out) => out.endAsset(document)
  },
})
