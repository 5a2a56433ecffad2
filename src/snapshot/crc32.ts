/** CRC-32 as in gzip. `before`: the CRC-32 of the preceding bytes. */
import * as zlib from 'node:zlib'

const POLYNOMIAL = 0xedb88320

/** For Node 20 before 20.15, which lacks zlib.crc32. */
export function crc32Plain(bytes: Uint8Array, before = 0): number {
  const table = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit++) n = n & 1 ? POLYNOMIAL ^ (n >>> 1) : n >>> 1
    return n
  })
  let crc = before ^ 0xffffffff
  for (let i = 0; i < bytes.length; i++) crc = table[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

const fastest: typeof crc32Plain = zlib.crc32 ?? crc32Plain

export function crc32(bytes: Uint8Array, before = 0): number {
  // zlib returns 0 for no bytes, regardless of `before`
  return bytes.length === 0 ? before : fastest(bytes, before)
}
