/** The content of each row of the table, derived from the state. A row that has not changed keeps its object. */
import type { Candidate, ClassifyQuestion } from '../../../answers/shapes.js'
import type { Code } from '../data/api.js'
import { grouped, placesOf, rounded } from '../text/amounts.js'
import { likelyOf } from '../text/likely.js'
import { likelihoodOf, percentText, scoreText } from '../text/score-strings.js'
import type { Language, Strings } from '../text/strings.js'
import { fillText } from '../text/written.js'
import { type Amounts, estimateOf, isGood, totalsOf } from './estimate-request.js'
import {
  bareQuantity,
  certaintyOf,
  codeOf,
  correctionOf,
  currencyOf,
  givenCode,
  needsOf,
  type Problem,
  problemOf,
  proposalsOf,
  recordOf,
  splitMeasure,
} from './row.js'
import { type ShipmentStrings, shipmentStrings } from './shipment-strings.js'
import type { Field, Need, Row, RowEstimate, Shipment } from './state.js'

export { splitMeasure } from './row.js'

/** The filters of the rows, in the order of display. */
export const GROUPS = ['accept', 'code', 'line', 'value', 'measure', 'problem', 'waiting', 'ready', 'blank'] as const
export type Group = (typeof GROUPS)[number]

const CHECKED: readonly Field[] = ['code', 'value', 'origin', 'measure', 'sugar']
const CANDIDATES_MAX = 5

/** Why fields of the shipment cannot be read. */
export type TermProblems = Readonly<Record<'vat' | 'freight' | 'insurance', string | undefined>>

export interface ShownProblem {
  readonly field: Field
  readonly text: string
  /** Unambiguous forms of the text, from which the visitor chooses. */
  readonly ways: readonly { text: string; label: string }[] | null
}

export interface ShownRow {
  readonly row: Row
  /** Counted from 1. */
  readonly number: number
  readonly words: string
  /** The code as its cell shows it. */
  readonly code: string
  /** Whether `code` is a current code. */
  readonly exists: boolean
  readonly description: Code['description'] | null
  readonly rate: number | null
  readonly group: Group
  readonly needs: readonly Need[]
  readonly needsLine: boolean
  /** The row's status in a few words. */
  readonly statusText: string
  /** More about the row's code, shown in the details. */
  readonly note: string
  readonly problem: ShownProblem | null
  readonly correction: { candidate: Candidate; certainty: string; why: string } | null
  readonly candidates: readonly Candidate[]
  readonly question: ClassifyQuestion | null
  /** Codes that the given code may stand for. */
  readonly alternatives: readonly string[]
  readonly asks: Row['asks']
  readonly lacksExcise: boolean
  /** A quantity without a unit, if excise needs one. */
  readonly bareQuantity: string | null
  readonly result: RowEstimate | null
  readonly amounts: Amounts | null
  readonly currency: string
  readonly hasCountry: boolean
}

export const amountText = (exact: string, currency: string) => grouped(rounded(exact, placesOf(currency)))

export const chosenOf = ({ hs_code, description, tariff_rate }: Code, by: 'typed' | 'line') => ({
  code: hs_code,
  description,
  rate: tariff_rate,
  by,
})

function problemText(s: ShipmentStrings, t: Strings, problem: Problem, typed: string, currency: string): string {
  switch (problem.kind) {
    case 'unclear':
      return fillText(t.calcWhich, { typed })
    case 'otherCurrency':
      return fillText(s.otherCurrency, { currency: problem.currency, other: currency })
    case 'badValue':
      return t.calcBad
    case 'badSugar':
      return t.calcBadSugar
    default:
      return s[problem.kind]
  }
}

interface Words {
  lang: Language
  s: ShipmentStrings
  t: Strings
}

function shownProblem(row: Row, state: Shipment, { s, t }: Words): ShownProblem | null {
  for (const field of CHECKED) {
    // a chosen code replaces the given one
    if (field === 'code' && row.choice !== null) continue
    const problem = problemOf(row, field, state)
    if (problem === null) continue
    const ways =
      problem.kind === 'unclear'
        ? [
            { text: problem.grouped, label: t.calcThousands },
            { text: problem.decimal, label: t.calcDecimals },
          ]
        : null
    return { field, text: problemText(s, t, problem, row.text[field].trim(), currencyOf(state)), ways }
  }
  return refusalOf(row, state, s)
}

/** The message if the API has refused only this row. */
function refusalOf(row: Row, state: Shipment, s: ShipmentStrings): ShownProblem | null {
  const answer = estimateOf(row, state)
  if (answer === null || isGood(answer)) return null
  const field = answer.error.code === 'not_found' || answer.error.code === 'invalid_code' ? 'code' : 'value'
  return { field, text: fillText(s.refused, { message: answer.error.message }), ways: null }
}

const isBlankRow = ({ text }: Row) => Object.values(text).every(one => one.trim() === '')

function shownCorrection(row: Row, { s }: Words): ShownRow['correction'] {
  const correction = correctionOf(row)
  if (correction === null || correction.isApplied) return null
  const { candidate, reason } = correction
  const isKnown = candidate.description.en !== ''
  const certainty = !isKnown ? 'possible' : row.classified?.status === 'clear' ? 'sure' : likelihoodOf(candidate.score)
  return { candidate, certainty, why: reason === 'words' ? '' : (s.reasons[reason] ?? '') }
}

