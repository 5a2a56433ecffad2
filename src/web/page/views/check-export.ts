/** What was found, taken away: as a file, and as a column to paste. */
import type { Results } from '../check-files.js'
import { h } from '../dom.js'
import { lang } from '../language.js'
import type { Pasted } from '../paste.js'

/** Address of check-files.ts, which the bundler puts in. */
declare const CHECK_FILES: string

export const loadFiles = () => import(CHECK_FILES) as Promise<typeof import('../check-files.js')>

export async function download(ending: 'csv' | 'xlsx', pasted: Pasted, results: Results): Promise<void> {
  const { csvFile, excelFile } = await loadFiles()
  const url = URL.createObjectURL(ending === 'csv' ? csvFile(pasted, results) : excelFile(pasted, results, lang === 'ar'))
  h('a', { href: url, download: `hs-codes-checked.${ending}` }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** One line for each pasted one, so that the column lines up beside them. */
export function codeColumn({ header }: Pasted, results: Results): string[] {
  const codes = results.map(one => one?.hs_code ?? '')
  return header === null ? codes : ['hs_code', ...codes]
}

/** Spreadsheets take a table's cells as text by this format; from plain text they would drop zeros at the front. */
export const columnHtml = (cells: readonly string[]) =>
  `<table>${cells.map(cell => `<tr><td style='mso-number-format:"\\@"'>${cell}</td></tr>`).join('')}</table>`
