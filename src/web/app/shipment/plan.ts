/**
 * Decides which question to send to the API next. The result depends only on the state and the quota; every answer leaves fewer
 * questions.
 */
import type { ClassifyItem, ClassifyRequest, InvoiceRequest, ResolveRequest } from '../../../answers/shapes.js'
import { sharedSubheading } from '../../../codes/levels.js'
import { CLASSIFY_ITEMS_MAX, CLASSIFY_WITHIN_MAX, INVOICE_ITEMS_MAX } from '../../../limits.js'
import { EARLIER_EDITIONS } from '../data/first-paths.js'
import { asked, estimateOf, feesQuestion } from './estimate-request.js'
import { codeOf, givenCode, titleOf } from './row.js'
import type { Kind, Row, Shipment } from './state.js'

/** Codes per request: few, so that answers arrive quickly. */
const RESOLVED_MAX = 200
/** Maximum candidates for a row. */
const PROPOSED_MAX = 5
/** Lines of one subheading: the maximum of the API. */
const LINES_MAX = 20
const LINE_DIGITS = 12
/** The edition of codes if the visitor has not chosen another. */
export const THIS_EDITION = '2022'
export const EDITIONS = [THIS_EDITION, ...EARLIER_EDITIONS]

interface Question<K extends Kind, Body> {
  readonly kind: K
  readonly path: 'resolve' | 'classify' | 'tariff/calculate'
  readonly body: Body
  /** For each part of the answer, in order: the key that matches it to rows. Rows with the same question share a key. */
  readonly keys: readonly string[]
}

export type Ask =
  | Question<'resolve', ResolveRequest>
  | Question<'classify', ClassifyRequest>
  | Question<'estimate', InvoiceRequest>
  | Question<'fees', InvoiceRequest>

const forCountry = ({ terms }: Shipment) => (terms.country === '' ? {} : { country: terms.country })

export const editionOf = ({ terms }: Pick<Shipment, 'terms'>): string => terms.edition || THIS_EDITION

/** A chosen code is always a current one, even if the pasted codes are of another edition. */
function resolution(row: Row, state: Shipment): { code: string; edition: string } | null {
  if (row.lines !== null) return null
  if (row.choice !== null) return { code: row.choice.code, edition: THIS_EDITION }
  const code = givenCode(row)
  return code === '' || row.resolved !== null ? null : { code, edition: editionOf(state) }
}

/** Identifies the lookup of a row's code; '' if no lookup is needed. */
export function resolveKey(row: Row, state: Shipment): string {
  const wanted = resolution(row, state)
  return wanted === null ? '' : JSON.stringify([wanted.edition, state.terms.country, wanted.code])
}

/** Words of rows without a code are always classified; with a code, only if it is invalid or the visitor wants to compare. */
function classification(row: Row, state: Shipment): { item: ClassifyItem; isLine: boolean } | null {
  if (row.classified !== null || row.choice !== null) return null
  const text = titleOf(row)
  if (text === '') return null
  const within = row.steps.at(-1)
  if (within !== undefined)
    return { item: { text, within: within.slice(0, CLASSIFY_WITHIN_MAX) }, isLine: sharedSubheading(within) !== null }
  if (givenCode(row) === '') return { item: { text }, isLine: false }
  const { resolved } = row
  if (resolved === null || (!state.isComparing && resolved.status !== 'invalid')) return null
  const code = codeOf(row)
  if (code !== null) return { item: { text, hs_code: code }, isLine: false }
  // the codes that the row's code may stand for, such as the successors of an older code
  const meant = resolved.candidates.slice(0, CLASSIFY_WITHIN_MAX)
  return { item: meant.length > 0 ? { text, within: meant } : { text }, isLine: false }
}

/** Identifies the classification of a row's words; '' if none is needed. */
export function classifyKey(row: Row, state: Shipment): string {
  const wanted = classification(row, state)
  return wanted === null ? '' : JSON.stringify([state.terms.country, wanted.isLine, wanted.item])
}

