/** Checks rates against each other and against their sources. */
import type { BuildRecord } from '../compiler/hierarchy.js'
import type { Defect } from '../dataset/defect.js'
import { RATE_SOURCES_FILE, RateSourceFinder, type RateSourceRow } from '../dataset/rate-sources.js'
import type { Row } from '../dataset/rows.js'

/** If all lines below a code have one rate, the code must have it too, so that a lookup of the code gives the right rate. */
export function checkParentRates(records: readonly BuildRecord[], rows: readonly Row[]): Defect[] {
  const byCode = new Map(rows.map(row => [row.hs_code, row]))
  const defects: Defect[] = []
  for (const { code, rate, low, high } of records) {
    const row = byCode.get(code)
    if (row === undefined || low !== high || rate === low) continue
    defects.push({
      file: row.file,
      line: row.line,
      message: `${code} has ${rate} percent, but every line below it has ${low}`,
    })
  }
  return defects
}

/** Each source row is for one rate. If its codes have several rates, a source row is missing. */
export function checkSourceRates(
  sources: readonly RateSourceRow[],
  rows: readonly Row[],
  rateOf: (row: Row) => string,
): Defect[] {
  const finder = new RateSourceFinder(sources)
  const ratesBySource = new Map<RateSourceRow, Map<string, string>>()
  for (const row of rows) {
    const source = finder.find(row.hs_code)
    if (source === undefined) continue
    const rates = ratesBySource.get(source) ?? new Map<string, string>()
    ratesBySource.set(source, rates)
    if (!rates.has(rateOf(row))) rates.set(rateOf(row), row.hs_code)
  }
  return [...ratesBySource]
    .filter(([, rates]) => rates.size > 1)
    .map(([{ line }, rates]) => ({
      file: RATE_SOURCES_FILE,
      line,
      message: `the row covers ${[...rates].map(([rate, code]) => `${code} (${rate} %)`).join(' and ')}`,
    }))
}
