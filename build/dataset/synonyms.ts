/** dataset/synonyms.csv: groups of words with the same meaning. */
import type { Stemmer } from '../../src/text/terms.js'
import { type CsvRecord, parseCsv } from './csv.js'
import type { Defect } from './defect.js'

export const SYNONYMS_FILE = 'synonyms.csv'

/** Each member of a group as terms in order: "stainless steel" → [stainless, steel]. */
export type SynonymGroup = string[][]

export function parseSynonyms(text: string, defects: Defect[], stemmer: Stemmer): SynonymGroup[] {
  const report = (line: number, message: string) => defects.push({ file: SYNONYMS_FILE, line, message })
  let rows: CsvRecord[]
  try {
    rows = parseCsv(text)
  } catch (error) {
    report(1, `this is not valid CSV: ${(error as Error).message}`)
    return []
  }
  if (rows[0]?.cells.join() !== 'terms') report(1, 'the header must be the one word "terms"')
  const groups: SynonymGroup[] = []
  const seen = new Map<string, number>()
  for (const { cells, line } of rows.slice(1)) {
    if (cells.length !== 1) report(line, 'a group must be one cell; quote it if it contains a comma')
    const members = (cells[0] ?? '').split(';').map(member => stemmer.terms(member))
    if (members.length < 2 || members.some(member => member.length === 0)) report(line, 'a group needs two words or more')
    for (const member of members) {
      const key = member.join(' ')
      const first = seen.get(key)
      if (first !== undefined && first !== line) report(line, `"${key}" is already in the group of line ${first}`)
      seen.set(key, line)
    }
    groups.push(members)
  }
  return groups
}
