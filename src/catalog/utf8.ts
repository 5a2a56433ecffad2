import { isShared } from '../snapshot/columns.js'

const DECODER = new TextDecoder()

/** Decodes UTF-8. Shared memory is copied first, because browsers do not decode it. */
export function utf8Text(bytes: Uint8Array): string {
  return DECODER.decode(isShared(bytes) ? bytes.slice() : bytes)
}
