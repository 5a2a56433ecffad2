/**
 * A key file with one record a line, read slice by slice: between two slices requests are answered. Lines are handed on as
 * bytes, since most of them are known already and never become text. The layout is plain JSON all the same.
 */
import { open } from 'node:fs/promises'
import { SLICE_WORK, turn } from '../slices.js'

/** Also the longest line there may be; a file with a longer one is read whole. */
const CHUNK_BYTES = 1024 * 1024
const NEWLINE = 0x0a
const COMMA = 0x2c
const OPENING = 0x7b
const CLOSING = 0x7d

/** What stands before and after the records; they are separated by a comma at the end of a line. */
export const HEAD_LINE = '{"version":1,"keys":['
export const TAIL_LINE = ']}'

export interface Chunk {
  readonly bytes: Buffer
  readonly view: DataView
}

/** How much was read, and how evenly. */
export interface Slices {
  lines: number
  slices: number
  linesInSliceMax: number
}

/** Is given a record's line, its comma left out, and says how much work it was; undefined if it is no record's line. */
export type OnLine = (chunk: Chunk, start: number, end: number) => number | undefined

/** Undefined where the file has another layout; lines may have been told by then. Rejects where it cannot be read. */
export async function readKeyLines(path: string, onLine: OnLine): Promise<Slices | undefined> {
  const handle = await open(path, 'r')
  try {
    const layout = new Layout(onLine)
    const { bytes } = layout.chunk
    let held = 0
    for (;;) {
      const { bytesRead } = await handle.read(bytes, held, bytes.length - held, null)
      // a last line without an end, or one that is longer than the chunk
      if (bytesRead === 0) return held === 0 && layout.isWhole ? layout.slices : undefined
      const end = held + bytesRead
      let start = 0
      while (start < end) {
        const next = layout.slice(start, end)
        if (next === undefined) return undefined
        // what is left is no whole line
        if (next === start) break
        start = next
        await turn()
      }
      bytes.copyWithin(0, start, end)
      held = end - start
    }
  } finally {
    await handle.close()
  }
}

/** What may come next. */
enum Expected {
  Head,
  FirstRecord,
  Record,
  Tail,
  Nothing,
}

class Layout {
  readonly chunk: Chunk
  readonly slices: Slices = { lines: 0, slices: 0, linesInSliceMax: 0 }
  readonly #onLine: OnLine
  #expected = Expected.Head

  constructor(onLine: OnLine) {
    this.#onLine = onLine
    const bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    this.chunk = { bytes, view: new DataView(bytes.buffer) }
  }

  get isWhole(): boolean {
    return this.#expected === Expected.Nothing
  }

  /** Takes lines until a slice's work is done: where the next one begins, or undefined if this is no such file. */
  slice(from: number, end: number): number | undefined {
    const bytes = this.chunk.bytes.subarray(0, end)
    let start = from
    let lines = 0
    for (let work = 0; work < SLICE_WORK; lines++) {
      const newline = bytes.indexOf(NEWLINE, start)
      if (newline < 0) break
      const done = this.#line(start, newline)
      if (done === undefined) return undefined
      work += done
      start = newline + 1
    }
    this.slices.lines += lines
    this.slices.slices++
    this.slices.linesInSliceMax = Math.max(this.slices.linesInSliceMax, lines)
    return start
  }

  #line(start: number, end: number): number | undefined {
    const { bytes } = this.chunk
    const mayBeRecord = this.#expected === Expected.FirstRecord || this.#expected === Expected.Record
    if (mayBeRecord && bytes[start] === OPENING) {
      const isLast = bytes[end - 1] !== COMMA
      const last = isLast ? end : end - 1
      if (bytes[last - 1] !== CLOSING) return undefined
      this.#expected = isLast ? Expected.Tail : Expected.Record
      return this.#onLine(this.chunk, start, last)
    }
    const text = end - start <= HEAD_LINE.length ? bytes.toString('latin1', start, end) : ''
    const mayEnd = this.#expected === Expected.FirstRecord || this.#expected === Expected.Tail
    if (this.#expected === Expected.Head && text === HEAD_LINE) this.#expected = Expected.FirstRecord
    else if (mayEnd && text === TAIL_LINE) this.#expected = Expected.Nothing
    else return undefined
    return 1
  }
}
