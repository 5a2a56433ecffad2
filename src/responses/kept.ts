/** Answers that lie ready. */
import type { Head } from './head.js'

/** A whole body that was sent before. Only its timestamp goes stale. */
export interface KeptBody {
  buffer: ArrayBuffer
  bytes: Uint8Array
  /** The second that its timestamp shows. */
  second: number
}

export interface KeptRefusal {
  head: Head
  body: KeptBody
}
