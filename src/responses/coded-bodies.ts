/**
 * Compressed bodies of responses that clients request repeatedly. The timestamp at the end of a body changes every second, so
 * the part before it is compressed once; the end follows uncompressed in the same gzip member, where it can be renewed.
 */
import { promisify } from 'node:util'
import { constants, deflateRaw, deflateRawSync } from 'node:zlib'
import { crc32 } from '../snapshot/crc32.js'
import { acceptsGzip } from './preferences.js'

/** Shorter bodies are not compressed, because they fit into one packet. */
export const CODED_BYTES_MIN = 1_024
/** Maximum size of the cache in each thread. */
const CACHED_BYTES_MAX = 8 * 1024 * 1024
const TARGET_CHARS_MAX = 512
/** Maximum number of targets that are remembered as requested once. */
const SEEN_MAX = 4_096
/** Maximum number of bodies compressed at the same time; others are sent uncompressed meanwhile. */
const UNDER_WAY_MAX = 4

/** Magic number, method, no flags, no time, unknown system. */
const GZIP_HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)
/** A stored block starts with its type and, twice, its length. */
const STORED_HEADER_BYTES = 5
const TRAILER_BYTES = 8
const LAST_STORED = 1

const deflate = promisify(deflateRaw)

export class CodedBody {
  readonly buffer: ArrayBuffer
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #tailAt: number
  readonly #crcBefore: number
  #second = -1

  constructor(before: Uint8Array, compressed: Uint8Array, tailBytes: number) {
    this.#tailAt = GZIP_HEADER.length + compressed.length + STORED_HEADER_BYTES
    this.#bytes = new Uint8Array(this.#tailAt + tailBytes + TRAILER_BYTES)
    this.buffer = this.#bytes.buffer as ArrayBuffer
    this.#view = new DataView(this.buffer)
    this.#bytes.set(GZIP_HEADER)
    this.#bytes.set(compressed, GZIP_HEADER.length)
    const stored = this.#tailAt - STORED_HEADER_BYTES
    this.#view.setUint8(stored, LAST_STORED)
    this.#view.setUint16(stored + 1, tailBytes, true)
    this.#view.setUint16(stored + 3, ~tailBytes & 0xffff, true)
    this.#crcBefore = crc32(before)
    this.#view.setUint32(this.#bytes.length - 4, before.length + tailBytes, true)
  }

  /** Compresses synchronously, which takes a millisecond for each 30 KB. */
  static compressNow(body: Uint8Array, tailBytes: number): CodedBody {
    const before = new Uint8Array(body.subarray(0, body.length - tailBytes))
    return new CodedBody(before, deflateRawSync(before, { finishFlush: constants.Z_SYNC_FLUSH }), tailBytes)
  }

  /** `second`: the time in the timestamp of `tail`, in whole seconds. */
  renew(tail: Uint8Array, second: number): this {
    if (second === this.#second) return this
    this.#second = second
    this.#bytes.set(tail, this.#tailAt)
    this.#view.setUint32(this.#bytes.length - TRAILER_BYTES, crc32(tail, this.#crcBefore), true)
    return this
  }
}

/**
 * Bodies by target: responses depend only on the dataset and the target. One instance serves GET and HEAD, so that their
 * answers agree.
 */
export class CodedBodies {
  /** Bodies by target, the oldest first. */
  readonly #bodies = new Map<string, CodedBody>()
  #bytes = 0
  readonly #seen = new Set<string>()
  readonly #underWay = new Set<string>()
  #generation = 0
  #header = ''
  #isAccepted = false

  /** Called when another dataset is served. */
  clear(): void {
    this.#bodies.clear()
    this.#seen.clear()
    this.#underWay.clear()
    this.#bytes = 0
    this.#generation++
  }

  /** Keeps the last result, because a client sends the same header with every request. */
  accepts(header: string): boolean {
    if (header === '') return false
    if (header !== this.#header) {
      this.#header = header
      this.#isAccepted = acceptsGzip(header)
    }
    return this.#isAccepted
  }

  /** Undefined if the body is not compressed yet. It is compressed in the background when its target is requested again. */
  find(target: string, body: Uint8Array, tailBytes: number): CodedBody | undefined {
    const cached = this.#bodies.get(target)
    if (cached !== undefined) return cached
    if (target.length > TARGET_CHARS_MAX) return undefined
    // the bytes are copied, because the next request overwrites them; `slice` of a Buffer would not copy
    if (this.#seen.has(target)) this.#start(target, new Uint8Array(body.subarray(0, body.length - tailBytes)), tailBytes)
    else {
      if (this.#seen.size === SEEN_MAX) this.#seen.clear()
      this.#seen.add(target)
    }
    return undefined
  }

  #start(target: string, before: Uint8Array, tailBytes: number): void {
    if (this.#underWay.has(target) || this.#underWay.size === UNDER_WAY_MAX) return
    const generation = this.#generation
    this.#underWay.add(target)
    deflate(before, { finishFlush: constants.Z_SYNC_FLUSH }).then(
      compressed => {
        if (generation !== this.#generation) return
        this.#underWay.delete(target)
        this.#seen.delete(target)
        this.#keep(target, new CodedBody(before, compressed, tailBytes))
      },
      // if compression fails for lack of memory, bodies are sent uncompressed
      () => this.#underWay.delete(target),
    )
  }

  #keep(target: string, body: CodedBody): void {
    this.#bodies.set(target, body)
    this.#bytes += body.buffer.byteLength
    for (const [oldest, { buffer }] of this.#bodies) {
      if (this.#bytes <= CACHED_BYTES_MAX) return
      this.#bodies.delete(oldest)
      this.#bytes -= buffer.byteLength
    }
  }
}
