/** dataset/synonyms.csv → which terms stand for which. */
import { parse } from 'csv-parse/sync'
import { terms } from '../src/text/terms.js'
import type { Defect } from './read.js'

export const SYNONYMS_FILE = 'synonyms.csv'

/** Each member of a group as terms in order: "stainless steel" → [stainless, steel]. */
export type SynonymGroup = string[][]

export function parseSynonyms(text: string, defects: Defect[]): SynonymGroup[] {
  const say = (line: number, message: string) => defects.push({ file: SYNONYMS_FILE, line, message })
  let rows: { record: string[]; info: { lines: number } }[]
  try {
    rows = parse(text, { bom: true, info: true, relax_column_count: true, skip_empty_lines: true }) as never
  } catch (error) {
    say(1, `this is not valid CSV: ${(error as Error).message}`)
    return []
  }
  if (rows[0]?.record.join() !== 'terms') say(1, 'the header must be the one word "terms"')
  const groups: SynonymGroup[] = []
  const seen = new Map<string, number>()
  for (const { record, info } of rows.slice(1)) {
    if (record.length !== 1) say(info.lines, 'a group is one cell; quote it if it holds a comma')
    const members = (record[0] ?? '').split(';').map(member => terms(member))
    if (members.length < 2 || members.some(member => member.length === 0))
      say(info.lines, 'a group needs two words or more')
    for (const member of members) {
      const key = member.join(' ')
      const first = seen.get(key)
      if (first !== undefined && first !== info.lines)
        say(info.lines, `"${key}" stands already in the group of line ${first}`)
      seen.set(key, info.lines)
    }
    groups.push(members)
  }
  return groups
}
