/**
 * Reads product titles with their codes: a header line, the columns query (or title), heading and subheading, and a first
 * column to group by.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const SUBHEADING = 6
export const OWN_TITLES = fileURLToPath(new URL('classify/titles.tsv', import.meta.url))

export function readTitles(file = OWN_TITLES) {
  const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const columns = header.split('\t')
  const place = (...known) => columns.findIndex(column => known.includes(column))
  return lines
    .map(line => line.split('\t'))
    .map(row => ({
      group: row[0],
      text: row[place('query', 'title')],
      heading: row[place('heading')],
      subheading: (row[place('subheading')] ?? '').slice(0, SUBHEADING),
    }))
}
