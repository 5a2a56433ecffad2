import { createReadStream, type ReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CsvError, type Options, Parser } from 'csv-parse'
import { OperatorError } from '../errors.js'

/** A row and the number of its first line in the file. */
export interface TableRow {
  line: number
  cells: string[]
}

/** Maximum length of a row, exceeded if a quote is never closed; real rows are far shorter. */
const ROW_BYTES_MAX = 1_048_576
const LINE_FEED = 0x0a

/** Finds the first line that is not UTF-8. Decodes line by line, which is slower than by chunks. */
async function findDefect(file: string): Promise<number> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>)
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(LINE_FEED, start) + 1 || chunk.length
      try {
        decoder.decode(chunk.subarray(start, end), { stream: true })
      } catch {
        return line
      }
      if (chunk[end - 1] === LINE_FEED) line++
      start = end
    }
  return line
}

/** Called with the number of bytes read so far; awaited between chunks, for backpressure. */
type OnChunk = (bytes: number) => Promise<void> | void

/** Passes on the bytes of a file; fails at the first line that is not UTF-8. */
export async function* validUtf8(file: string, input: ReadStream, onChunk: OnChunk): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const check = async (chunk?: Buffer) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new OperatorError(`${file}:${await findDefect(file)}: the file is not valid UTF-8; save it as UTF-8`)
    }
  }
  for await (const chunk of input) {
    await check(chunk)
    yield chunk
    await onChunk(input.bytesRead)
  }
  await check()
}

export interface CsvReading {
  separator?: string
  /** If true, blank lines are reported as rows of one empty cell. */
  blankLines?: boolean
  /** Number of bytes read at a time; 64 KiB by default. */
  chunkBytes?: number | undefined
  onChunk?: OnChunk
}

/** Takes rows directly from the parser. `on_record` would build an info object per row, a fifth of the parsing time. */
class RowParser extends Parser {
  #firstLine = 1
  #blank = 0

  constructor(
    options: Options,
    private readonly onRow: (row: TableRow) => void,
  ) {
    super(options)
    this.resume()
  }

  get line(): number {
    return this.#firstLine + this.info.empty_lines - this.#blank
  }

  override push(cells: string[] | null): boolean {
    if (cells === null) return super.push(null)
    if (this.destroyed) return false
    const { line } = this
    this.#firstLine = this.info.lines + 1
    this.#blank = this.info.empty_lines
    try {
      this.onRow({ line, cells })
    } catch (error) {
      this.destroy(error as Error)
    }
    return true
  }
}

/** Calls `each` for every row. `pipeline` closes all streams if one of them, or `each`, fails. */
export async function readCsv(
  file: string,
  each: (row: TableRow) => void,
  { separator = ',', blankLines = false, chunkBytes, onChunk = () => {} }: CsvReading = {},
): Promise<void> {
  const input = createReadStream(file, chunkBytes === undefined ? {} : { highWaterMark: chunkBytes })
  const parser = new RowParser(
    {
      bom: true,
      delimiter: separator,
      relax_column_count: true,
      skip_empty_lines: !blankLines,
      max_record_size: ROW_BYTES_MAX,
    },
    each,
  )
  try {
    await pipeline(input, () => validUtf8(file, input, onChunk), parser)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const { message } = error as Error
    if (!(error instanceof CsvError)) throw new OperatorError(`${file}: ${message}`)
    throw new OperatorError(`${file}:${parser.line}: the row that begins here is not valid CSV: ${message}`)
  }
}
