/** What the lines of a country's own list have in common. */
import type { Skipped, TariffLine } from './layout.js'

export interface LineCounts {
  total: number
  prohibited: number
  /** Import rates that the file does not give. */
  unknown: Skipped[]
}

export function countLines(lines: readonly TariffLine[]): LineCounts {
  const unknown = lines
    .filter(({ status }) => status === 'unknown' || status === 'export_prohibited')
    .map(({ line, code, status }) => ({
      line,
      why: status === 'unknown' ? `${code}: no duty` : `${code}: only its export is said to be prohibited`,
    }))
  return { total: lines.length, prohibited: lines.filter(({ status }) => status === 'prohibited').length, unknown }
}

/** The day that is given, else the newest of the records; '' if neither is there. */
export function dayOfList(given: string | undefined, lines: readonly TariffLine[]): string {
  return given ?? lines.reduce((newest, { date }) => (date > newest ? date : newest), '')
}

/** Names authority, document and day. */
export function sourceText(country: { authority: string; document: string }, date: string): string {
  return `${country.authority}, ${country.document}, list of ${date}`
}
