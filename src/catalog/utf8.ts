import { isShared } from '../snapshot/columns.js'

const DECODER = new TextDecoder()

/** Browsers' decoders reject shared memory, so it is copied first. */
export function utf8Text(bytes: Uint8Array): string {
  return DECODER.decode(isShared(bytes) ? bytes.slice() : bytes)
}
