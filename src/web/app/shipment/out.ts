/** Exports a shipment as a table: every pasted cell, followed by the results for each row. Loaded when a file is made. */
import { isGtin } from '../../../catalog/decisions.js'
import { CLASSIFY_CHARS_MAX } from '../../../limits.js'
import { estimateOf, isGood, totalsOf } from './estimate-request.js'
import { ADDED } from './headings.js'
import { editionOf, THIS_EDITION } from './plan.js'
import { isBlank } from './read-table.js'
import {
  certaintyOf,
  codeOf,
  correctionOf,
  currencyOf,
  givenCode,
  isBlankRow,
  measureOf,
  needsOf,
  proposalsOf,
  recordOf,
  splitMeasure,
} from './row.js'
import type { Row, Shipment } from './state.js'
import { type Cell, csvBlob, excelBlob, numberOrText } from './table-files.js'

/** Edition and version of the dataset; '' if unknown. */
export interface DatasetFacts {
  readonly edition: string
  readonly version: string
}

export { ADDED }

type Added = Partial<Record<(typeof ADDED)[number], string>>

/** Columns for values that were typed into a row: the pasted cells do not contain them. */
const TYPED = ['words', 'code', 'value', 'quantity', 'origin', 'measure', 'sugar', 'sku'] as const

const CANDIDATES_MAX = 5

const cellsOf = (parts: Added) => ADDED.map(name => parts[name] ?? '')

/** `open`: not requested yet. `proposed`: not accepted yet. */
function statusOf(row: Row): string {
  if (row.choice !== null) return row.choice.by === 'proposal' ? 'corrected' : 'chosen'
  if (codeOf(row) !== null || (givenCode(row) !== '' && row.classified === null)) return row.resolved?.status ?? 'open'
  if (row.classified === null) return 'open'
  return correctionOf(row) === null ? 'unknown' : 'proposed'
}

/** Codes that were proposed but not accepted. */
function candidatesOf(row: Row): string {
  if (row.choice !== null) return ''
  const proposed = proposalsOf(row).map(({ hs_code }) => hs_code)
  const meant = row.resolved?.candidates ?? []
  const nearest = row.resolved?.nearest ?? ''
  const codes = [...new Set([...proposed, ...meant])].slice(0, CANDIDATES_MAX)
  return codes.length > 0 ? codes.join(' ') : nearest
}

function codeParts(row: Row): Added {
  const record = recordOf(row)
  const correction = correctionOf(row)
  return {
    status: statusOf(row),
    hs_code: codeOf(row) ?? '',
    description_en: record?.description.en ?? '',
    description_ar: record?.description.ar ?? '',
    certainty: certaintyOf(row),
    reason: correction?.reason ?? '',
    corrected_from: row.choice === null ? '' : row.choice.instead || '(blank)',
    candidates: candidatesOf(row),
    tariff_rate: record?.rate === null || record?.rate === undefined ? '' : String(record.rate),
  }
}

function amountParts(row: Row, state: Shipment): Added {
  const [quantity, unit] = splitMeasure(measureOf(row))
  const measure = { excise_quantity: quantity, excise_unit: unit }
  const answer = estimateOf(row, state)
  const amounts = totalsOf(state)?.rows.get(row.id)
  if (answer === null) return measure
  if (!isGood(answer) || amounts === undefined) return { ...measure, error: isGood(answer) ? '' : answer.error.code }
  const { calculation, origin } = answer
  return {
    ...measure,
    origin: origin?.country ?? '',
    value: calculation.goods_value ?? calculation.declared_value,
    freight: calculation.freight ?? '',
    insurance: calculation.insurance ?? '',
    cif_value: amounts.declared_value,
    currency: currencyOf(state),
    duty_rate: calculation.import_duty_rate,
    duty: amounts.import_duty_amount,
    excise: amounts.excise_amount,
    vat_rate: calculation.vat_rate,
    vat: amounts.vat_amount,
    total_duties_taxes: amounts.total_duties_taxes,
    landed_cost: amounts.landed_cost,
  }
}

function totalParts(state: Shipment): Added | null {
  const total = totalsOf(state)
  const open = [...new Set([...(total?.left ?? []), ...(total?.undecided ?? [])])].sort((a, b) => a - b)
  return (
    total && {
      status: total.isComplete ? 'total' : 'total_incomplete',
      cif_value: total.declared_value,
      currency: total.currency,
      duty: total.import_duty_amount,
      excise: total.excise_amount,
      fees: total.fees_amount,
      vat: total.vat_amount,
      total_duties_taxes: total.total_duties_taxes,
      landed_cost: total.landed_cost,
      needs: open.length > 0 ? `rows ${open.join(' ')}` : '',
    }
  )
}

/**
 * The table as cells: heading, one line for each pasted line (including blank ones) and each typed row, and totals if there are
 * any.
 */
