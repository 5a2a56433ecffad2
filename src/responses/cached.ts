import type { Head } from './head.js'

/** A complete body; only its timestamp needs renewing. */
export interface CachedBody {
  buffer: ArrayBuffer
  bytes: Uint8Array
  /** The second of its timestamp. */
  second: number
}

export interface CachedRefusal {
  head: Head
  body: CachedBody
}
