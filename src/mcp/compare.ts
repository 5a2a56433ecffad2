/** What distinguishes codes from each other. */
import { unitOf } from '../answers/records.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { readCountry } from '../questions/country.js'
import { invalidParameter, Refusal } from '../questions/refusal.js'
import { type Answer, answer, codeFields, type ListAnswer, line, refused, type Worded, type Wording } from './answer.js'
import { questionFields, questionLines } from './candidates.js'
import { readWritten, type WrittenCode } from './codes.js'

const CHARS_MAX = 240

export function compareCodes(
  catalog: Catalog,
  question: Worded & { codes: WrittenCode[]; country?: string },
): Answer | ListAnswer {
  const { codes, language = 'en', country } = question
  const view = readCountry(catalog, { country })
  if (view instanceof Refusal) return refused(view)
  const records = new Set<number>()
  for (const code of codes) {
    const record = readWritten(catalog, code)
    if (record instanceof Refusal) return refused(record)
    records.add(record)
  }
  if (records.size < 2) return refused(invalidParameter('codes', 'must name at least two different codes'))
  return {
    requests: codes.length,
    work: () => false,
    answer: () => comparison(catalog, [...records], language, view),
  }
}

function comparison(catalog: Catalog, records: readonly number[], language: Wording, view: CountryView | undefined): Answer {
  const rows = records.map(record => ({
    ...codeFields(catalog, record, language, CHARS_MAX),
    duty_percent: (view ?? catalog).rateText(record),
    unit: unitOf(catalog, record)?.code ?? null,
    lines: catalog.lines.countBelow(record),
  }))
  const codes = rows.map(({ hs_code }) => hs_code)
  const nested = codes.filter(code => codes.some(other => other !== code && code.startsWith(other)))
  const found = catalog.classifier.questionBetween(records)
  const decides = found && questionFields(found, language)
  const next = nextStep(nested, decides !== undefined)
  const lines = [
    ...rows.map(
      row =>
        `${line(row)} (duty ${row.duty_percent} %${unitText(row.unit)}, ${row.lines === 1 ? '1 line' : `${row.lines} lines`})`,
    ),
    ...(decides === undefined ? [] : questionLines(decides)),
    next,
  ]
  return answer(lines, { codes: rows, ...(decides !== undefined && { question: decides }), next })
}

const unitText = (unit: string | null) => (unit === null ? '' : `, quantity in ${unit}`)

function nextStep(nested: readonly string[], isDecided: boolean): string {
  const inside =
    nested.length === 0 ? '' : `${nested.join(', ')} ${nested.length === 1 ? 'is' : 'are'} part of a shorter code in the list. `
  return isDecided
    ? `${inside}Take the answer that the goods give; ask the user only if they do not say it. get_hs_code shows the notes of a code.`
    : `${inside}Take the longest code whose words fit the goods.`
}
