/** Renders CSV that reads back unchanged, and text that is safe in a spreadsheet. */
import { CONTROL_CHARACTERS } from '../control-characters.js'

/** Includes every separator, because Excel splits at the separator of its locale. */
const SPECIAL = /[",;\t\r\n]/

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

export function csvCells(cells: readonly string[], separator = ','): string {
  return cells.map(cell => (SPECIAL.test(cell) ? quoted(cell) : cell)).join(separator)
}

/** Spreadsheets run cells that start like this. A spreadsheet with another separator may start a cell in the middle of ours. */
const FORMULA = /(^|[;\t\r\n])(?= *[=+\-@\uff1d\uff0b\uff0d\uff20])/g
/** A number with a sign, or a dash for nothing. */
const SIGNED = /^[-+](?:\d[\d.,]*(?:e[-+]?\d{1,3})?%?)?$/i

/** Text that others wrote, as a cell that is not run and shows everything it contains. Numbers and codes stay as they are. */
export function spreadsheetText(text: string): string {
  const shown = text.replace(CONTROL_CHARACTERS, found => (/[\t\r\n]/.test(found) ? found : ''))
  return SIGNED.test(shown) ? shown : shown.replace(FORMULA, "$1'")
}
