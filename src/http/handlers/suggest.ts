import type { Catalog } from '../../catalog/catalog.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { Refusal } from '../../questions/refusal.js'
import { suggest } from '../../questions/suggest.js'
import type { Responder } from '../../responses/respond.js'
import { Query } from '../query.js'

export class SuggestHandler {
  readonly #query = new Query(['q', 'limit', 'lang'])

  constructor(private readonly catalog: Catalog) {}

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQueryText(req))
    const typed = query.text('q')
    const limit = query.integer('limit')
    const language = query.text('lang')
    if (query.refusal !== undefined) return out.refuse(query.refusal)
    const answer = suggest(this.catalog, typed, limit, language === '' ? undefined : language)
    if (answer instanceof Refusal) return out.refuse(answer)
    const { records, suggest: phrases } = this.catalog
    const found = Array.from(answer.phrases.subarray(0, answer.count), phrase => {
      const head = JSON.stringify({ text: phrases.text(phrase), lang: answer.language }).slice(0, -1)
      return `${head},${records.headText(phrases.record(phrase)).slice(1)}}`
    })
    out.openData().text(`[${found.join()}]`).endList(found.length)
  }
}
