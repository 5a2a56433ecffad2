import { classifiedJson } from '../../answers/classified.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CountryView } from '../../catalog/countries.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { type ClassifyItem, classify, readItem, readItems, readTerms } from '../../questions/classify.js'
import { readCountry } from '../../questions/country.js'
import { Refusal } from '../../questions/refusal.js'
import type { Responder } from '../../responses/respond.js'
import { checkBody } from '../check-body.js'
import { COUNTRY_PARAMETERS, Query } from '../query.js'
import { type BodyRequest, inParts, refusing } from '../routes.js'

export class ClassifyHandler {
  readonly #query = new Query(['text', 'within', 'hs_code', 'sku', 'gtin', 'level', 'limit', ...COUNTRY_PARAMETERS])

  constructor(private readonly catalog: Catalog) {}

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQueryText(req))
    const within = query.text('within')
    const sent = {
      text: query.text('text'),
      within: within === '' ? '' : within.split(','),
      hs_code: query.text('hs_code'),
      sku: query.text('sku'),
      gtin: query.text('gtin'),
    }
    const terms = readTerms(query.integer('level'), query.integer('limit'))
    const view = query.country(this.catalog)
    const item = query.refusal ?? (terms instanceof Refusal ? terms : readItem(this.catalog, sent, terms))
    if (item instanceof Refusal) out.refuse(item)
    else writeAnswers([answerJson(this.catalog, item, view)], out)
  }
}

/** Counts one request per item, and one for an invalid body. */
export const readTitles =
  (catalog: Catalog) =>
  (body: unknown): BodyRequest => {
    const request = readBody(catalog, body)
    if (request instanceof Refusal) return refusing(request)
    const { items, view } = request
    const answers: string[] = []
    const work = () => answers.push(answerJson(catalog, items[answers.length], view)) < items.length
    return inParts(items.length, work, out => writeAnswers(answers, out))
  }

interface Request {
  items: readonly ClassifyItem[]
  view: CountryView | undefined
}

function readBody(catalog: Catalog, body: unknown): Request | Refusal {
  const sent = checkBody('ClassifyRequest', body)
  if (sent instanceof Refusal) return sent
  const terms = readTerms(sent.level, sent.limit)
  if (terms instanceof Refusal) return terms
  const view = readCountry(catalog, { country: sent.country, asOf: sent.as_of })
  if (view instanceof Refusal) return view
  const items = readItems(catalog, sent.items, terms)
  return items instanceof Refusal ? items : { items, view }
}

const answerJson = (catalog: Catalog, item: ClassifyItem, view: CountryView | undefined): string =>
  classifiedJson(catalog, classify(catalog, item, view), view)

function writeAnswers(answers: readonly string[], out: Responder): void {
  out.openData().text(`{"items":[${answers.join()}]}`).endRecord()
}
