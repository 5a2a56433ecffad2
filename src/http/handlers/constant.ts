import { bytes } from '../../engines/bytes.js'
import type { HttpRequest } from '../../engines/engine.js'
import type { KeptBody } from '../../responses/kept.js'
import type { Responder } from '../../responses/respond.js'

/** Envelope and meta, generously. */
const ENVELOPE_BYTES = 512

/** One answer, the same as long as its catalog is served. */
export class ConstantHandler {
  readonly #data: Uint8Array
  #kept: KeptBody | undefined

  /** `data`: JSON. */
  constructor(data: string) {
    this.#data = bytes(data)
  }

  handle(_req: HttpRequest, out: Responder): void {
    if (this.#kept === undefined) {
      out.reserve(this.#data.length + ENVELOPE_BYTES)
      this.#kept = out.keep(this.#data)
    }
    out.endKept(this.#kept)
  }
}
