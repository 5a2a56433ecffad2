import type { Catalog } from '../catalog/catalog.js'
import { isCode } from '../codes/code.js'
import { AGENT_RESULTS_DEFAULT, CLASSIFY_CHARS_MAX } from '../limits.js'
import { readItem, readTerms } from '../questions/classify.js'
import { readCountry } from '../questions/country.js'
import { Refusal } from '../questions/refusal.js'
import { search } from '../questions/search.js'
import { type Answer, answer, codeFields, line, refused, short, type Worded, type Wording } from './answer.js'
import { type QuestionFields, questionFields, questionLines } from './candidates.js'
import type { WrittenCode } from './codes.js'

const CHARS_MAX = 140
const ASK =
  'The question below decides between the best results. If the user has already answered it, take that answer; else ask the user. Then search again with a code of that answer as `within`.'

interface SearchQuestion extends Worded {
  query: string
  level?: number
  within?: WrittenCode
  limit?: number
  country?: string
}

export function findCodes(catalog: Catalog, question: SearchQuestion): Answer {
  const { query, level, within = '', limit = AGENT_RESULTS_DEFAULT, language = 'en', country } = question
  const view = readCountry(catalog, { country })
  if (view instanceof Refusal) return refused(view)
  const page = search(catalog, query, level, limit, 0, String(within))
  if (page instanceof Refusal) return refused(page)
  const results = Array.from(page.records, record => ({
    ...codeFields(catalog, record, language, CHARS_MAX),
    duty_percent: (view ?? catalog).rateText(record),
  }))
  const lines = results.map(result => `${line(result)} (duty ${result.duty_percent} %)`)
  if (results.length === 0) lines.push('Nothing was found. Try a plainer or more general word for the goods.')
  else if (page.total > results.length) lines.push(`Shown: ${results.length} of ${page.total} results.`)
  const decides = results.length < 2 ? undefined : questionOf(catalog, query, String(within), language)
  if (decides !== undefined) lines.push(ASK, ...questionLines(decides))
  return answer(lines, { total: page.total, results, ...(decides !== undefined && { question: decides }) })
}

/** The question that decides between the results; undefined if one result is likely enough, or if no question does. */
function questionOf(catalog: Catalog, query: string, within: string, language: Wording): QuestionFields | undefined {
  if (isCode(query.trim())) return undefined
  const terms = readTerms()
  const item = terms instanceof Refusal ? terms : readItem(catalog, { text: short(query, CLASSIFY_CHARS_MAX), within }, terms)
  const decides = item instanceof Refusal ? undefined : catalog.classifier.classify(item.text.trim(), item.terms).question
  return decides && questionFields(decides, language)
}
