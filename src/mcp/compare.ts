/** Compares codes and shows how they differ. */
import { unitOf } from '../answers/records.js'
import type { Description } from '../answers/shapes.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { readCountry } from '../questions/country.js'
import { invalidParameter, Refusal } from '../questions/refusal.js'
import { type Answer, answer, codeFields, type ListAnswer, line, refused, type Worded, type Wording, worded } from './answer.js'
import { type QuestionFields, questionFields, questionLines } from './candidates.js'
import { readWritten, type WrittenCode } from './codes.js'

const CHARS_MAX = 240
/** Maximum number of goods that one of the codes excludes and another one covers. */
const REASSIGNED_MAX = 6
/** A clause that names a code: "other than wireless ones (851762)". */
// regexp-ignore: dataset text, a description has at most 200 characters
const NAMED_CODE = /([^,،;؛()]+)\((\d{4,12})\)/g
const EXCLUDING = /^\s*(?:and |or )?(?:other than|except|excluding|not|عدا|غير|باستثناء)\s+/u

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
  const reassigned = reassignedGoods(catalog, records)
  const decides = questionOfReassigned(catalog, reassigned, codes, language) ?? questionOf(catalog, records, language)
  // left out if the question is about these goods, because the answers then name the goods
  const reassignedFields = decides?.isOfReassigned
    ? []
    : reassigned.map(({ what, code }) => ({ what: worded(what, language), hs_code: code }))
  const lines = [
    ...rows.map(
      row =>
        `${line(row)} (duty ${row.duty_percent} %${unitText(row.unit)}, ${row.lines === 1 ? '1 line' : `${row.lines} lines`})`,
    ),
    ...(decides === undefined ? [] : questionLines(decides.fields)),
    ...reassignedFields.map(({ what, hs_code }) => `belongs to ${hs_code}: ${what}`),
    nextStep(nested, decides !== undefined),
  ]
  return answer(lines, {
    codes: rows,
    ...(decides !== undefined && { question: decides.fields }),
    ...(reassignedFields.length > 0 && { goods: reassignedFields }),
  })
}

interface DecidingQuestion {
  fields: QuestionFields
  isOfReassigned: boolean
}

function questionOf(catalog: Catalog, records: readonly number[], language: Wording): DecidingQuestion | undefined {
  const found = catalog.classifier.questionBetween(records, '', true)
  return found && { fields: questionFields(found, language), isOfReassigned: false }
}

interface ReassignedGoods {
  what: Description
  /** The compared code that the goods belong to. */
  code: string
}

/**
 * Goods that one of the codes excludes and another one covers. They come from pointers, and from descriptions that name the
 * code.
 */
function reassignedGoods(catalog: Catalog, records: readonly number[]): ReassignedGoods[] {
  const codes = records.map(record => catalog.records.code(record))
  const reassigned: ReassignedGoods[] = []
  const add = (what: Description, from: string, to: string) => {
    const code = codes.find(one => one !== from && areNested(one, to) && !areNested(one, from))
    if (code !== undefined && reassigned.length < REASSIGNED_MAX) reassigned.push({ what, code })
  }
  records.forEach((record, i) => {
    for (const pointer of catalog.pointers.of(record)) {
      const { what }: { what: Description } = JSON.parse(`${catalog.pointers.text(pointer)}}`)
      add(what, codes[i], catalog.records.code(catalog.pointers.target(pointer)))
    }
    const { en, ar } = catalog.records.description(record)
    const inArabic = excludedGoods(ar)
    excludedGoods(en).forEach((excluded, at) => {
      add({ en: excluded.what, ar: inArabic[at]?.what ?? excluded.what }, codes[i], excluded.code)
    })
  })
  return reassigned
}

function excludedGoods(description: string): { what: string; code: string }[] {
  return [...description.matchAll(NAMED_CODE)]
    .filter(([, clause]) => EXCLUDING.test(clause))
    .map(([, clause, code]) => ({ what: clause.replace(EXCLUDING, '').trim(), code }))
}

const areNested = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a)

/** Asks for an attribute that all reassigned goods state; undefined if there is none, or if a code covers no such goods. */
function questionOfReassigned(
  catalog: Catalog,
  reassigned: readonly ReassignedGoods[],
  codes: readonly string[],
  language: Wording,
): DecidingQuestion | undefined {
  if (!codes.every(code => reassigned.some(one => one.code === code))) return undefined
  const text = catalog.classifier.questionStatedBy(reassigned.map(({ what }) => what.en))
  if (text === undefined) return undefined
  const answers = reassigned.map(({ what, code }) => ({ text: what, within: [code] }))
  return { fields: questionFields({ text, answers }, language), isOfReassigned: true }
}

const unitText = (unit: string | null) => (unit === null ? '' : `, quantity in ${unit}`)

function nextStep(nested: readonly string[], isDecided: boolean): string {
  const inside =
    nested.length === 0 ? '' : `${nested.join(', ')} ${nested.length === 1 ? 'is' : 'are'} part of a shorter code in the list. `
  return isDecided
    ? `${inside}Take the answer that fits the goods; ask the user only if the text does not say it. get_hs_code shows the notes of a code.`
    : `${inside}Take the longest code whose words fit the goods.`
}
