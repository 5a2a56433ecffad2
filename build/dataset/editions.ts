/** dataset/editions.csv: what became of the subheadings of earlier editions, where they are not the same code one to one. */
import type { Defect, Row } from './read.js'
import { parseTable } from './table.js'

export const EDITIONS_FILE = 'editions.csv'
const SUBHEADING = /^\d{6}$/
const YEAR = /^\d{4}$/

export interface EditionRow {
  /** The year of the edition. */
  edition: string
  oldCode: string
  /** A subheading of the dataset's own edition. */
  code: string
  line: number
}

export function parseEditions(text: string, defects: Defect[]): EditionRow[] {
  const rows = parseTable(text, EDITIONS_FILE, ['edition', 'old_code', 'hs_code'] as const, defects)
  const seen = new Set<string>()
  return rows.map(({ edition, old_code: oldCode, hs_code: code, line }) => {
    const say = (message: string) => defects.push({ file: EDITIONS_FILE, line, message })
    if (!YEAR.test(edition)) say(`the edition "${edition}" is not a year`)
    if (!SUBHEADING.test(oldCode)) say(`the old code "${oldCode}" is not six digits`)
    const pair = `${edition} ${oldCode} ${code}`
    if (seen.has(pair)) say(`the pair ${oldCode} and ${code} of ${edition} stands there twice`)
    seen.add(pair)
    return { edition, oldCode, code, line }
  })
}

export function checkEditions(editions: readonly EditionRow[], rows: readonly Row[]): Defect[] {
  const known = new Set(rows.map(row => row.hs_code).filter(code => SUBHEADING.test(code)))
  return editions
    .filter(({ code }) => !known.has(code))
    .map(({ code, line }) => ({
      file: EDITIONS_FILE,
      line,
      message: `${code} is not a subheading of the dataset`,
    }))
}

/** See the columns of the same names. */
export interface EditionColumns {
  editions: string[]
  editionAt: Uint32Array
  editionOld: Uint32Array
  editionTargetAt: Uint32Array
  editionTarget: Uint32Array
}

/**
 * Newest edition first, old codes ascending. Of an old code's targets the same code comes first; then those that come from
 * few old codes before those that come from many, which take something from nearly everything.
 */
export function buildEditions(rows: readonly EditionRow[], recordOf: ReadonlyMap<string, number>): EditionColumns {
  const editions = [...new Set(rows.map(row => row.edition))].sort().reverse()
  const at: number[] = []
  const old: number[] = []
  const targetAt: number[] = []
  const targets: number[] = []
  for (const edition of editions) {
    const own = rows.filter(row => row.edition === edition)
    const sources = new Map<string, number>()
    const byOld = new Map<string, string[]>()
    for (const { oldCode, code } of own) {
      sources.set(code, (sources.get(code) ?? 0) + 1)
      const known = byOld.get(oldCode)
      if (known === undefined) byOld.set(oldCode, [code])
      else known.push(code)
    }
    at.push(old.length)
    for (const oldCode of [...byOld.keys()].sort()) {
      const rank = (code: string) => (code === oldCode ? 0 : (sources.get(code) as number))
      const ordered = (byOld.get(oldCode) as string[]).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
      old.push(Number(oldCode))
      targetAt.push(targets.length)
      for (const code of ordered) targets.push(recordOf.get(code) as number)
    }
  }
  at.push(old.length)
  targetAt.push(targets.length)
  return {
    editions,
    editionAt: Uint32Array.from(at),
    editionOld: Uint32Array.from(old),
    editionTargetAt: Uint32Array.from(targetAt),
    editionTarget: Uint32Array.from(targets),
  }
}
