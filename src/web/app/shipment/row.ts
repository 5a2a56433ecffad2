/** Derives a row's code and certainty, a proposed correction and the missing fields from the state of the row. */
import type { Candidate, Classified, Resolved } from '../../../answers/shapes.js'
import { withoutSeparators } from '../../../codes/digits.js'
import { codeInCell, looksLikeCode } from '../../../codes/in-text.js'
import { isScientific } from '../../../codes/readings.js'
import { CLASSIFY_CHARS_MAX, CLASSIFY_CHARS_MIN } from '../../../limits.js'
import { currencyOf as currencyOfCountry } from '../data/country.js'
import { allCurrencies, type Reading, readAmount, readPercent } from '../text/amounts.js'
import { originOf } from '../text/origin-names.js'
import { plainTitle } from '../text/plain-title.js'
import { likelihoodOf } from '../text/score-strings.js'
import { FIELDS, type Field, type Need, type Reason, type Row, type RowText, type Shipment, type Terms } from './state.js'
import { measureIn, splitMeasure } from './units.js'

export { bareQuantity, splitMeasure } from './units.js'

const CURRENCY = /^[A-Za-z]{3}$/
const VAT = /^(?:100(?:\.0{1,4})?|\d{1,2}(?:\.\d{1,4})?)$/

/** The row's own code as typed or pasted, without words before it; '' if it has none. */
export function givenCode({ text }: Row): string {
  const plain = codeInCell(text.code)
  return /\p{Nd}/u.test(plain) ? plain : ''
}

const titles = new WeakMap<RowText, string>()

/**
 * The words in the form that the classifier accepts: without markup and shortened to the API's limit; '' if there are too few.
 */
export function titleOf({ text }: Row): string {
  const known = titles.get(text)
  if (known !== undefined) return known
  const title = [...plainTitle(text.words)].slice(0, CLASSIFY_CHARS_MAX).join('').trim()
  const made = [...title].length < CLASSIFY_CHARS_MIN ? '' : title
  titles.set(text, made)
  return made
}

/** Whether the row's own code means exactly one current code. */
const isSettled = (resolved: Resolved | null): resolved is Resolved & { hs_code: string } =>
  resolved !== null && resolved.hs_code !== null && ['found', 'normalised', 'moved'].includes(resolved.status)

/**
 * The code for the row's estimate: the chosen one, or the row's own code as the API reads it. Proposals count only when they
 * are accepted.
 */
export function codeOf({ choice, resolved }: Row): string | null {
  if (choice !== null) return choice.code
  return isSettled(resolved) ? resolved.hs_code : null
}

/** Description and rate of the row's code; null if it has none. */
export function recordOf(row: Row): { description: Candidate['description']; rate: number | null } | null {
  if (row.choice !== null) return { description: row.choice.description, rate: row.choice.rate }
  const record = isSettled(row.resolved) ? row.resolved.record : null
  return record && { description: record.description, rate: record.tariff_rate }
}

/**
 * `open`: not requested yet. `given`: the row's own code. `chosen`: by the visitor. The others are the classifier's certainty.
 */
export type Certainty =
  | 'open'
  | 'given'
  | 'chosen'
  | 'sure'
  | 'likely'
  | 'unlikely'
  | 'unknown'
  | 'agrees'
  | 'doubtful'
  | 'contradicts'

export function certaintyOf(row: Row): Certainty {
  const { choice, classified, resolved } = row
  if (choice !== null) return 'chosen'
  if (isSettled(resolved)) return classified?.verdict?.status ?? 'given'
  if (classified !== null) return sureness(classified)
  return resolved === null || titleOf(row) !== '' ? 'open' : 'unknown'
}

function sureness({ status, candidates }: Classified): Certainty {
  const [best] = candidates
  if (status === 'unknown' || best === undefined) return 'unknown'
  if (status === 'clear') return 'sure'
  return likelihoodOf(best.score) === 'likely' ? 'likely' : 'unlikely'
}

/** Codes proposed from the words, best first; none if the words agree with the row's own code. */
export function proposalsOf({ choice, classified }: Row): readonly Candidate[] {
  if (choice !== null || classified === null || classified.verdict?.status === 'agrees') return []
  return classified.verdict?.against ?? classified.candidates
}

