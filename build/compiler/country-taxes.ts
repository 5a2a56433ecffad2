/** Which rows of taxes.csv speak for which record. */
import { TAXES_DIFFER_BELOW } from '../../src/snapshot/country-format.js'
import type { TaxRow } from '../dataset/countries/taxes.js'
import { CodeRuns, type CommonTariff, type LineRuns } from './code-runs.js'

export interface TaxSets {
  /** Places of rows, longest prefix first; the first set is empty. */
  taxSets: number[][]
  /** By record: index into `taxSets`, and `TAXES_DIFFER_BELOW`. */
  tax: Uint16Array
}

export function taxSetsOf(taxes: readonly TaxRow[], { codes }: CommonTariff, lines: LineRuns): TaxSets {
  const taxSets: number[][] = [[]]
  const byCode = new Uint16Array(codes.length)
  if (taxes.length === 0) return { taxSets, tax: byCode }
  const runs = new CodeRuns(codes, codes.keys())
  const prefixes = [...new Set(taxes.map(({ prefix }) => prefix))].sort((a, b) => a.length - b.length)
  for (const prefix of prefixes) {
    const rows = taxes.flatMap((row, i) => (row.prefix === prefix ? [i] : []))
    const longer = new Map<number, number>()
    const { first, end } = runs.of(prefix)
    for (let i = first; i < end; i++) {
      const record = runs.records[i]
      const set = byCode[record]
      const place = longer.get(set) ?? taxSets.push([...rows, ...taxSets[set]]) - 1
      longer.set(set, place)
      byCode[record] = place
    }
  }
  return { taxSets, tax: agreeWithLines(byCode, lines) }
}

/** A code has what all lines below have; where they differ, what its own digits say. */
function agreeWithLines(byCode: Uint16Array, lines: LineRuns): Uint16Array {
  return byCode.map((own, record) => {
    const { first, end } = lines.below[record]
    const sets = lines.records.subarray(first, end).map(line => byCode[line])
    if (sets.length === 0) return own
    return sets.every(set => set === sets[0]) ? sets[0] : own | TAXES_DIFFER_BELOW
  })
}
