/**
 * Country layers. `catalog.countries.find('SA')` is a `Country`; `country.asOf('2025-12-01')` or `country.newest` is a
 * `CountryView`: the country's rates from one of its lists, read from columns. Taxes, fees, thresholds and anti-dumping duties
 * depend on the day, because each has its own dates; a day is text such as 2026-11-17.
 *
 *   view.rateIndex(record)      index into `catalog.rates` and `meta.rates`, as are lowIndex and highIndex
 *   view.ruleOf(record)         status, source, date and certainty; undefined if the rate comes from the common tariff
 *   view.statusOf(record)       normal, prohibited or unknown; controls are taken into account
 *   country.taxesOf(record, day)   rows in force, longest prefix first; `differBelow` if codes below have other rows
 *   country.feesOn(day), country.thresholdsOn(day), isFor(threshold, code)
 *   catalog.countries.agreementsFor('SA', 'EG', record)   agreements, each with its terms for these goods
 *   catalog.countries.antiDumping('SA', 'CN', code, day)
 *   country.source(index), catalog.countries.originSource(index)   texts of sources
 */
import type {
  AgreementMeta,
  AgreementTerm,
  AntiDumping,
  CountryCertainty,
  CountryCode,
  CountryFee,
  CountryMeta,
  CountryTax,
  CountryThreshold,
  RuleStatus,
} from '../snapshot/country-format.js'
import { COUNTRY_CERTAINTIES, RULE_STATUSES, TAXES_DIFFER_BELOW } from '../snapshot/country-format.js'
import type { SnapshotMeta } from '../snapshot/format.js'
import type { Columns } from '../snapshot/schema.js'
import type { Controls } from './controls.js'
import type { Records } from './records.js'

/** A row of a country's list. */
export interface Rule {
  /** The rule applies to codes that start with this; '' for all codes. */
  prefix: string
  /** Percent; only valid if `status` is `allowed`. */
  rate: string
  status: RuleStatus
  /** Date of the row in the list, such as 2025-11-27. */
  date: string
  source: string
  certainty: CountryCertainty
}

export type RateStatus = 'normal' | 'prohibited' | 'unknown'

export interface TaxesOfRecord {
  /** Rows in force on the day; for each tax, only those with the longest prefix. */
  rows: CountryTax[]
  /** Whether other rows apply to some of the codes below. */
  differBelow: boolean
}

/** An agreement between the importing country and the country of origin, and its terms for the goods. */
export interface AgreementForGoods {
  agreement: AgreementMeta
  /** Undefined if the goods are in no category, or if estimates do not apply the agreement. */
  term: AgreementTerm | undefined
  certainty: CountryCertainty
}

interface Shared {
  meta: SnapshotMeta
  columns: Columns
  records: Records
  controls: Controls
}

/** Whether a row with these dates is in force on the day; '' means no limit. */
function isInForce(day: string, since: string, until = ''): boolean {
  return (since === '' || since <= day) && (until === '' || day <= until)
}

export class Countries {
  readonly codes: readonly CountryCode[]
  readonly #countries: readonly Country[]

  constructor(private readonly shared: Shared) {
    const { countries } = shared.meta
    this.codes = countries.map(({ code }) => code)
    this.#countries = countries.map((meta, i) => new Country(shared, meta, i))
  }

  find(code: string): Country | undefined {
    return this.#countries.find(country => country.code === code)
  }

  originSource(source: number): string {
    return this.shared.meta.originSources[source]
  }

  agreementsFor(importer: CountryCode, origin: string, record: number): AgreementForGoods[] {
    const { meta, columns } = this.shared
    return meta.agreements
      .filter(({ importers, members }) => importers.includes(importer) && members.includes(origin))
      .map(agreement => {
        const { at, terms, categories, certainty } = agreement
        if (at < 0) return { agreement, term: terms[0], certainty }
        const category = categories[columns.agreementCategory[at * meta.records + record] - 1]
        if (category === undefined) return { agreement, term: undefined, certainty }
        return { agreement, term: terms[category.term], certainty: category.certainty }
      })
  }

  /** Anti-dumping duties in force for goods of that origin; '' matches all origins. */
  antiDumping(importer: CountryCode, origin: string, code: string, day: string): AntiDumping[] {
    return this.shared.meta.antiDumping.filter(
      row =>
        (row.scope === 'GCC' || row.scope === importer) &&
        (origin === '' || row.origin === origin) &&
        (code.startsWith(row.prefix) || row.prefix.startsWith(code)) &&
        isInForce(day, row.since, row.until),
    )
  }
}

export class Country {
  readonly code: CountryCode
  /** Rates from the newest list, or from the common tariff if the country has no list. */
  readonly newest: CountryView
  readonly #views: readonly CountryView[]
  readonly #taxes: Uint16Array

