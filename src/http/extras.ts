/** What records tell beside their own fields where a caller asks for it: written behind them, in this order. */
import type { Catalog } from '../catalog/catalog.js'
import { SUBHEADING_DIGITS } from '../catalog/editions.js'
import { bytes } from '../engines/bytes.js'
import type { Include } from '../questions/include.js'
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA } from '../responses/body-writer.js'
import type { Responder } from '../responses/respond.js'

const PATH = bytes(',"path":[')
const RATE_FROM = bytes(',"rate":{"from":"')
const NO_RECORD = -1
/** `,"rate":{"from":"…"` and the brackets of a path. */
const FIXED_BYTES = 128

export class Extras {
  readonly #catalog: Catalog
  /** For each source, how a rate's answer ends; the first where none is told. */
  readonly #rateEndings: Uint8Array[]
  /** By subheading, made when first asked for. */
  readonly #editions = new Map<number, Uint8Array>()
  readonly #noEditions: Uint8Array
  readonly #editionBytesMax: number
  readonly #rateBytesMax: number
  /** The way up from a record, to be written downwards. */
  readonly #above: number[] = []
  /** Whose path was written last, and a copy of it once it is written again: siblings have the same. */
  #parentBefore = NO_RECORD
  #path: Uint8Array | undefined

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    const told = catalog.meta.rateSources.map(({ source, certainty }) => ({ source, certainty }))
    this.#rateEndings = [{ source: null, certainty: null }, ...told].map(origin => bytes(`",${JSON.stringify(origin).slice(1)}`))
    this.#noEditions = this.#renderEditions(() => [])
    this.#rateBytesMax = Math.max(...this.#rateEndings.map(({ length }) => length))
    this.#editionBytesMax = catalog.editions.codesMax * (SUBHEADING_DIGITS + 3) + this.#noEditions.length
  }

  /** What a record may grow by. */
  bytesMax(include: Include): number {
    const path = include.path ? this.#catalog.depthMax * this.#catalog.meta.recordBytesMax : 0
    const editions = include.editions ? this.#editionBytesMax : 0
    return FIXED_BYTES + path + editions + (include.rate ? this.#rateBytesMax : 0)
  }

  /** Behind a record's last field, before its brace. */
  put(out: Responder, record: number, { path, editions, rate }: Include): void {
    if (path) this.#putPath(out, record)
    if (editions) out.put(this.#editionsOf(record))
    if (rate) {
      const { rateDigits, rateSource } = this.#catalog
      out.put(RATE_FROM)
      this.#putCode(out, record, rateDigits[record])
      out.put(this.#rateEndings[rateSource[record]])
    }
  }

  #putCode(out: Responder, record: number, digits: number): void {
    const { records } = this.#catalog
    const start = records.codeStart(record)
    out.part(records.arena, start, start + digits)
  }

  #putPath(out: Responder, record: number): void {
    const parent = this.#catalog.parent[record]
    const isSibling = parent === this.#parentBefore
    if (isSibling && this.#path !== undefined) return void out.put(this.#path)
    const from = out.length
    this.#writePath(out, record)
    this.#path = isSibling ? out.written(from) : undefined
    this.#parentBefore = parent
  }

  #writePath(out: Responder, record: number): void {
    const { records } = this.#catalog
    const above = this.#catalog.above(record, this.#above)
    out.put(PATH)
    for (let i = above.length - 1; i >= 0; i--) {
      const at = above[i]
      out.put(records.headBytes(at)).byte(CLOSE_BRACE)
      if (i > 0) out.byte(COMMA)
    }
    out.byte(CLOSE_BRACKET)
  }

  /** Of a longer code those of its first six digits. */
  #editionsOf(record: number): Uint8Array {
    const at = this.#catalog.subheadingOf(record)
    if (at === NO_RECORD) return this.#noEditions
    let made = this.#editions.get(at)
    if (made === undefined) {
      made = this.#renderEditions(year => this.#catalog.earlierCodes(at, year))
      this.#editions.set(at, made)
    }
    return made
  }

  #renderEditions(codesOf: (year: string) => readonly string[]): Uint8Array {
    // not an object: its numbers would come ascending
    const lists = this.#catalog.editions.years.map(year => `"${year}":${JSON.stringify(codesOf(year))}`)
    return bytes(`,"editions":{${lists.join()}}`)
  }
}
