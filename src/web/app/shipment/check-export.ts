/** What was found, taken away: as a file, and as a column to paste. */

import type { Accepted } from '../data/kept-work.js'
import { h } from '../dom/dom.js'
import { lang } from '../shared/language.js'
import type { Repaired, Results } from './check-files.js'
import type { Pasted } from './paste.js'

export const loadFiles = () => import('./check-files.js')

export async function download(ending: 'csv' | 'xlsx', pasted: Pasted, results: Results, repaired: Repaired): Promise<void> {
  const { csvFile, excelFile } = await loadFiles()
  const file = ending === 'csv' ? csvFile(pasted, results, repaired) : excelFile(pasted, results, lang === 'ar', repaired)
  const url = URL.createObjectURL(file)
  h('a', { href: url, download: `hs-codes-checked.${ending}` }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** One line for each pasted one, so that the column lines up beside them. */
export function codeColumn({ header }: Pasted, results: Results, accepted: Accepted): string[] {
  const codes = results.map((one, at) => accepted.get(at)?.hs_code ?? one?.hs_code ?? '')
  return header === null ? codes : ['hs_code', ...codes]
}

/** Spreadsheets take a table's cells as text by this format; from plain text they would drop zeros at the front. */
export const columnHtml = (cells: readonly string[]) =>
  `<table>${cells.map(cell => `<tr><td style='mso-number-format:"\\@"'>${cell}</td></tr>`).join('')}</table>`