export interface Correction {
  readonly candidate: Candidate
  readonly reason: Reason
  /** Whether the correction is applied without confirmation: a dot removed, a zero restored, a moved code replaced. */
  readonly isApplied: boolean
}

const bare = (hs_code: string): Candidate => ({
  hs_code,
  description: { en: '', ar: '' },
  level: hs_code.length,
  tariff_rate: Number.NaN,
  score: 0,
  matched: [],
})

const digitsOfGiven = (row: Row) => withoutSeparators(givenCode(row)).replace(/\D/g, '')

/** Why the API reads a given code as another. */
function readingReason(row: Row, code: string): Reason {
  const digits = digitsOfGiven(row)
  if (row.resolved?.status === 'moved') return 'edition'
  if (digits.length < code.length || (code.startsWith('0') && !digits.startsWith('0'))) return 'digit'
  return digits.startsWith(code) ? 'separators' : 'edition'
}

/**
 * A proposed code that differs from the row's code. For a successor of an older code, only the digits are known: the
 * description is empty and the rate is NaN.
 */
export function correctionOf(row: Row): Correction | null {
  const { choice, resolved, classified } = row
  if (choice !== null) return null
  const [best] = proposalsOf(row)
  const isUnknown = classified?.status === 'unknown'
  if (isSettled(resolved)) {
    if (best !== undefined && !isUnknown) return { candidate: best, reason: 'better', isApplied: false }
    if (resolved.status === 'found' || resolved.record === null) return null
    const { description, tariff_rate } = resolved.record
    const candidate = { ...bare(resolved.hs_code), description, tariff_rate, score: 1 }
    return { candidate, reason: readingReason(row, resolved.hs_code), isApplied: true }
  }
  const meant = resolved?.candidates ?? []
  if (best !== undefined && !isUnknown) {
    const reason = meant.some(code => best.hs_code.startsWith(code)) ? readingReason(row, best.hs_code) : 'words'
    return { candidate: best, reason, isApplied: false }
  }
  const [first] = meant
  return first === undefined ? null : { candidate: bare(first), reason: readingReason(row, first), isApplied: false }
}

export interface Clear {
  readonly row: Row
  readonly candidate: Candidate
  readonly reason: Reason
}

/** Rows whose proposal the API calls clear: one button accepts all of them. */
export function clearRows({ rows }: Pick<Shipment, 'rows'>): Clear[] {
  return rows.flatMap(row => {
    const correction = correctionOf(row)
    if (correction === null || correction.isApplied || row.classified?.status !== 'clear') return []
    // if a verdict leaves out the first candidate, the next one is not clear
    const isFirst = row.classified.candidates[0]?.hs_code === correction.candidate.hs_code
    return isFirst ? [{ row, candidate: correction.candidate, reason: correction.reason }] : []
  })
}

/** The currency of all amounts: the chosen one, else the destination's. */
export const currencyOf = ({ terms }: Pick<Shipment, 'terms'>): string =>
  CURRENCY.test(terms.currency) ? terms.currency.toUpperCase() : currencyOfCountry(terms.country)

const valued = new WeakMap<readonly Row[], boolean>()

/** Cached, because every row needs it. */
export function hasValues({ rows }: Pick<Shipment, 'rows'>): boolean {
  const known = valued.get(rows)
  if (known !== undefined) return known
  const found = rows.some(({ text }) => text.value.trim() !== '')
  valued.set(rows, found)
  return found
}

/** Why typed text cannot be read. */
export type Problem =
  | { readonly kind: 'badCode' | 'science' | 'badValue' | 'badQuantity' | 'badOrigin' | 'badSugar' }
  | { readonly kind: 'otherCurrency'; readonly currency: string }
  /** The text can mean two amounts; both are given in an unambiguous form. */
  | { readonly kind: 'unclear'; readonly grouped: string; readonly decimal: string }

const amountOf = (text: string, state: Pick<Shipment, 'terms'>) => readAmount(text, currencyOf(state), allCurrencies())

function amountProblem(reading: Reading, state: Pick<Shipment, 'terms'>): Problem | null {
  if (reading.kind === 'empty') return null
  if (reading.kind === 'bad') return { kind: 'badValue' }
  if (reading.kind === 'unclear') return reading
  const currency = reading.currency ?? currencyOf(state)
  return currency === currencyOf(state) ? null : { kind: 'otherCurrency', currency }
}

