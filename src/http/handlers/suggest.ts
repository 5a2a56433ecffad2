import type { Catalog } from '../../catalog/catalog.js'
import type { Suggested } from '../../catalog/suggest.js'
import { bytes } from '../../engines/bytes.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { Refusal } from '../../questions/refusal.js'
import { suggest } from '../../questions/suggest.js'
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '../../responses/body-writer.js'
import type { Responder } from '../../responses/respond.js'
import { integerParameter, textParameter } from '../parameters.js'
import { Query } from '../query.js'

const TEXT = bytes('{"text":"')
const LANG = { en: bytes('","lang":"en",'), ar: bytes('","lang":"ar",') }

export class SuggestHandler {
  readonly #catalog: Catalog
  readonly #query = new Query(['q', 'limit', 'lang'])

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQueryText(req))
    const typed = textParameter(query, 'q')
    if (typed instanceof Refusal) return out.refuse(typed)
    const limit = integerParameter(query, 'limit')
    if (limit instanceof Refusal) return out.refuse(limit)
    const language = textParameter(query, 'lang')
    if (language instanceof Refusal) return out.refuse(language)
    const answer = suggest(this.#catalog, typed, limit, language === '' ? undefined : language)
    if (answer instanceof Refusal) out.refuse(answer)
    else this.#write(answer, out)
  }

  #write({ phrases, count, language }: Suggested, out: Responder): void {
    const { records, suggest } = this.#catalog
    out.openData().byte(OPEN_BRACKET)
    for (let i = 0; i < count; i++) {
      const phrase = phrases[i]
      const record = suggest.record(phrase)
      if (i > 0) out.byte(COMMA)
      out
        .put(TEXT)
        .part(suggest.arena(phrase), suggest.start(phrase), suggest.end(phrase))
        .put(LANG[language])
        .part(records.arena, records.fieldsStart(record), records.headEnd(record))
        .byte(CLOSE_BRACE)
    }
    out.byte(CLOSE_BRACKET).endList(count)
  }
}