  constructor(
    private readonly shared: Shared,
    readonly meta: CountryMeta,
    private readonly index: number,
  ) {
    const { records } = shared.meta
    this.code = meta.code
    this.#views = meta.lists.map(({ date, at }) => new CountryView(shared, this, date, at))
    this.newest = this.#views.at(-1) ?? new CountryView(shared, this, '', -1)
    this.#taxes = shared.columns.countryTax.subarray(index * records, (index + 1) * records)
  }

  /** Rates from the newest list dated on or before the day; undefined if there is none. */
  asOf(day: string): CountryView | undefined {
    return this.#views.findLast(({ list }) => list <= day)
  }

  source(source: number): string {
    return this.meta.sources[source]
  }

  /** `place` counts from 1, as in the column `countryRule`. */
  rule(place: number): Rule {
    const { columns, meta } = this.shared
    const at = columns.ruleAt[this.index] + place - 1
    const date = String(columns.ruleDate[at])
    return {
      prefix: String(columns.rulePrefix[at]).slice(1),
      rate: meta.rates[columns.ruleRate[at]],
      status: RULE_STATUSES[columns.ruleStatus[at]],
      date: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`,
      source: this.meta.sources[columns.ruleSource[at]],
      certainty: COUNTRY_CERTAINTIES[columns.ruleCertainty[at]],
    }
  }

  taxesOf(record: number, day: string): TaxesOfRecord {
    const rows = this.#taxRows(record, ({ since, until }) => isInForce(day, since, until))
    return { rows, differBelow: (this.#taxes[record] & TAXES_DIFFER_BELOW) !== 0 }
  }

  /** Rows in force on the day or later; for each tax, only those with the longest prefix. */
  taxesFrom(record: number, day: string): CountryTax[] {
    return this.#taxRows(record, ({ until }) => isInForce(day, '', until))
  }

  #taxRows(record: number, accepts: (row: CountryTax) => boolean): CountryTax[] {
    const rows: CountryTax[] = []
    for (const places of this.meta.taxSets[this.#taxes[record] & ~TAXES_DIFFER_BELOW]) {
      const rowsOfPrefix = places.map(place => this.meta.taxes[place]).filter(accepts)
      // longer prefixes come first, so a tax is only added from its longest prefix
      const found = new Set(rows.map(({ tax }) => tax))
      rows.push(...rowsOfPrefix.filter(({ tax }) => !found.has(tax)))
    }
    return rows
  }

  feesOn(day: string): CountryFee[] {
    return this.meta.fees.filter(({ since }) => isInForce(day, since))
  }

  thresholdsOn(day: string): CountryThreshold[] {
    return this.meta.thresholds.filter(({ since }) => isInForce(day, since))
  }
}

/** Whether goods of this code may be exempt under the threshold. */
export function isFor({ notFor }: CountryThreshold, code: string): boolean {
  return !notFor.some(prefix => code.startsWith(prefix))
}

type Indices = Uint8Array | Uint16Array

export class CountryView {
  readonly #rate: Indices
  readonly #low: Indices
  readonly #high: Indices
  /** The rule of each record, counted from 1; 0 for none. Undefined if the country has no list. */
  readonly #rule: Uint16Array | undefined

  constructor(
    private readonly shared: Shared,
    readonly country: Country,
    /** Date of the list; '' for the common tariff. */
    readonly list: string,
    at: number,
  ) {
    const { columns, meta } = shared
    const [start, end] = [at * meta.records, (at + 1) * meta.records]
    this.#rate = at < 0 ? columns.rate : columns.countryRate.subarray(start, end)
    this.#low = at < 0 ? columns.rateLow : columns.countryLow.subarray(start, end)
    this.#high = at < 0 ? columns.rateHigh : columns.countryHigh.subarray(start, end)
    this.#rule = at < 0 ? undefined : columns.countryRule.subarray(start, end)
  }

  rateIndex(record: number): number {
    return this.#rate[record]
  }

  lowIndex(record: number): number {
    return this.#low[record]
  }

  highIndex(record: number): number {
    return this.#high[record]
  }

  rateText(record: number): string {
    return this.shared.meta.rates[this.#rate[record]]
  }

  ruleOf(record: number): Rule | undefined {
    const place = this.#rule?.[record] ?? 0
    return place === 0 ? undefined : this.country.rule(place)
  }

  /** The shortest code at or above the record that starts with the rule's prefix. */
  codeOf({ prefix }: Rule, record: number): string {
    const { columns, records } = this.shared
    let code = records.code(record)
    for (let at = columns.parent[record]; at >= 0; at = columns.parent[at]) {
      const above = records.code(at)
      if (!above.startsWith(prefix)) break
      code = above
    }
    return code
  }

  statusOf(record: number): RateStatus {
    const { controls } = this.shared
    const rule = this.ruleOf(record)
    if (rule?.status === 'prohibited' || controls.prohibits(record, ['GCC', this.country.code])) return 'prohibited'
    return rule === undefined || rule.status === 'allowed' ? 'normal' : 'unknown'
  }
}
