import { classifiedJson } from '../../answers/classified.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CountryView } from '../../catalog/countries.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { type ClassifyItem, classify, readItem, readItems, readTerms } from '../../questions/classify.js'
import { readCountry } from '../../questions/country.js'
import { invalidParameter, Refusal, refuseUnknown } from '../../questions/refusal.js'
import type { Responder } from '../../responses/respond.js'
import { COUNTRY_PARAMETERS, Query } from '../query.js'
import type { BodyRequest } from '../routes.js'

export class ClassifyHandler {
  readonly #query = new Query(['text', 'within', 'hs_code', 'level', 'limit', ...COUNTRY_PARAMETERS])

  constructor(private readonly catalog: Catalog) {}

  handle(req: HttpRequest, out: Responder): void {
    const query = this.#query.read(readQueryText(req))
    const within = query.text('within')
    const sent = { text: query.text('text'), within: within === '' ? '' : within.split(','), hs_code: query.text('hs_code') }
    const terms = readTerms(query.integer('level'), query.integer('limit'))
    const view = query.country(this.catalog)
    const item = query.refusal ?? (terms instanceof Refusal ? terms : readItem(this.catalog, sent, terms))
    if (item instanceof Refusal) out.refuse(item)
    else writeAnswers([answerJson(this.catalog, item, view)], out)
  }
}

/** Counts one request per item; one if the body is invalid. */
export const readTitles =
  (catalog: Catalog) =>
  (body: unknown): BodyRequest => {
    const request = parseBody(catalog, body)
    if (request instanceof Refusal) return { requests: 1, answer: out => out.refuse(request) }
    const { items, view } = request
    const answers: string[] = []
    const work = () => answers.push(answerJson(catalog, items[answers.length], view)) < items.length
    const answer = (out: Responder) => writeAnswers(answers, out)
    if (items.length > 1) return { requests: items.length, work, answer }
    // as fast as GET
    return {
      requests: 1,
      answer: out => {
        work()
        answer(out)
      },
    }
  }

const BODY_FIELDS = ['items', 'level', 'limit', ...COUNTRY_PARAMETERS]

interface ClassifyRequest {
  items: readonly ClassifyItem[]
  view: CountryView | undefined
}

function parseBody(catalog: Catalog, body: unknown): ClassifyRequest | Refusal {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return invalidParameter('body', 'must be an object with items')
  const unknown = refuseUnknown(body, BODY_FIELDS)
  if (unknown !== undefined) return unknown
  const { items: sent, level, limit, country = '', as_of: asOf = '' } = body as Record<string, unknown>
  const terms = readTerms(level, limit)
  if (terms instanceof Refusal) return terms
  if (typeof country !== 'string') return invalidParameter('country', 'must be a string, such as "SA"')
  if (typeof asOf !== 'string') return invalidParameter('as_of', 'must be a string, such as "2026-02-25"')
  const view = readCountry(catalog, { country, asOf })
  if (view instanceof Refusal) return view
  const items = readItems(catalog, sent, terms)
  return items instanceof Refusal ? items : { items, view }
}

const answerJson = (catalog: Catalog, item: ClassifyItem, view: CountryView | undefined): string =>
  classifiedJson(catalog, classify(catalog, item), view)

function writeAnswers(answers: readonly string[], out: Responder): void {
  out.openData().text(`{"items":[${answers.join()}]}`).endRecord()
}
