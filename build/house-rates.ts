/** A code above lines of one rate has that rate itself: whoever asks for the code is told what every line below costs. */
import type { BuildRecord } from './hierarchy.js'
import type { Defect, Row } from './read.js'

export function checkParentRates(records: readonly BuildRecord[], rows: readonly Row[]): Defect[] {
  const byCode = new Map(rows.map(row => [row.hs_code, row]))
  const defects: Defect[] = []
  for (const { code, rate, low, high, source } of records) {
    const row = byCode.get(code)
    if (row === undefined || source < 0 || low !== high || rate === low) continue
    defects.push({
      file: row.file,
      line: row.line,
      message: `${code} has ${rate} percent, but every line below it has ${low}`,
    })
  }
  return defects
}
