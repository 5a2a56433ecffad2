/** Reads a key file with one record per line, in slices. Lines stay bytes, since most are unchanged and never parsed. */
import { open } from 'node:fs/promises'
import { SLICE_WORK, turn } from '../slices.js'

/** A file with a longer line is read whole. */
const CHUNK_BYTES = 1024 * 1024
const NEWLINE = 0x0a
const COMMA = 0x2c
const OPENING = 0x7b
const CLOSING = 0x7d

export const HEAD_LINE = '{"version":1,"keys":['
export const TAIL_LINE = ']}'

export interface Chunk {
  readonly bytes: Buffer
  readonly view: DataView
}

export interface Slices {
  lines: number
  slices: number
  linesInSliceMax: number
}

/** Gets a record's line without its comma, and returns the work that it took; undefined if it is not a record. */
export type OnLine = (chunk: Chunk, start: number, end: number) => number | undefined

/** Undefined if the file has another layout, possibly after some calls of `onLine`. Rejects if it cannot be read. */
export async function readKeyLines(path: string, onLine: OnLine): Promise<Slices | undefined> {
  const handle = await open(path, 'r')
  try {
    const layout = new Layout(onLine)
    const { bytes } = layout.chunk
    let held = 0
    for (;;) {
      const { bytesRead } = await handle.read(bytes, held, bytes.length - held, null)
      // end of file, or a line longer than the chunk
      if (bytesRead === 0) return held === 0 && layout.isWhole ? layout.slices : undefined
      const end = held + bytesRead
      let start = 0
      while (start < end) {
        const next = layout.slice(start, end)
        if (next === undefined) return undefined
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

  /** Returns where the next slice begins, or undefined if the layout is another. */
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
