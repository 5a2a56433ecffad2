/** The rows of taxes.csv that apply to each record. */
import { type CountryTax, TAXES_DIFFER_BELOW } from '../../src/snapshot/country-format.js'
import type { SourceTable } from '../dataset/countries/sources.js'
import type { TaxRow } from '../dataset/countries/taxes.js'
import { CodeRuns, type CommonTariff, type LineRuns } from './code-runs.js'
import { Distinct } from './distinct.js'

export interface CompiledTaxes {
  taxes: CountryTax[]
  /** Sets of taxes. Each has one list per prefix, longest first, with indices into `taxes`. The first set is empty. */
  taxSets: number[][][]
  /** By record: index into `taxSets`, combined with the flag `TAXES_DIFFER_BELOW`. */
  tax: Uint16Array
}

export function compileTaxes(
  rows: readonly TaxRow[],
  sources: SourceTable,
  { codes }: CommonTariff,
  lines: LineRuns,
): CompiledTaxes {
  const taxes = new Distinct<CountryTax>()
  const taxSets = new Distinct<number[][]>()
  taxSets.place([])
  const byPrefix = new Map<string, number[]>()
  for (const { prefix, line: _, source, ...row } of rows) {
    const place = taxes.place({ ...row, source: sources.place(source) })
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), place])
  }
  const byCode = new Uint16Array(codes.length)
  const runs = new CodeRuns(codes, rows.length === 0 ? [] : codes.keys())
  for (const [prefix, places] of [...byPrefix].sort(([a], [b]) => a.length - b.length)) {
    const longer = new Map<number, number>()
    const { first, end } = runs.of(prefix)
    for (let i = first; i < end; i++) {
      const set = byCode[runs.records[i]]
      const place = longer.get(set) ?? taxSets.place([places, ...taxSets.values[set]])
      longer.set(set, place)
      byCode[runs.records[i]] = place
    }
  }
  return { taxes: taxes.values, taxSets: taxSets.values, tax: taxesFromLines(byCode, lines) }
}

/** A code has the taxes of the lines below it if they agree, otherwise those of its own digits. */
function taxesFromLines(byCode: Uint16Array, lines: LineRuns): Uint16Array {
  return byCode.map((own, record) => {
    const { first, end } = lines.below[record]
    if (first === end) return own
    const set = byCode[lines.records[first]]
    for (let i = first + 1; i < end; i++) if (byCode[lines.records[i]] !== set) return own | TAXES_DIFFER_BELOW
    return set
  })
}
