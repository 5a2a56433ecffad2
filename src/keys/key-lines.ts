/**
 * Reads a key file with one record per line, in slices. Lines stay bytes, because most of them are unchanged and never parsed.
 */
import { open } from 'node:fs/promises'
import { nextTurn, SLICE_WORK } from '../slices.js'

/** Maximum length of a line; a file with a longer line is read as a whole. */
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

/** Called with a record's line without its comma. Returns the amount of work done, or undefined if the line is not a record. */
export type OnLine = (chunk: Chunk, start: number, end: number) => number | undefined

/** Undefined if the file has another layout, possibly after some calls of `onLine`. Rejects if the file cannot be read. */
export async function readKeyLines(path: string, onLine: OnLine): Promise<{ linesInSliceMax: number } | undefined> {
  const handle = await open(path, 'r')
  try {
    const bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    const chunk = { bytes, view: new DataView(bytes.buffer) }
    const layout = layoutReader(chunk, (start, end) => onLine(chunk, start, end))
    let linesInSliceMax = 0
    let held = 0
    for (;;) {
      const { bytesRead } = await handle.read(bytes, held, bytes.length - held, null)
      // end of file, or a line longer than the chunk
      if (bytesRead === 0) return held === 0 && layout.isWhole() ? { linesInSliceMax } : undefined
      const filled = bytes.subarray(0, held + bytesRead)
      let start = 0
      let work = 0
      let lines = 0
      for (let end = filled.indexOf(NEWLINE); end >= 0; end = filled.indexOf(NEWLINE, start)) {
        const done = layout.line(start, end)
        if (done === undefined) return undefined
        start = end + 1
        work += done
        linesInSliceMax = Math.max(linesInSliceMax, ++lines)
        if (work < SLICE_WORK) continue
        await nextTurn()
        work = 0
        lines = 0
      }
      bytes.copyWithin(0, start, filled.length)
      held = filled.length - start
    }
  } finally {
    await handle.close()
  }
}

/**
 * Follows the layout line by line. `line` returns the amount of work done for a line, or undefined if the file has another
 * layout.
 */
function layoutReader({ bytes }: Chunk, onRecord: (start: number, end: number) => number | undefined) {
  let expected: 'head' | 'first record' | 'record' | 'tail' | 'nothing' = 'head'
  const line = (start: number, end: number): number | undefined => {
    const mayBeRecord = expected === 'first record' || expected === 'record'
    if (mayBeRecord && bytes[start] === OPENING) {
      const isLast = bytes[end - 1] !== COMMA
      const last = isLast ? end : end - 1
      if (bytes[last - 1] !== CLOSING) return undefined
      expected = isLast ? 'tail' : 'record'
      return onRecord(start, last)
    }
    const text = end - start <= HEAD_LINE.length ? bytes.toString('latin1', start, end) : ''
    const mayEnd = expected === 'first record' || expected === 'tail'
    if (expected === 'head' && text === HEAD_LINE) expected = 'first record'
    else if (mayEnd && text === TAIL_LINE) expected = 'nothing'
    else return undefined
    return 1
  }
  return { line, isWhole: () => expected === 'nothing' }
}
