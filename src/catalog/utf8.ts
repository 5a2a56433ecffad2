import { isShared } from '../snapshot/columns.js'

const DECODER = new TextDecoder()

/** Copies shared memory first, because browsers' decoders reject it. */
export function utf8Text(bytes: Uint8Array): string {
  return DECODER.decode(isShared(bytes) ? bytes.slice() : bytes)
}
