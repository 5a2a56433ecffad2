import type { Row } from './read.js'

/** Each code's parent: the row of its longest proper prefix that has one. */
export function parentsOf(rows: readonly Row[]): Map<string, Row> {
  const byCode = new Map(rows.map(row => [row.hs_code, row]))
  const parents = new Map<string, Row>()
  for (const { hs_code } of rows) {
    for (let n = hs_code.length - 1; n >= 2; n--) {
      const parent = byCode.get(hs_code.slice(0, n))
      if (parent === undefined) continue
      parents.set(hs_code, parent)
      break
    }
  }
  return parents
}
