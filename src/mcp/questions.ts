import { controlsOf } from '../answers/controls.js'
import { nextCorrelationOf } from '../answers/correlations.js'
import { exactEstimate } from '../answers/estimate.js'
import { rateOriginOf, unitOf } from '../answers/records.js'
import type { Control } from '../answers/shapes.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { AGENT_CANDIDATES_MAX, AGENT_CHILDREN_DEFAULT, AGENT_CODES_MAX, AGENT_RESULTS_DEFAULT } from '../limits.js'
import { children } from '../questions/children.js'
import { laterSources } from '../questions/codes.js'
import { readCountry } from '../questions/country.js'
import { edition, type NextCorrelation } from '../questions/editions.js'
import { Refusal } from '../questions/refusal.js'
import { ownEdition, type Resolved, Resolver, readEdition, refuseCodes } from '../questions/resolve.js'
import { search } from '../questions/search.js'
import { estimate, estimateNotes, notesOf } from '../questions/tariff.js'
import { type Answer, answer, codeFields, line, refused, type Wording } from './answer.js'
import { noteFields, noteLine, seeAlsoFields, seeAlsoLine } from './notes.js'
import { type CountryFields, estimateForCountry, isForCountry } from './shipment.js'

interface Worded {
  language?: Wording
}

const HEADING_DIGITS = 4
/** Results compared to decide whether the query is ambiguous. */
const BEST = 3
const ASK_BACK =
  'The best results stand under different headings. Ask the user what decides between them (material, use, state, parts or whole) before you name a code.'

export function findCodes(
  catalog: Catalog,
  question: Worded & { query: string; level?: number; within?: string; limit?: number; country?: string },
): Answer {
  const { query, level, within, limit = AGENT_RESULTS_DEFAULT, language = 'en', country } = question
  const view = readCountry(catalog, { country })
  if (view instanceof Refusal) return refused(view)
  const page = search(catalog, query, level, limit, 0, within)
  if (page instanceof Refusal) return refused(page)
  const found = Array.from(page.records)
  const results = found.map(record => ({
    ...codeFields(catalog, record, language),
    duty_percent: (view ?? catalog).rateText(record),
  }))
  const lines = results.map(result => `${line(result)} (duty ${result.duty_percent} %)`)
  const isAmbiguous = areHeadingsDifferent(catalog, query, found)
  if (found.length === 0) lines.push('Nothing was found. Try a plainer or more general word for the goods.')
  else if (page.total > found.length) lines.push(`${found.length} of ${page.total}.`)
  if (isAmbiguous) lines.push(ASK_BACK)
  return answer(lines, { total: page.total, results, ...(isAmbiguous && { ask_back: ASK_BACK }) })
}

/** Whether the best results have different headings. Results found only by a keyword count only if no description matches. */
function areHeadingsDifferent({ records, level, stemmer }: Catalog, query: string, found: readonly number[]): boolean {
  const queryTerms = new Set(stemmer.terms(query))
  const named = found.filter(record => {
    const { en, ar } = records.description(record)
    return stemmer.terms(`${en} ${ar}`).some(term => queryTerms.has(term))
  })
  const best = (named.length > 0 ? named : found).filter(record => level[record] >= HEADING_DIGITS).slice(0, BEST)
  return new Set(best.map(record => records.code(record).slice(0, HEADING_DIGITS))).size > 1
}

/** The record of a code as people and models write it, or a refusal that says what to do instead. */
function readWritten(catalog: Catalog, written: string): number | Refusal {
  const resolved = new Resolver(catalog, ownEdition(catalog)).resolve(written)
  const { status, record, candidates, nearest, reason } = resolved
  if (record >= 0) return record
  if (status === 'invalid') return new Refusal('invalidCode', `"${written}" is not an HS code. ${reason}`)
  const codes = candidates.slice(0, AGENT_CANDIDATES_MAX).map(at => catalog.records.code(at))
  if (status === 'ambiguous')
    return new Refusal('notFound', `"${written}" may be ${codes.join(' or ')}. Ask the user which is meant.`)
  const sentences = [`HS code ${written} is not in the dataset.`]
  if (codes.length > 0) sentences.push(`An earlier edition had it; it is now ${codes.join(' or ')}.`)
  const comesFrom = codes.length > 0 ? [] : laterSources(catalog, written).slice(0, AGENT_CANDIDATES_MAX)
  if (comesFrom.length > 0)
    sentences.push(`It is a code of HS ${catalog.nextEdition.year} and takes over goods of ${comesFrom.join(' and ')}.`)
  const above = nearest < 0 ? undefined : catalog.records.code(nearest)
  if (above !== undefined) sentences.push(`The nearest code above it is ${above}: look at its children, or search by words.`)
  return new Refusal('notFound', sentences.join(' '), {
    ...(above !== undefined && { nearest: above }),
    ...(codes.length > 0 && { moved_to: codes }),
    ...(comesFrom.length > 0 && { comes_from: comesFrom }),
  })
}

