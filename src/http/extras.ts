/** The fields that `include` adds to a record. */
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
  /** By source; the first for an unknown one. */
  readonly #rateEndings: Uint8Array[]
  /** By subheading. */
  readonly #editions = new Map<number, Uint8Array>()
  readonly #noEditions: Uint8Array
  readonly #editionBytesMax: number
  readonly #rateBytesMax: number
  readonly #above: number[] = []
  /** Siblings share a path: the last parent, and a copy of its path once it repeats. */
  #lastParent = NO_RECORD
  #path: Uint8Array | undefined

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    const known = catalog.meta.rateSources.map(({ source, certainty }) => ({ source, certainty }))
    this.#rateEndings = [{ source: null, certainty: null }, ...known].map(origin => bytes(`",${JSON.stringify(origin).slice(1)}`))
    this.#noEditions = this.#renderEditions(() => [])
    this.#rateBytesMax = Math.max(...this.#rateEndings.map(({ length }) => length))
    this.#editionBytesMax = catalog.editions.codesMax * (SUBHEADING_DIGITS + 3) + this.#noEditions.length
  }

  bytesMax(include: Include): number {
    const path = include.path ? this.#catalog.depthMax * this.#catalog.meta.recordBytesMax : 0
    const editions = include.editions ? this.#editionBytesMax : 0
    return FIXED_BYTES + path + editions + (include.rate ? this.#rateBytesMax : 0)
  }

  /** After a record's last field, before its brace. */
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
    const isSibling = parent === this.#lastParent
    if (isSibling && this.#path !== undefined) return void out.put(this.#path)
    const from = out.length
    this.#writePath(out, record)
    this.#path = isSibling ? out.copyFrom(from) : undefined
    this.#lastParent = parent
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
    // an object would sort the years ascending
    const lists = this.#catalog.editions.years.map(year => `"${year}":${JSON.stringify(codesOf(year))}`)
    return bytes(`,"editions":{${lists.join()}}`)
  }
}