export function rowsOut(state: Shipment, { edition, version }: DatasetFacts): string[][] {
  const { source, rows } = state
  const width = Math.max(0, source?.header?.length ?? 0, ...(source?.cells.map(row => row.length) ?? []))
  const padded = (row: readonly string[]) => Array.from({ length: width }, (_, at) => row[at] ?? '')
  const names = source?.header ?? (width === 1 ? ['input'] : Array.from({ length: width }, (_, at) => `column_${at + 1}`))
  // typed values have their own columns, so that pasted cells stay unchanged
  const isTyped = rows.some(row => typedOf(row, source).some(text => text !== ''))
  const typed = (row: Row | null) => (isTyped ? (row === null ? TYPED.map(() => '') : typedOf(row, source)) : [])
  const head = [...padded(names), ...(isTyped ? TYPED.map(name => `typed_${name}`) : []), ...addedNames(padded(names))]
  const facts: Added = {
    destination: state.terms.country || 'GCC',
    edition: edition || `HS ${THIS_EDITION}`,
    given_edition: `HS ${editionOf(state)}`,
    dataset: version,
  }
  const line = (row: Row, cells: readonly string[]) => {
    const needs = { needs: needsOf(row, state).join(' ') }
    return [...padded(cells), ...typed(row), ...cellsOf({ ...codeParts(row), ...amountParts(row, state), ...needs, ...facts })]
  }
  const byPlace = new Map(rows.map(row => [row.at, row]))
  const lines = (source?.cells ?? []).flatMap((cells, at) => {
    const row = byPlace.get(at)
    if (row !== undefined) return [line(row, cells)]
    // skip a row that the visitor has removed; keep blank lines
    return isBlank(cells) ? [[...padded([]), ...typed(null), ...cellsOf({})]] : []
  })
  const own = rows.filter(row => row.at === null && !isBlankRow(row)).map(row => line(row, []))
  const total = totalParts(state)
  const last = total === null ? [] : [[...padded([]), ...typed(null), ...cellsOf({ ...total, ...facts })]]
  return [head, ...lines, ...own, ...last]
}

/** Renames our columns if pasted columns have the same names. */
function addedNames(pasted: readonly string[]): string[] {
  const taken = new Set(pasted.map(name => name.trim().toLowerCase()))
  return ADDED.map(name => (taken.has(name) ? `${name}_2` : name))
}

/** The values typed into a row that differ from its pasted cells. */
function typedOf({ at, text }: Row, source: Shipment['source']): string[] {
  const cells = at === null ? undefined : source?.cells[at]
  return TYPED.map(field => {
    const typed = text[field].trim()
    const column = field === 'measure' || field === 'sugar' ? -1 : (source?.columns[field] ?? -1)
    const pasted = cells === undefined || column < 0 ? '' : (cells[column]?.trim() ?? '')
    // the page may have added the unit or currency that the table states elsewhere
    const mayBeAdded = (field === 'quantity' || field === 'value') && pasted !== ''
    return typed === pasted || (mayBeAdded && typed.startsWith(`${pasted} `)) ? '' : typed
  })
}

export const csvFile = (state: Shipment, facts: DatasetFacts) => csvBlob(rowsOut(state, facts))

/** An Excel file in which all codes are text, including pasted codes. */
export function excelFile(state: Shipment, facts: DatasetFacts, isRightToLeft: boolean): Blob {
  const [head = [], ...rows] = rowsOut(state, facts)
  const first = head.length - ADDED.length
  const codes = new Set(
    ['hs_code', 'corrected_from', 'candidates', 'dataset', 'needs'].map(name => first + ADDED.indexOf(name as never)),
  )
  for (const at of [state.source?.columns.code ?? -1, state.source?.columns.sku ?? -1]) codes.add(at)
  for (const [at, name] of head.entries()) if (name === 'typed_code' || name === 'typed_sku') codes.add(at)
  const sheet: Cell[][] = rows.map(row => row.map((cell, at) => (codes.has(at) ? cell : numberOrText(cell))))
  return excelBlob([head, ...sheet], isRightToLeft)
}

/** The same columns as in `hsapi decide` and in the file of HSAPI_DECISIONS. */
const DECISION_COLUMNS = ['sku', 'gtin', 'text', 'code', 'country', 'who', 'day', 'why']

/** Rows whose code a person accepted, typed or chose, and that name their goods. */
export const decidedRows = ({ rows }: Pick<Shipment, 'rows'>): Row[] =>
  rows.filter(({ choice, text }) => choice !== null && (text.sku.trim() !== '' || text.words.trim() !== ''))

export interface Decider {
  who: string
  day: string
  /** The reason that the file gives for a code that replaced another code. */
  insteadOf: (code: string) => string
}

/** A company's own decisions, in the columns that the program reads. */
export function decisionRows(state: Shipment, { who, day, insteadOf }: Decider): string[][] {
  const cells = decidedRows(state).map(({ text, choice }) => {
    const sku = text.sku.trim()
    const words = [...text.words.trim()].slice(0, CLASSIFY_CHARS_MAX).join('')
    const { code, instead } = choice as NonNullable<Row['choice']>
    const why = instead === '' ? '' : insteadOf(instead)
    return [sku, isGtin(sku) ? sku : '', words, code, state.terms.country, who, day, why]
  })
  return [DECISION_COLUMNS, ...cells]
}

export const decisionsFile = (state: Shipment, decider: Decider) => csvBlob(decisionRows(state, decider))

/** One line for each pasted line and each typed row, so that the column can be pasted next to the visitor's own table. */
export function codeColumn({ source, rows }: Shipment): string[] {
  const byPlace = new Map(rows.map(row => [row.at, row]))
  const code = (row: Row | undefined) => (row === undefined ? '' : (codeOf(row) ?? ''))
  const pasted = (source?.cells ?? []).flatMap((cells, at) => (byPlace.has(at) || isBlank(cells) ? [code(byPlace.get(at))] : []))
  const codes = [...pasted, ...rows.filter(row => row.at === null && !isBlankRow(row)).map(code)]
  return source?.header == null ? codes : ['hs_code', ...codes]
}

/** With this format, spreadsheets read cells of an HTML table as text; in plain text they would drop leading zeros. */
export const columnHtml = (cells: readonly string[]) =>
  `<table>${cells.map(cell => `<tr><td style='mso-number-format:"\\@"'>${cell}</td></tr>`).join('')}</table>`
