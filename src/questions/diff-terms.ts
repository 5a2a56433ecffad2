/** Finds differences between two datasets in the rates and taxes of countries, in controls and in units. */
import type { Catalog } from '../catalog/catalog.js'
import type { Country, CountryView } from '../catalog/countries.js'
import { type ChangedControl, type ChangedTax, type ChangedTerms, termsText } from '../snapshot/changed-terms.js'
import type { CountryCode, CountryTax } from '../snapshot/country-format.js'
import { CONTROL_SCOPES, type ControlScope, type TermKind } from '../snapshot/format.js'

export interface TermsChange {
  /** The shortest code whose lines all have this change. Only lines in both datasets count. */
  hs_code: string
  /** Undefined if the change applies to all countries. */
  country?: CountryCode
  old: ChangedTerms
  new: ChangedTerms
}

export type TermsDifference = Record<TermKind, TermsChange[]>

/** Returns the old and new terms of a line, given its record in each dataset; undefined if they are not compared. */
type Sides = (earlier: number, record: number) => [ChangedTerms, ChangedTerms] | undefined

interface Run {
  hs_code: string
  /** The lines of the code, as positions in the list of lines. */
  first: number
  end: number
}

/** The lines that both datasets have, and the codes at or above them. */
class SharedLines {
  readonly #lines: { earlier: number; record: number }[] = []
  /** In code order, so that a code comes before those below it. */
  readonly #runs: Run[] = []

  constructor(before: Catalog, after: Catalog, inOrder: readonly number[]) {
    /** The current code and the codes above it. */
    const open: Run[] = []
    for (const record of inOrder) {
      const hs_code = after.records.code(record)
      while (open.length > 0 && !hs_code.startsWith(open[open.length - 1].hs_code)) open.pop()
      const run = { hs_code, first: this.#lines.length, end: this.#lines.length }
      open.push(run)
      this.#runs.push(run)
      const earlier = before.trie.find(hs_code)
      if (after.childCount[record] > 0 || earlier < 0) continue
      this.#lines.push({ earlier, record })
      for (const one of open) one.end++
    }
  }

  changes(country: CountryCode | undefined, sidesOf: Sides): TermsChange[] {
    const sides = this.#lines.map(({ earlier, record }) => sidesOf(earlier, record))
    const keys = sides.map(pair => {
      const [old, now] = pair?.map(termsText) ?? []
      return old === now ? '' : `${old}\n${now}`
    })
    const sameUntil = new Uint32Array(keys.length)
    for (let i = keys.length - 1; i >= 0; i--) sameUntil[i] = keys[i] === keys[i + 1] ? sameUntil[i + 1] : i + 1
    let listed = 0
    return this.#runs.flatMap(({ hs_code, first, end }) => {
      if (first === end || first < listed || keys[first] === '' || sameUntil[first] < end) return []
      listed = end
      const [old, now] = sides[first] as [ChangedTerms, ChangedTerms]
      return [{ hs_code, ...(country !== undefined && { country }), old, new: now }]
    })
  }
}

function rateOf(view: CountryView, record: number): ChangedTerms {
  const status = view.ruleOf(record)?.status ?? 'allowed'
  if (status === 'allowed') return { tariff_rate: Number(view.rateText(record)) }
  return { rate_status: status === 'prohibited' ? status : 'unknown' }
}

/** Lines for which neither list has a row are not compared, because they follow the common tariff. */
function rateSides(old: CountryView, now: CountryView): Sides {
  return (earlier, record) =>
    old.ruleOf(earlier) === undefined && now.ruleOf(record) === undefined
      ? undefined
      : [rateOf(old, earlier), rateOf(now, record)]
}

const numberOrNull = (text: string) => (text === '' ? null : Number(text))

const changedTax =
  (day: string) =>
  (row: CountryTax): ChangedTax => ({
    tax: row.tax,
    rate: numberOrNull(row.rate),
    unit_amount: numberOrNull(row.amount),
    minimum: numberOrNull(row.minimum),
    unit: row.unit || null,
    sugar_from: numberOrNull(row.sugarFrom),
    sugar_below: numberOrNull(row.sugarBelow),
    applies: row.applies,
    since: row.since > day ? row.since : null,
    until: row.until || null,
  })

/** The taxes on a code: its rows, including those that come into force later, and standard VAT unless a row replaces it. */
function taxesOf(country: Country, record: number, day: string): ChangedTerms {
  const rows = country.taxesFrom(record, day)
  const isReplaced = rows.some(({ tax, applies, since }) => tax === 'vat' && applies === 'yes' && since <= day)
  const standard = { tax: 'vat', amount: '', minimum: '', unit: '', sugarFrom: '', sugarBelow: '', applies: 'yes' } as const
  const { rate } = country.meta.vat
  const specific = rows.map(changedTax(day))
  const taxes = isReplaced ? specific : [changedTax(day)({ ...standard, rate, since: '', until: '' } as CountryTax), ...specific]
  // rows that differ only in their goods or conditions are listed once
  return { taxes: [...new Map(taxes.map(tax => [termsText({ taxes: [tax] }), tax])).values()] }
}

/** A record's controls without reasons and sources, which are not compared because they are often reworded. */
function controlsOf({ controls }: Catalog, record: number, scope: ControlScope): ChangedTerms {
  const found = controls
    .of(record, [scope])
    .map(({ kind, authority }): ChangedControl => ({ kind, authority: authority.replaceAll(';', ',') || null }))
  const distinct = new Map(found.map(control => [termsText({ controls: [control] }), control]))
  return { controls: [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, control]) => control) }
}

const unitOf = (catalog: Catalog, record: number): ChangedTerms => ({ unit: catalog.unitOf(record)?.code ?? null })

const byCode = (a: TermsChange, b: TermsChange) => (a.hs_code < b.hs_code ? -1 : a.hs_code > b.hs_code ? 1 : 0)

/**
 * Compares the rates of each country's newest list, and the taxes in force on the day or later. Countries that only one dataset
 * has are not compared. `inOrder`: the records of `after` in code order.
 */
export function termsDifference(before: Catalog, after: Catalog, inOrder: readonly number[], day: string): TermsDifference {
  const lines = new SharedLines(before, after, inOrder)
  const ofCountries = (sidesOf: (old: Country, now: Country) => Sides) =>
    after.countries.codes.flatMap(code => {
      const [old, now] = [before.countries.find(code), after.countries.find(code)]
      return old === undefined || now === undefined ? [] : lines.changes(code, sidesOf(old, now))
    })
  const ofControls = CONTROL_SCOPES.flatMap(scope =>
    lines.changes(scope === 'GCC' ? undefined : scope, (earlier, record) => [
      controlsOf(before, earlier, scope),
      controlsOf(after, record, scope),
    ]),
  )
  return {
    country_rate: ofCountries((old, now) => rateSides(old.newest, now.newest)).sort(byCode),
    taxes: ofCountries((old, now) => (earlier, record) => [taxesOf(old, earlier, day), taxesOf(now, record, day)]).sort(byCode),
    controls: ofControls.sort(byCode),
    unit: lines.changes(undefined, (earlier, record) => [unitOf(before, earlier), unitOf(after, record)]),
  }
}
