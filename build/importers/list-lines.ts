/** Helpers for the importers of national tariff lists. */
import type { Skipped, TariffLine } from './layout.js'

export interface LineCounts {
  total: number
  prohibited: number
  /** Lines for which the file gives no import rate. */
  unknown: Skipped[]
}

export function countLines(lines: readonly TariffLine[]): LineCounts {
  const unknown = lines
    .filter(({ status }) => status === 'unknown' || status === 'export_prohibited')
    .map(({ line, code, status }) => ({
      line,
      why: status === 'unknown' ? `${code}: no duty` : `${code}: the list prohibits only its export`,
    }))
  return { total: lines.length, prohibited: lines.filter(({ status }) => status === 'prohibited').length, unknown }
}

/** The given day, or else the newest date of the lines; '' if there is neither. */
export function dayOfList(given: string | undefined, lines: readonly TariffLine[]): string {
  return given ?? lines.reduce((newest, { date }) => (date > newest ? date : newest), '')
}

export function sourceText(country: { authority: string; document: string }, date: string): string {
  return `${country.authority}, ${country.document}, list of ${date}`
}
