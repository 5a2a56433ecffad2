import { scopeNotesJson } from '../../answers/notes.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { HttpRequest } from '../../engines/engine.js'
import { decodeIfValid, readPathCode } from '../../engines/request.js'
import { notes } from '../../questions/notes.js'
import { Refusal } from '../../questions/refusal.js'
import type { Responder } from '../../responses/respond.js'

export class NotesHandler {
  constructor(private readonly catalog: Catalog) {}

  handle(req: HttpRequest, out: Responder): void {
    const scope = decodeIfValid(readPathCode(req))
    const found = notes(this.catalog, scope)
    if (found instanceof Refusal) return out.refuse(found)
    out
      .openData()
      .text(scopeNotesJson(this.catalog, scope, found))
      .endRecord()
  }
}