/** The first question of a kind and those that can be sent in the same request, without duplicates. */
function batch<One>(rows: readonly Row[], max: number, of: (row: Row) => { key: string; group: string; one: One } | null) {
  const found = new Map<string, One>()
  let group: string | null = null
  for (const row of rows) {
    if (found.size >= max) break
    const wanted = of(row)
    if (wanted === null || (group !== null && wanted.group !== group)) continue
    group = wanted.group
    found.set(wanted.key, wanted.one)
  }
  return found
}

function resolveAsk(state: Shipment, room: number): Ask | null {
  const found = batch(state.rows, Math.min(RESOLVED_MAX, room), row => {
    const wanted = resolution(row, state)
    return wanted && { key: resolveKey(row, state), group: wanted.edition, one: wanted }
  })
  const wanted = [...found.values()]
  const [first] = wanted
  if (first === undefined) return null
  const body = { codes: wanted.map(({ code }) => code), edition: first.edition, ...forCountry(state) }
  return { kind: 'resolve', path: 'resolve', body, keys: [...found.keys()] }
}

function classifyAsk(state: Shipment, room: number): Ask | null {
  const found = batch(state.rows, Math.min(CLASSIFY_ITEMS_MAX, room), row => {
    const wanted = classification(row, state)
    return wanted && { key: classifyKey(row, state), group: String(wanted.isLine), one: wanted }
  })
  const wanted = [...found.values()]
  const [first] = wanted
  if (first === undefined) return null
  const level = first.isLine ? ({ level: LINE_DIGITS, limit: LINES_MAX } as const) : { limit: PROPOSED_MAX }
  const body = { items: wanted.map(({ item }) => item), ...level, ...forCountry(state) }
  return { kind: 'classify', path: 'classify', body, keys: [...found.keys()] }
}

function estimateAsk(state: Shipment, room: number): Ask | null {
  const all = asked(state)
  if (all === null) return null
  const found = batch(state.rows, Math.min(INVOICE_ITEMS_MAX, room), row => {
    const wanted = all.items.get(row.id)
    // the code of the row may still change
    if (wanted === undefined || row.lines === null || estimateOf(row, state) !== null) return null
    return { key: wanted.key, group: '', one: wanted.item }
  })
  if (found.size === 0) return null
  return {
    kind: 'estimate',
    path: 'tariff/calculate',
    body: { ...all.body, items: [...found.values()] },
    keys: [...found.keys()],
  }
}

function feesAsk(state: Shipment): Ask | null {
  const question = feesQuestion(state)
  if (question === null || state.fees?.key === question.key) return null
  const { key, body, item } = question
  return { kind: 'fees', path: 'tariff/calculate', body: { ...body, items: [item] }, keys: [key] }
}

/**
 * `room`: the number of requests that the quota still allows; each key counts as one. Null if no question is left or `room` is
 * 0. If no quota is left, the caller passes 1 nevertheless: the API's refusal says how long to wait.
 */
export function nextAsk(state: Shipment, room: number): Ask | null {
  if (room < 1) return null
  const isRefused = (kind: Kind) => state.refusal?.kind === kind
  return (
    (isRefused('resolve') ? null : resolveAsk(state, room)) ??
    (isRefused('classify') ? null : classifyAsk(state, room)) ??
    (isRefused('estimate') ? null : (estimateAsk(state, room) ?? (isRefused('fees') ? null : feesAsk(state))))
  )
}

/** The number of rows of a kind that still wait, for the progress line. */
export function waiting(state: Shipment): Readonly<Record<'resolve' | 'classify' | 'estimate', number>> {
  const items = asked(state)?.items
  const count = (is: (row: Row) => boolean) => state.rows.filter(is).length
  return {
    resolve: count(row => resolution(row, state) !== null),
    classify: count(row => classification(row, state) !== null),
    estimate: count(row => items?.has(row.id) === true && row.lines !== null && estimateOf(row, state) === null),
  }
}
