/** The parts of a ZIP file, found by its central directory and unpacked no further than a bound. */
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

export interface Part {
  name: string
  bytes: Buffer
}

/** Where a part stands in the file, as the central directory tells it. */
export interface Listed {
  name: string
  flags: number
  method: number
  packedBytes: number
  bytes: number
  offset: number
}

const END = 0x06054b50
const END_BYTES = 22
const COMMENT_BYTES_MAX = 0xffff
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const LOCATOR_64_BYTES = 20
const DIRECTORY_ENTRY = 0x02014b50
const DIRECTORY_ENTRY_BYTES = 46
const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const EXTRA_64 = 0x0001
/** A field of 32 bits that says: the number stands in the 64-bit part. */
const ELSEWHERE = 0xffffffff
/** Some 100,000 parts; a workbook has a dozen. */
const DIRECTORY_BYTES_MAX = 8_000_000
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1

const inflate = promisify(inflateRaw)

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled)
    if (bytesRead === 0) throw new Error('the archive is cut off')
    filled += bytesRead
  }
  return bytes
}

/** The directory's position and length stand at the end of the file, before a comment. */
async function readDirectory(handle: FileHandle, size: number): Promise<Buffer> {
  const tailBytes = Math.min(size, END_BYTES + COMMENT_BYTES_MAX + LOCATOR_64_BYTES)
  const tail = await readAt(handle, size - tailBytes, tailBytes)
  let end = tail.length - END_BYTES
  while (end >= 0 && tail.readUInt32LE(end) !== END) end--
  if (end < 0) throw new Error('the archive is cut off: it has no directory')
  let length = tail.readUInt32LE(end + 12)
  let offset = tail.readUInt32LE(end + 16)
  const locator = end - LOCATOR_64_BYTES
  if (locator >= 0 && tail.readUInt32LE(locator) === LOCATOR_64) {
    const end64 = await readAt(handle, Number(tail.readBigUInt64LE(locator + 8)), 56)
    if (end64.readUInt32LE(0) !== END_64) throw new Error('the archive has a damaged directory')
    length = Number(end64.readBigUInt64LE(40))
    offset = Number(end64.readBigUInt64LE(48))
  }
  if (length > DIRECTORY_BYTES_MAX || offset + length > size)
    throw new Error('the archive has a damaged directory')
  return readAt(handle, offset, length)
}

/** Sizes that do not fit 32 bits, or that the writer did not know in advance, stand in an extra field. */
function readSizes64(listed: Listed, extra: Buffer): void {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== EXTRA_64) continue
    let next = at + 4
    for (const name of ['bytes', 'packedBytes', 'offset'] as const) {
      if (listed[name] !== ELSEWHERE || next + 8 > extra.length) continue
      listed[name] = Number(extra.readBigUInt64LE(next))
      next += 8
    }
  }
}

export async function listParts(handle: FileHandle, size: number): Promise<Listed[]> {
  const directory = await readDirectory(handle, size)
  const parts: Listed[] = []
  for (let at = 0; at + DIRECTORY_ENTRY_BYTES <= directory.length; ) {
    if (directory.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('the archive has a damaged directory')
    const nameEnd = at + DIRECTORY_ENTRY_BYTES + directory.readUInt16LE(at + 28)
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30)
    const listed: Listed = {
      name: directory.toString('utf8', at + DIRECTORY_ENTRY_BYTES, nameEnd),
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      packedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    }
    readSizes64(listed, directory.subarray(nameEnd, extraEnd))
    parts.push(listed)
    at = extraEnd + directory.readUInt16LE(at + 32)
  }
  return parts
}

/** Unpacks to the length that the directory tells and not a byte more: what was promised is what memory it takes. */
export async function unpackPart(handle: FileHandle, size: number, listed: Listed): Promise<Part> {
  const { name, flags, method, packedBytes, bytes, offset } = listed
  if ((flags & ENCRYPTED) !== 0) throw new Error(`${name} is encrypted`)
  if (method !== STORED && method !== DEFLATED) throw new Error(`${name} is packed in an unknown way`)
  const local = await readAt(handle, offset, LOCAL_BYTES)
  const start = offset + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28)
  if (local.readUInt32LE(0) !== LOCAL || start + packedBytes > size) throw new Error(`${name} is damaged`)
  const packed = await readAt(handle, start, packedBytes)
  let unpacked: Buffer
  try {
    unpacked = method === STORED ? packed : await inflate(packed, { maxOutputLength: Math.max(bytes, 1) })
  } catch {
    throw new Error(`${name} is damaged, or longer than it says`)
  }
  if (unpacked.length !== bytes) throw new Error(`${name} is not as long as it says`)
  return { name, bytes: unpacked }
}

/** The same parts as an archive again, unpacked, for a reader that wants one. */
export function* storedArchive(parts: Part[]): Generator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of parts) {
    const path = Buffer.from(name)
    const entry = Buffer.alloc(DIRECTORY_ENTRY_BYTES)
    entry.writeUInt32LE(DIRECTORY_ENTRY, 0)
    entry.writeUInt32LE(bytes.length, 20)
    entry.writeUInt32LE(bytes.length, 24)
    entry.writeUInt16LE(path.length, 28)
    entry.writeUInt32LE(offset, 42)
    directory.push(entry, path)
    const local = Buffer.alloc(LOCAL_BYTES)
    local.writeUInt32LE(LOCAL, 0)
    // the fields from flags to name length are the directory's, two bytes earlier
    entry.copy(local, 6, 8, 30)
    yield Buffer.concat([local, path])
    if (bytes.length > 0) yield bytes
    offset += LOCAL_BYTES + path.length + bytes.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  yield Buffer.concat([listing, end])
}
