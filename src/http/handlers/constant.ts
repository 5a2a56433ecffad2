import { bytes } from '../../engines/bytes.js'
import type { HttpRequest } from '../../engines/engine.js'
import type { CachedBody } from '../../responses/cached.js'
import type { Responder } from '../../responses/respond.js'
import { ENVELOPE_BYTES } from '../record-list.js'

/** One response, the same as long as its catalog is served. */
export class ConstantHandler {
  readonly #data: Uint8Array
  #cached: CachedBody | undefined

  constructor(json: string) {
    this.#data = bytes(json)
  }

  handle(_req: HttpRequest, out: Responder): void {
    if (this.#cached === undefined) {
      out.reserve(this.#data.length + ENVELOPE_BYTES)
      this.#cached = out.cache(this.#data)
    }
    out.endCached(this.#cached)
  }
}
