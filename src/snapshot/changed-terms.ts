/**
 * The terms of a code before or after a change: a country's rate, taxes, controls or unit. They are written as a cell of
 * changes.csv, and as fields of an answer.
 */
import { type APPLIES, TAX_NAMES, TAX_UNITS } from './country-format.js'
import { CONTROL_KINDS, type TermKind } from './format.js'

/** A row of taxes.csv; null for a blank cell. */
export interface ChangedTax {
  tax: (typeof TAX_NAMES)[number]
  /** Percent of the value. */
  rate: number | null
  /** In the country's currency, for each `unit`. */
  unit_amount: number | null
  /** The lowest price for each `unit` on which the rate is charged. */
  minimum: number | null
  unit: (typeof TAX_UNITS)[number] | null
  sugar_from: number | null
  sugar_below: number | null
  applies: (typeof APPLIES)[number]
  /** Null if the tax is in force already. */
  since: string | null
  until: string | null
}

export interface ChangedControl {
  kind: (typeof CONTROL_KINDS)[number]
  authority: string | null
}

/** Only the fields of one kind of change are present. */
export interface ChangedTerms {
  tariff_rate?: number
  rate_status?: (typeof RATE_STATUSES)[number]
  taxes?: readonly ChangedTax[]
  controls?: readonly ChangedControl[]
  unit?: string | null
}

/** Statuses of codes for which a country's list has no rate. */
export const RATE_STATUSES = ['prohibited', 'unknown'] as const

const SEPARATOR = '; '
const NUMBER = String.raw`\d+(?:\.\d+)?`
const DAY = String.raw`\d{4}-\d\d-\d\d`
/** A tax such as "vat 15 %", "excise 0.79 by l sugar 5-8" or "excise 100 % minimum 0.4 by u perhaps until 2026-12-31". */
// regexp-ignore: linear, at most two consecutive parts can start with the same characters
const TAX = new RegExp(
  [
    `^(?<tax>${TAX_NAMES.join('|')})`,
    `(?: (?<rate>${NUMBER}) %)?`,
    `(?: (?<amount>${NUMBER}))?`,
    `(?: minimum (?<minimum>${NUMBER}))?`,
    `(?: by (?<unit>${TAX_UNITS.join('|')}))?`,
    `(?: sugar (?<from>${NUMBER})?-(?<below>${NUMBER})?)?`,
    '(?<perhaps> perhaps)?',
    `(?: from (?<since>${DAY}))?`,
    `(?: until (?<until>${DAY}))?$`,
  ].join(''),
)
const RATE = /^\d+(?:\.\d+)?$/
const CONTROL = /^([a-z]+)(?: (.+))?$/

function taxText({ tax, rate, unit_amount, minimum, unit, sugar_from, sugar_below, applies, since, until }: ChangedTax): string {
  return [
    tax,
    rate !== null && `${rate} %`,
    unit_amount,
    minimum !== null && `minimum ${minimum}`,
    unit !== null && `by ${unit}`,
    (sugar_from ?? sugar_below) !== null && `sugar ${sugar_from ?? ''}-${sugar_below ?? ''}`,
    applies === 'perhaps' && applies,
    since !== null && `from ${since}`,
    until !== null && `until ${until}`,
  ]
    .filter(part => part !== false && part !== null)
    .join(' ')
}

/** The terms as a cell of changes.csv; '' if there is no unit or no control. */
export function termsText({ tariff_rate, rate_status, taxes, controls, unit }: ChangedTerms): string {
  if (taxes !== undefined) return taxes.map(taxText).join(SEPARATOR)
  if (controls === undefined) return String(tariff_rate ?? rate_status ?? unit ?? '')
  return controls.map(({ kind, authority }) => (authority === null ? kind : `${kind} ${authority}`)).join(SEPARATOR)
}

const numberOrNull = (text: string | undefined) => (text === undefined ? null : Number(text))

function taxOf(text: string): ChangedTax | undefined {
  const found = TAX.exec(text)?.groups
  return (
    found && {
      tax: found.tax as ChangedTax['tax'],
      rate: numberOrNull(found.rate),
      unit_amount: numberOrNull(found.amount),
      minimum: numberOrNull(found.minimum),
      unit: (found.unit ?? null) as ChangedTax['unit'],
      sugar_from: numberOrNull(found.from),
      sugar_below: numberOrNull(found.below),
      applies: found.perhaps === undefined ? 'yes' : 'perhaps',
      since: found.since ?? null,
      until: found.until ?? null,
    }
  )
}

function controlOf(text: string): ChangedControl | undefined {
  const [, written, authority = null] = CONTROL.exec(text) ?? []
  const kind = CONTROL_KINDS.find(one => one === written)
  return kind && { kind, authority }
}

function listOf<Item>(text: string, itemOf: (text: string) => Item | undefined): Item[] | undefined {
  const items = text === '' ? [] : text.split(SEPARATOR).map(itemOf)
  return items.includes(undefined) ? undefined : (items as Item[])
}

/** Reads the text that `termsText` writes; undefined if the text is not valid for this kind. */
export function termsOf(kind: TermKind, text: string): ChangedTerms | undefined {
  if (kind === 'unit') return /\s/.test(text) ? undefined : { unit: text === '' ? null : text }
  if (kind === 'taxes') {
    const taxes = listOf(text, taxOf)
    return taxes && { taxes }
  }
  if (kind === 'controls') {
    const controls = listOf(text, controlOf)
    return controls && { controls }
  }
  const status = RATE_STATUSES.find(one => one === text)
  if (status !== undefined) return { rate_status: status }
  return RATE.test(text) ? { tariff_rate: Number(text) } : undefined
}