export function showCode(
  catalog: Catalog,
  question: Worded & { code: string; children_limit?: number; country?: string },
): Answer {
  const { code, children_limit = AGENT_CHILDREN_DEFAULT, language = 'en', country } = question
  const view = readCountry(catalog, { country })
  if (view instanceof Refusal) return refused(view)
  const record = readWritten(catalog, code)
  if (record instanceof Refusal) return refused(record)
  const own = codeFields(catalog, record, language)
  const page = children(catalog, own.hs_code, children_limit)
  // 14-digit lines are refused as parents
  const { first, count, total } = page instanceof Refusal ? { first: 0, count: 0, total: 0 } : page
  const path = catalog
    .above(record)
    .reverse()
    .map(at => codeFields(catalog, at, language))
  const below = Array.from({ length: count }, (_, i) => codeFields(catalog, first + i, language))
  const duty = dutyOf(catalog, record, view)
  const unit = unitOf(catalog, record)
  const controls = controlsOf(catalog, record, view?.country.code)
  const notes = noteFields(catalog, record, language)
  const seeAlso = seeAlsoFields(catalog, record, language)
  const isDeclarable = catalog.level[record] === catalog.lines.longest
  const lines = [
    line(own),
    ...path.map(step => `in ${line(step)}`),
    `duty ${duty.percent} %, set at ${duty.from}${duty.source === null ? '' : ` (${duty.certainty}: ${duty.source})`}`,
    duty.notes,
    ...(unit === null ? [] : [`quantity in ${unit.code} (${unit.name.en}), ${unit.certainty}`]),
    ...controls.items.map(controlLine),
    ...notes.items.map(noteLine),
    ...seeAlso.items.map(seeAlsoLine),
    isDeclarable
      ? 'Goods are declared on this line.'
      : `Below it: ${total} codes, ${catalog.lines.countBelow(record)} lines of ${catalog.lines.longest} digits.`,
    ...below.map(line),
    ...(total > count ? [`${count} of ${total} children.`] : []),
  ]
  return answer(lines, {
    ...own,
    is_active: catalog.active[record] === 1,
    declarable: isDeclarable,
    path,
    duty,
    unit,
    controls,
    notes: notes.items,
    notes_total: notes.total,
    see_also: seeAlso.items,
    see_also_total: seeAlso.total,
    children: below,
    children_total: total,
    lines_total: catalog.lines.countBelow(record),
  })
}

/** By the common tariff, or by that of a country. */
function dutyOf(catalog: Catalog, record: number, view: CountryView | undefined) {
  const { from, source, certainty, min, max, status, list } = rateOriginOf(catalog, record, view)
  const percent = (view ?? catalog).rateText(record)
  if (view === undefined) return { percent, from, source, certainty, notes: notesOf(catalog, record) }
  const { isActive } = catalog.estimateNoteOf(record)
  const notes = estimateNotes({ isActive, low: String(min), high: String(max), isProhibited: false })
  return { percent, from, source, certainty, country: view.country.code, list: list ?? null, status, notes }
}

function controlLine({ scope, kind, authority, reason, certainty }: Control): string {
  return `control in ${scope}: ${kind}${authority === null ? '' : `, ${authority}`}, ${certainty}: ${reason.en}`
}

export function resolveCodes(catalog: Catalog, question: Worded & { codes: string[]; edition?: string }): Answer {
  const { codes, edition: year, language = 'en' } = question
  const refusal = refuseCodes(codes, AGENT_CODES_MAX)
  if (refusal !== undefined) return refused(refusal)
  const known = readEdition(catalog, year)
  if (known instanceof Refusal) return refused(known)
  const resolver = new Resolver(catalog, known)
  const answers = codes.map(code => resolvedAnswer(catalog, resolver.resolve(code), language))
  return answer(
    answers.map(({ line: text }) => text),
    { codes: answers.map(({ fields }) => fields) },
  )
}

