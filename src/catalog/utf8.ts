import { isShared } from '../snapshot/columns.js'

const DECODER = new TextDecoder()

/** The text of UTF-8 bytes. A browser's decoder refuses memory that threads share: of that it gets a copy. */
export function utf8Text(bytes: Uint8Array): string {
  return DECODER.decode(isShared(bytes) ? bytes.slice() : bytes)
}
