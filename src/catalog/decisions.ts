/** A company's own decisions on codes: found by SKU, by GTIN, or by the text of a product. */
import { subheadingOf } from '../codes/levels.js'
import type { CountryCode } from '../snapshot/country-format.js'
import { words } from '../text/fold.js'
import type { CountryView } from './countries.js'
import type { Editions } from './editions.js'
import type { Trie } from './trie.js'

/** The parts of a catalog that check codes. */
interface Codes {
  trie: Trie
  editions: Editions
  estimateNoteOf(record: number): { isProhibited: boolean }
}

/** A row of decisions.csv; '' for a blank cell. */
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

/** The keys that find a decision; '' for an unknown key. */
export interface DecisionKeys {
  sku: string
  gtin: string
  text: string
}

/**
 * `old_edition`: the code is of an earlier edition. `unknown_code`: no edition has the code. `prohibited`: import is
 * prohibited.
 */
export type DecisionProblem = 'old_edition' | 'unknown_code' | 'prohibited'

export interface Decision {
  row: DecisionRow
  /**
   * The record of the code, or the current records that replaced it if it is of an earlier edition; empty for an unknown code.
   */
  records: readonly number[]
  problem: DecisionProblem | null
}

/** A GTIN of 8, 12 or 13 digits, padded with zeros in front to 14 digits, is still the same GTIN. */
const GTIN_DIGITS = 14
const gtinKey = (gtin: string) => `gtin ${gtin.padStart(GTIN_DIGITS, '0')}`
const skuKey = (sku: string) => `sku ${sku.trim()}`
/** Uses words as the classifier reads them, so that case and punctuation do not matter. */
const textKey = (text: string) => `text ${words(text).join(' ')}`

const GTIN = /^(?:\d{8}|\d{12,14})$/

/** Verifies the check digit: from the right, the digits have the weights 1, 3, 1, 3 …, and their sum is a multiple of 10. */
export function isGtin(text: string): boolean {
  if (!GTIN.test(text)) return false
  let sum = 0
  for (let i = 0; i < text.length; i++) sum += Number(text[text.length - 1 - i]) * (i % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}

/** The decisions that a process has read from the file. */
export interface DecisionTable {
  rows: readonly DecisionRow[]
  /** Digest of the file's content. */
  digest: string
}

export class Decisions {
  readonly digest: string
  /** Rows by key and country; if several rows have the same key and country, the last one counts. */
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

  /**
   * Looks for the SKU first, then the GTIN, then the text; for each, a decision for the country comes before one for all
   * countries.
   */
  find(catalog: Codes, keys: DecisionKeys, view: CountryView | undefined): Decision | undefined {
    const country = view?.country.code ?? ''
    for (const key of keysOf(keys)) {
      const byCountry = this.#rows.get(key)
      const row = byCountry?.get(country) ?? byCountry?.get('')
      if (row !== undefined) return toDecision(catalog, row, view)
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

function toDecision(catalog: Codes, row: DecisionRow, view: CountryView | undefined): Decision {
  const { trie, editions } = catalog
  const record = trie.find(row.code)
  if (record < 0) {
    const records = [...(editions.lastTargets(subheadingOf(row.code)) ?? [])]
    return { row, records, problem: records.length > 0 ? 'old_edition' : 'unknown_code' }
  }
  const isProhibited = view === undefined ? catalog.estimateNoteOf(record).isProhibited : view.statusOf(record) === 'prohibited'
  return { row, records: [record], problem: isProhibited ? 'prohibited' : null }
}
