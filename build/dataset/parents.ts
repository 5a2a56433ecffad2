import { padded } from '../../src/codes/levels.js'
import type { Row } from './rows.js'

/** Each code's parent: the row of the longest shorter code that it starts with. */
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

/** Codes that are not subdivided. */
export function undividedCodes(rows: readonly Row[]): string[] {
  const divided = new Set([...parentsOf(rows).values()].map(({ hs_code }) => hs_code))
  return rows.map(({ hs_code }) => hs_code).filter(code => !divided.has(code))
}

/** All lines of the greatest length; undivided shorter codes are padded to it. */
export function longestLines(rows: readonly Row[], lineDigits: readonly number[]): string[] {
  const digits = lineDigits.at(-1) ?? 0
  return undividedCodes(rows).map(code => padded(code, digits))
}
