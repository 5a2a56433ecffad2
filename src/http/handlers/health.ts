import { bytes } from '../../engines/bytes.js'
import type { CachedBody } from '../../responses/head.js'
import type { Responder } from '../../responses/respond.js'
import { API_VERSION } from '../../version.js'

const data = (status: string, ready: boolean): Uint8Array =>
  bytes(`{"status":"${status}","service":"hsapi","foundation_schema_ready":${ready},"api_version":"${API_VERSION}"}`)

const OK = data('ok', true)
const STARTING = data('starting', false)

export class HealthHandler {
  #cachedOk: CachedBody | undefined

  handle(ready: boolean, out: Responder): void {
    if (!ready) return out.openData().put(STARTING).endRecord()
    this.#cachedOk ??= out.cache(OK)
    out.endCached(this.#cachedOk)
  }
}
