/** dataset/rate-sources.csv: where each duty rate comes from. The longest prefix of a code decides. */

import { isDay } from '../../src/day.js'
import type { RateSource } from '../../src/snapshot/format.js'
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const RATE_SOURCES_FILE = 'rate-sources.csv'
const CERTAINTIES: readonly string[] = ['published', 'general', 'uncertain'] satisfies RateSource['certainty'][]
const DIGITS = /^\d*$/

export interface RateSourceRow extends RateSource {
  /** Prefix of the codes that the source covers; a blank prefix covers all others. */
  prefix: string
  line: number
}

export function parseRateSources(text: string, defects: Defect[]): RateSourceRow[] {
  const rows = parseTable(text, RATE_SOURCES_FILE, ['prefix', 'source', 'certainty', 'date'] as const, defects)
  const seen = new Map<string, number>()
  for (const { prefix, source, certainty, date, line } of rows) {
    const report = (message: string) => defects.push({ file: RATE_SOURCES_FILE, line, message })
    if (!DIGITS.test(prefix)) report(`the prefix "${prefix}" has characters other than digits`)
    const first = seen.get(prefix)
    if (first !== undefined) report(`the prefix "${prefix}" is already at line ${first}`)
    seen.set(prefix, line)
    if (source.trim() === '') report('the source is missing')
    if (!CERTAINTIES.includes(certainty)) report(`the certainty is "${certainty}", not one of ${CERTAINTIES.join(', ')}`)
    if (!isDay(date)) report(`the date "${date}" is not a date such as 2026-11-15`)
  }
  return rows as RateSourceRow[]
}

/** Finds the row for a code. */
export class RateSourceFinder {
  readonly #byPrefix: Map<string, RateSourceRow>

  constructor(rows: readonly RateSourceRow[]) {
    this.#byPrefix = new Map(rows.map(row => [row.prefix, row]))
  }

  find(code: string): RateSourceRow | undefined {
    for (let n = code.length; n >= 0; n--) {
      const row = this.#byPrefix.get(code.slice(0, n))
      if (row !== undefined) return row
    }
    return undefined
  }
}

export function checkRateSources(sources: readonly RateSourceRow[], rows: readonly Row[]): Defect[] {
  const defects: Defect[] = []
  const beginnings = new Set([''])
  for (const { hs_code } of rows) for (let n = 2; n <= hs_code.length; n++) beginnings.add(hs_code.slice(0, n))
  for (const { prefix, line } of sources) {
    if (!beginnings.has(prefix)) defects.push({ file: RATE_SOURCES_FILE, line, message: `no code begins with ${prefix}` })
  }
  const finder = new RateSourceFinder(sources)
  for (const { hs_code, file, line } of rows) {
    if (finder.find(hs_code) === undefined)
      defects.push({ file, line, message: `${RATE_SOURCES_FILE} has no source for the rate of ${hs_code}` })
  }
  return defects
}