function groupOf(row: Row, needs: readonly Need[], hasProblem: boolean, hasCorrection: boolean): Group {
  if (isBlankRow(row)) return 'blank'
  if (hasProblem) return 'problem'
  if (hasCorrection) return 'accept'
  const [first] = needs
  if (first === 'code') return certaintyOf(row) === 'open' && row.resolved === null ? 'waiting' : 'code'
  if (first === undefined) return row.lines === null ? 'waiting' : 'ready'
  return first === 'sugar' ? 'measure' : first
}

/** The row's status in a few words, for the table. */
function statusTextOf(row: Row, group: Group, needs: readonly Need[], problem: ShownProblem | null, words: Words): string {
  const { s } = words
  if (problem !== null) return problem.text
  if (group === 'blank') return s.blankRow
  if (group === 'waiting') return s.isWaiting
  const certainty = certaintyOf(row)
  const [first] = needs
  if (first === 'code') {
    const isGiven = givenCode(row) !== '' && row.resolved !== null
    if (isGiven) return fillText(s.unknownCode, { code: givenCode(row) })
    const correction = shownCorrection(row, words)
    if (correction === null) return s.certainty[certainty] ?? s.needs.code ?? ''
    const sure = correction.certainty === 'sure' ? s.certainty.sure : ''
    return sure
      ? `${sure}${s.comma}${percentText(words.lang, correction.candidate.score)}`
      : scoreText(words.lang, correction.candidate.score)
  }
  if (group === 'accept') return s.certainty[certainty] ?? ''
  if (first !== undefined) return s.needs[first] ?? ''
  return s.ready
}

/** Why the row's code differs from the given one. */
function noteOf(row: Row, { s }: Words): string {
  if (row.choice !== null) {
    const { instead } = row.choice
    return `${s.certainty.chosen}. ${instead === '' ? s.insteadOfNone : fillText(s.instead, { code: instead })}.`
  }
  const correction = correctionOf(row)
  const parts: string[] = []
  if (correction?.isApplied) {
    const reason = s.reasons[correction.reason] ?? ''
    parts.push(fillText(s.corrected, { given: row.text.code.trim(), code: correction.candidate.hs_code, reason }))
  }
  const certainty = certaintyOf(row)
  if (['agrees', 'doubtful', 'contradicts', 'unknown'].includes(certainty)) parts.push(s.certainty[certainty] ?? '')
  if (row.resolved?.nearest) parts.push(fillText(s.nearest, { code: row.resolved.nearest }))
  return parts.filter(Boolean).join(' ')
}

function alternativesOf(row: Row): readonly string[] {
  const { resolved, choice } = row
  if (choice !== null || resolved === null || codeOf(row) !== null) return []
  return likelyOf(givenCode(row), resolved.candidates).slice(0, CANDIDATES_MAX)
}

function made(row: Row, number: number, state: Shipment, words: Words): ShownRow {
  const code = codeOf(row)
  const record = recordOf(row)
  const needs = needsOf(row, state)
  const problem = isBlankRow(row) ? null : shownProblem(row, state, words)
  const correction = shownCorrection(row, words)
  const group = groupOf(row, needs, problem !== null, correction !== null)
  const answer = estimateOf(row, state)
  const lacksExcise = needs.includes('measure') || needs.includes('sugar')
  const [typedMeasure] = splitMeasure(row.text.measure)
  return {
    row,
    number,
    words: row.text.words.trim(),
    code: code ?? row.text.code.trim(),
    exists: code !== null,
    description: record?.description ?? null,
    rate: record?.rate ?? null,
    group,
    needs,
    needsLine: needs.includes('line'),
    statusText: statusTextOf(row, group, needs, problem, words),
    note: noteOf(row, words),
    problem,
    correction,
    candidates: proposalsOf(row),
    question: row.choice === null ? (row.classified?.question ?? null) : null,
    alternatives: alternativesOf(row),
    asks: row.asks,
    lacksExcise,
    bareQuantity: lacksExcise && typedMeasure.trim() === '' ? bareQuantity(row.text.quantity) : null,
    result: answer !== null && isGood(answer) ? answer : null,
    amounts: totalsOf(state)?.rows.get(row.id) ?? null,
    currency: currencyOf(state),
    hasCountry: state.terms.country !== '',
  }
}

const isSame = (a: Amounts | null, b: Amounts | null) =>
  a === b || (a !== null && b !== null && (Object.keys(a) as (keyof Amounts)[]).every(name => a[name] === b[name]))

const known = new WeakMap<Row, { shown: ShownRow; hasValues: boolean; terms: Shipment['terms']; lang: Language }>()

/** Rows that did not change keep their object, so that the table does not render them again. */
export function shownRows(state: Shipment, lang: Language, t: Strings): ShownRow[] {
  const words = { lang, s: shipmentStrings[lang], t }
  const amounts = totalsOf(state)?.rows
  const anyValue = state.rows.some(({ text }) => text.value.trim() !== '')
  return state.rows.map((row, at) => {
    const before = known.get(row)
    const answer = estimateOf(row, state)
    const isKept =
      before !== undefined &&
      before.shown.number === at + 1 &&
      before.lang === lang &&
      before.terms === state.terms &&
      before.hasValues === anyValue &&
      before.shown.result === (answer !== null && isGood(answer) ? answer : null) &&
      isSame(before.shown.amounts, amounts?.get(row.id) ?? null)
    if (isKept) return before.shown
    const shown = made(row, at + 1, state, words)
    known.set(row, { shown, hasValues: anyValue, terms: state.terms, lang })
    return shown
  })
}
