/** A company's own decisions on codes: found by SKU, by GTIN, or by the text of a product. */
import { subheadingOf } from '../codes/levels.js'
import type { CountryCode } from '../snapshot/country-format.js'
import { words } from '../text/fold.js'
import type { CountryView } from './countries.js'
import type { Editions } from './editions.js'
import type { Trie } from './trie.js'

/** What a catalog knows of codes. */
interface Codes {
  trie: Trie
  editions: Editions
  estimateNoteOf(record: number): { isProhibited: boolean }
}

/** A row of decisions.csv; '' for a cell that is blank. */
export interface DecisionRow {
  sku: string
  gtin: string
  text: string
  code: string
  country: CountryCode | ''
  who: string
  day: string
  why: string
}

/** What a decision is looked up by; '' for what is not known. */
export interface DecisionKeys {
  sku: string
  gtin: string
  text: string
}

/** The code is of an earlier edition; no edition has it; its import is prohibited. */
export type DecisionProblem = 'old_edition' | 'unknown_code' | 'prohibited'

export interface Decision {
  row: DecisionRow
  /** The record of its code; of an earlier edition's code, what it became; empty for an unknown code. */
  records: readonly number[]
  problem: DecisionProblem | null
}

/** GTINs of 8, 12, 13 and 14 digits are the same number with zeros before it. */
const GTIN_DIGITS = 14
const gtinKey = (gtin: string) => `gtin ${gtin.padStart(GTIN_DIGITS, '0')}`
const skuKey = (sku: string) => `sku ${sku.trim()}`
/** Words as the classifier reads them. */
const textKey = (text: string) => `text ${words(text).join(' ')}`

const GTIN = /^(?:\d{8}|\d{12,14})$/

/** Weights 3 and 1 from the right; with the check digit, the sum ends in 0. */
export function isGtin(text: string): boolean {
  if (!GTIN.test(text)) return false
  let sum = 0
  for (let i = 0; i < text.length; i++) sum += Number(text[text.length - 1 - i]) * (i % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}

/** What a process reads from the file. */
export interface DecisionTable {
  rows: readonly DecisionRow[]
  /** Of the file's content. */
  digest: string
}

export class Decisions {
  readonly digest: string
  /** The last row of a key and country counts. */
  readonly #rows = new Map<string, Map<string, DecisionRow>>()

  constructor({ rows, digest }: DecisionTable) {
    this.digest = digest
    for (const row of rows) for (const key of keysOf(row)) this.#add(key, row)
  }

  #add(key: string, row: DecisionRow): void {
    const byCountry = this.#rows.get(key) ?? new Map<string, DecisionRow>()
    byCountry.set(row.country, row)
    this.#rows.set(key, byCountry)
  }

  /** SKU before GTIN before text; for each, the country's own decision before one for all countries. */
  find(catalog: Codes, keys: DecisionKeys, view: CountryView | undefined): Decision | undefined {
    const country = view?.country.code ?? ''
    for (const key of keysOf(keys)) {
      const byCountry = this.#rows.get(key)
      const row = byCountry?.get(country) ?? byCountry?.get('')
      if (row !== undefined) return judged(catalog, row, view)
    }
    return undefined
  }
}

function keysOf({ sku, gtin, text }: DecisionKeys): string[] {
  const keys: string[] = []
  if (sku.trim() !== '') keys.push(skuKey(sku))
  if (gtin !== '') keys.push(gtinKey(gtin))
  if (words(text).length > 0) keys.push(textKey(text))
  return keys
}

function judged(catalog: Codes, row: DecisionRow, view: CountryView | undefined): Decision {
  const { trie, editions } = catalog
  const record = trie.find(row.code)
  if (record < 0) {
    const records = [...(editions.lastTargets(subheadingOf(row.code)) ?? [])]
    return { row, records, problem: records.length > 0 ? 'old_edition' : 'unknown_code' }
  }
  const isProhibited = view === undefined ? catalog.estimateNoteOf(record).isProhibited : view.statusOf(record) === 'prohibited'
  return { row, records: [record], problem: isProhibited ? 'prohibited' : null }
}
