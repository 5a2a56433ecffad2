import { nextCorrelationOf } from '../../answers/correlations.js'
import { recordJson } from '../../answers/records.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { HttpRequest } from '../../engines/engine.js'
import { decodeIfValid, readPathCode } from '../../engines/request.js'
import { edition } from '../../questions/editions.js'
import { Refusal } from '../../questions/refusal.js'
import type { Responder } from '../../responses/respond.js'

export class EditionsHandler {
  constructor(private readonly catalog: Catalog) {}

  handle(req: HttpRequest, out: Responder): void {
    const year = decodeIfValid(readPathCode(req, 0))
    const code = decodeIfValid(readPathCode(req, 1))
    const answer = edition(this.catalog, year, code)
    if (answer instanceof Refusal) return out.refuse(answer)
    if ('nextTargets' in answer)
      return out
        .openData()
        .text(JSON.stringify(nextCorrelationOf(year, code, answer)))
        .endRecord()
    const head = JSON.stringify({ edition: year, code, relation: answer.relation }).slice(0, -1)
    const targets = Array.from(answer.targets, target => recordJson(this.catalog, target))
    out.openData().text(`${head},"targets":[${targets.join()}]}`).endRecord()
  }
}
