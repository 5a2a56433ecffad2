/** Key figures of a dataset. */
import { buildRecords } from '../compiler/hierarchy.js'
import type { Dataset } from '../dataset/read.js'

export function figures({ rows, manifest, notes = [], pointers = [] }: Dataset): string[] {
  const byLevel = new Map<number, number>()
  let english = 0
  let arabic = 0
  for (const row of rows) {
    byLevel.set(row.hs_code.length, (byLevel.get(row.hs_code.length) ?? 0) + 1)
    english += row.keywords_en === '' ? 0 : row.keywords_en.split(';').length
    arabic += row.keywords_ar === '' ? 0 : row.keywords_ar.split(';').length
  }
  const levels = [...byLevel].sort(([a], [b]) => a - b).map(([digits, count]) => `${count} with ${digits} digits`)
  // duty is charged on undivided lines
  const lines = buildRecords(rows, manifest).filter(record => record.childCount === 0)
  const free = lines.filter(line => Number(line.rate) === 0).length
  const mean = lines.reduce((sum, line) => sum + Number(line.rate), 0) / lines.length
  const excluding = notes.filter(({ kind }) => kind === 'excludes')
  const targeted = excluding.filter(({ goesTo }) => goesTo.length > 0)
  return [
    `${rows.length} rows: ${levels.join(', ')}`,
    `${english} English and ${arabic} Arabic keywords`,
    ...(notes.length + pointers.length > 0
      ? [
          `${notes.length} notes; ${excluding.length} exclude goods, ${targeted.length} of these name the right code; ${pointers.length} pointers`,
        ]
      : []),
    `${lines.length} lines, ${((100 * free) / lines.length).toFixed(1)} % of them free, simple mean rate ${mean.toFixed(2)} %`,
  ]
}