function measureProblem(text: string): Problem | null {
  const reading = readAmount(splitMeasure(text)[0], 'USD', [])
  if (reading.kind === 'unclear') return reading
  return reading.kind === 'empty' || (reading.kind === 'amount' && !reading.currency) ? null : { kind: 'badQuantity' }
}

/** Null if the text can be read or is blank. */
export function problemOf({ text }: Row, field: Field, state: Pick<Shipment, 'terms'>): Problem | null {
  const typed = text[field].trim()
  if (typed === '') return null
  switch (field) {
    case 'code': {
      const plain = codeInCell(typed)
      if (isScientific(plain)) return { kind: 'science' }
      return looksLikeCode(plain) ? null : { kind: 'badCode' }
    }
    case 'value':
      return amountProblem(amountOf(typed, state), state)
    case 'measure':
      return measureProblem(typed)
    case 'origin':
      return originOf(typed) === null ? { kind: 'badOrigin' } : null
    case 'sugar':
      return readPercent(typed) === null ? { kind: 'badSugar' } : null
    default:
      return null
  }
}

const values = new WeakMap<RowText, { readonly currency: string; readonly value: string | null }>()

/** Null if the text is blank or cannot be read. Cached, because a change to one row needs the values of all rows. */
export function goodsValueOf({ text }: Row, state: Pick<Shipment, 'terms'>): string | null {
  const currency = currencyOf(state)
  const known = values.get(text)
  if (known?.currency === currency) return known.value
  const reading = amountOf(text.value, state)
  const value = reading.kind === 'amount' && amountProblem(reading, state) === null ? reading.value : null
  values.set(text, { currency, value })
  return value
}

const measures = new WeakMap<RowText, string>()

/** `792 l`: the quantity typed for excise, else a quantity that states its unit; '' if there is neither. */
export function measureOf({ text }: Row): string {
  const known = measures.get(text)
  if (known !== undefined) return known
  const made = readMeasure(text)
  measures.set(text, made)
  return made
}

function readMeasure(text: RowText): string {
  if (text.measure.trim() === '') return measureIn(text.quantity)
  const [number, unit] = splitMeasure(text.measure)
  const reading = readAmount(number, 'USD', [])
  return reading.kind === 'amount' && !reading.currency ? `${reading.value} ${unit}` : ''
}

export const sugarOf = ({ text }: Row): string => readPercent(text.sugar) ?? ''

export type TermProblem = 'badVat' | 'badAmount'

/** Why a term cannot be read. */
export function problemOfTerm(name: keyof Terms, state: Pick<Shipment, 'terms'>): TermProblem | null {
  const typed = state.terms[name]
  if (name === 'vat') {
    const percent = readPercent(typed)
    return percent === null || !VAT.test(percent || '0') ? 'badVat' : null
  }
  if (name !== 'freight' && name !== 'insurance') return null
  const reading = amountOf(typed, state)
  return amountProblem(reading, state) === null ? null : 'badAmount'
}

/** A term in the form that the API accepts: '' if it is blank, null if it cannot be read. */
export function termOf(name: 'vat' | 'freight' | 'insurance', state: Pick<Shipment, 'terms'>): string | null {
  if (problemOfTerm(name, state) !== null) return null
  if (name === 'vat') return readPercent(state.terms.vat)
  const reading = amountOf(state.terms[name], state)
  return reading.kind === 'amount' ? reading.value : ''
}

/** Whether a row was added but not filled in yet; such a row is ignored. */
export const isBlankRow = ({ text, choice }: Row) => choice === null && FIELDS.every(field => text[field].trim() === '')

/** Values are needed once any row has one; a plain list of codes needs none. */
export function needsOf(row: Row, state: Pick<Shipment, 'rows' | 'terms'>): Need[] {
  if (isBlankRow(row)) return []
  const needs: Need[] = []
  const code = codeOf(row)
  if (code === null) needs.push('code')
  else if ((row.lines ?? 0) > 1) needs.push('line')
  if (hasValues(state) && goodsValueOf(row, state) === null) needs.push('value')
  if (row.asks !== null && row.asks.unit !== '' && splitMeasure(measureOf(row))[1] !== row.asks.unit) needs.push('measure')
  if (row.asks?.sugar && sugarOf(row) === '') needs.push('sugar')
  return needs
}
