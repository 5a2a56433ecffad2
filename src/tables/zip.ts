/** Unpacks a ZIP file up to a bound. Counts bytes instead of trusting headers. */
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Unzip, UnzipInflate, zipSync } from 'fflate'

export interface Part {
  name: string
  bytes: Buffer
}

/** The end-of-central-directory record, and the offset of its count of entries. */
const END = Buffer.from('PK\x05\x06')
const END_BYTES = 22
const PARTS_AT = 10
const COMMENT_BYTES_MAX = 0xffff
/** This count means that the file is in ZIP64 format, which stores the real count elsewhere. */
const ZIP64_COUNT = 0xffff

/** Reads the number of parts; undefined if the end record is missing. */
async function partCount(handle: FileHandle): Promise<number | undefined> {
  const { size } = await handle.stat()
  const tail = Buffer.alloc(Math.min(size, END_BYTES + COMMENT_BYTES_MAX))
  await handle.read(tail, 0, tail.length, size - tail.length)
  const end = tail.lastIndexOf(END)
  return end < 0 || end + END_BYTES > tail.length ? undefined : tail.readUInt16LE(end + PARTS_AT)
}

/** Unpacks the wanted parts; undefined if they exceed `bytesMax`. */
export async function unpack(file: string, isWanted: (name: string) => boolean, bytesMax: number): Promise<Part[] | undefined> {
  const parts: Part[] = []
  let bytesLeft = bytesMax
  let started = 0
  let unfinished = 0
  const unzip = new Unzip(part => {
    started++
    if (!isWanted(part.name)) return
    const chunks: Uint8Array[] = []
    unfinished++
    part.ondata = (error, chunk, isLast) => {
      if (error !== null) throw new Error(`${part.name} is damaged or encrypted`)
      chunks.push(chunk)
      bytesLeft -= chunk.length
      if (!isLast) return
      unfinished--
      parts.push({ name: part.name, bytes: Buffer.concat(chunks) })
    }
    part.start()
  })
  unzip.register(UnzipInflate)
  const handle = await open(file, 'r')
  const count = await partCount(handle).finally(() => handle.close())
  for await (const chunk of createReadStream(file)) {
    unzip.push(chunk)
    if (bytesLeft < 0) return undefined
  }
  unzip.push(new Uint8Array(0), true)
  // a file cut between two parts would silently lose cells
  if (unfinished > 0 || (count !== started && count !== ZIP64_COUNT)) throw new Error('the archive is cut off or damaged')
  return parts
}

/** Makes an uncompressed archive of the parts. */
export function storedArchive(parts: readonly Part[]): Uint8Array {
  return zipSync(Object.fromEntries(parts.map(({ name, bytes }) => [name, bytes])), { level: 0 })
}
