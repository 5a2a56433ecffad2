import { API_VERSION, bytes, type Responder } from '../respond.js'

const body = (status: string, ready: boolean): Uint8Array =>
  bytes(
    `{"status":"${status}","service":"hsapi","foundation_schema_ready":${ready},"api_version":"${API_VERSION}"}`,
  )

const OK = body('ok', true)
const STARTING = body('starting', false)

export function health(ready: boolean, out: Responder): void {
  out
    .openData()
    .put(ready ? OK : STARTING)
    .endRecord()
}