function resolvedAnswer(catalog: Catalog, resolved: Resolved, language: Wording) {
  const { input, status, record, nearest, reason } = resolved
  const codeOf = (at: number) => catalog.records.code(at)
  const candidates = resolved.candidates.slice(0, AGENT_CANDIDATES_MAX).map(codeOf)
  const meant = record < 0 ? undefined : codeFields(catalog, record, language)
  const parts = [`${input}: ${status}`]
  if (meant !== undefined) parts.push(line(meant))
  if (candidates.length > 0) parts.push(`candidates ${candidates.join(', ')}`)
  if (nearest >= 0) parts.push(`nearest ${codeOf(nearest)}`)
  if (reason !== undefined) parts.push(reason)
  const fields = {
    input,
    status,
    ...(meant ?? { hs_code: null }),
    ...(candidates.length > 0 && { candidates }),
    ...(nearest >= 0 && { nearest: codeOf(nearest) }),
    ...(reason !== undefined && { reason }),
  }
  return { line: parts.join('; '), fields }
}

interface DutyQuestion extends CountryFields {
  code: string
  value: number | string
  currency?: string
  include_vat?: boolean
  vat_rate?: number | string
}

export function estimateDuty(catalog: Catalog, question: DutyQuestion): Answer {
  const { code, value, currency, include_vat, vat_rate = '' } = question
  const record = readWritten(catalog, code)
  if (record instanceof Refusal) return refused(record)
  const hsCode = catalog.records.code(record)
  if (isForCountry(question))
    return estimateForCountry(catalog, question, {
      code: hsCode,
      value: String(value),
      currency,
      withVat: include_vat,
      vatRate: String(vat_rate),
    })
  const found = estimate(catalog, hsCode, String(value), currency, include_vat, String(vat_rate))
  if (found instanceof Refusal) return refused(found)
  const { product, calculation, notes } = exactEstimate(catalog, found)
  const fields = {
    hs_code: hsCode,
    description: product,
    currency: calculation.currency,
    declared_value: calculation.declared_value,
    duty_percent: calculation.import_duty_rate,
    duty: calculation.import_duty_amount,
    vat_percent: calculation.vat_rate,
    vat: calculation.vat_amount,
    duties_and_taxes: calculation.total_duties_taxes,
    landed_cost: calculation.landed_cost,
    notes,
  }
  const lines = [
    line(fields),
    `declared value ${fields.declared_value} ${fields.currency}`,
    `duty ${fields.duty_percent} % = ${fields.duty}`,
    found.withVat ? `VAT ${fields.vat_percent} % = ${fields.vat}` : 'VAT not included',
    `duties and taxes ${fields.duties_and_taxes}, landed cost ${fields.landed_cost} ${fields.currency}`,
    fields.notes,
  ]
  return answer(lines, fields)
}

export function showEdition(catalog: Catalog, question: Worded & { edition: string; code: string }): Answer {
  const { edition: year, code, language = 'en' } = question
  const found = edition(catalog, year, code)
  if (found instanceof Refusal) return refused(found)
  if ('nextTargets' in found) return nextEditionAnswer(year, code, found)
  const all = Array.from(found.targets)
  const targets = all.slice(0, AGENT_CANDIDATES_MAX).map(at => codeFields(catalog, at, language))
  const lines = [`${code} of HS ${year}: ${found.relation}`, ...targets.map(line)]
  if (all.length > targets.length) lines.push(`${targets.length} of ${all.length}, the likeliest first.`)
  return answer(lines, { edition: year, code, relation: found.relation, targets, targets_total: all.length })
}

function nextEditionAnswer(year: string, code: string, found: NextCorrelation): Answer {
  const { targets, ...fields } = nextCorrelationOf(year, code, found)
  const shown = targets.slice(0, AGENT_CANDIDATES_MAX)
  const lines = [
    `${code} of today in HS ${year}: ${found.relation}; provisional`,
    ...shown.map(({ hs_code, part, certainty }) => `${hs_code}  part: ${part}, ${certainty}`),
  ]
  if (targets.length > shown.length) lines.push(`${shown.length} of ${targets.length}, the likeliest first.`)
  return answer(lines, { ...fields, targets: shown, targets_total: targets.length })
}
