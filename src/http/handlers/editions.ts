import type { Catalog } from '../../catalog/catalog.js'
import { bytes } from '../../engines/bytes.js'
import type { HttpRequest } from '../../engines/engine.js'
import { decodePathCode, readPathCode } from '../../engines/request.js'
import { type Correlation, edition } from '../../questions/editions.js'
import { Refusal } from '../../questions/refusal.js'
import { CLOSE_BRACE } from '../../responses/body-writer.js'
import type { Responder } from '../../responses/respond.js'
import { RecordList } from '../record-list.js'

const EDITION = bytes('{"edition":"')
const CODE = bytes('","code":"')
const RELATION = bytes('","relation":"')
const TARGETS = bytes('","targets":')

export class EditionsHandler {
  readonly #catalog: Catalog
  readonly #list: RecordList

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#list = new RecordList(catalog)
  }

  handle(req: HttpRequest, out: Responder): void {
    const year = decodePathCode(readPathCode(req, 0))
    const code = decodePathCode(readPathCode(req, 1))
    const answer = edition(this.#catalog, year, code)
    if (answer instanceof Refusal) out.refuse(answer)
    else this.#write(out, year, code, answer)
  }

  #write(out: Responder, year: string, code: string, { relation, targets }: Correlation): void {
    this.#list.reserve(out, undefined, targets.length)
    out.openData().put(EDITION).ascii(year).put(CODE).ascii(code).put(RELATION).ascii(relation).put(TARGETS)
    this.#list.put(out, targets)
    out.byte(CLOSE_BRACE).endRecord()
  }
}
