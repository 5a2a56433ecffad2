/** Refuses unknown options and fields: a misspelt one would be ignored, and the answer would be wrong without notice. */
import type { ShipmentItem } from '../answers/shapes.js'
import { findUnknownName } from '../unknown-name.js'
import { HsapiError } from './error.js'
import type { CallOptions, ClientOptions } from './transport.js'

const CLIENT: Record<keyof ClientOptions, true> = {
  url: true,
  key: true,
  timeoutMs: true,
  retries: true,
  waitMsMax: true,
  cacheCharacters: true,
  answerBytesMax: true,
  concurrency: true,
  batch: true,
  fetch: true,
  sleep: true,
}
const CALL: Record<keyof CallOptions, true> = { signal: true }
const INVOICE_ITEM: Record<keyof ShipmentItem, true> = {
  hs_code: true,
  value: true,
  origin: true,
  freight: true,
  insurance: true,
  quantity: true,
  unit: true,
  sugar: true,
}
export const CLIENT_NAMES = Object.keys(CLIENT)
const CALL_NAMES = Object.keys(CALL)
const INVOICE_ITEM_NAMES = Object.keys(INVOICE_ITEM)

/** `taken` are the options that the method uses, `rest` all others. */
export function refuseUnknownOptions(rest: object, taken: object): void {
  refuseUnknown(rest, [...Object.keys(taken), ...CALL_NAMES])
}

export function refuseUnknownFields(items: readonly unknown[]): void {
  for (const [i, item] of items.entries())
    if (typeof item === 'object' && item !== null) refuseUnknown(item, INVOICE_ITEM_NAMES, `items[${i}].`)
}

function refuseUnknown(sent: object, known: readonly string[], prefix?: string): void {
  const unknown = findUnknownName(sent, known, prefix)
  if (unknown !== undefined) throw new HsapiError({ code: 'invalid_parameter', ...unknown })
}
