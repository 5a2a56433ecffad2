/** Renders CSV that reads back unchanged, and text that is safe in a spreadsheet. */
import { CONTROL_CHARACTERS } from '../control-characters.js'

/** Characters that need quotes. Includes every separator, because Excel splits at the separator of its locale. */
const SPECIAL = /[",;\t\r\n]/

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

export function csvCells(cells: readonly string[], separator = ','): string {
  return cells.map(cell => (SPECIAL.test(cell) ? quoted(cell) : cell)).join(separator)
}

/**
 * Spreadsheets run cells that start with one of these characters as formulas. A spreadsheet with another separator may split a
 * cell, so that a new cell starts in its middle.
 */
const FORMULA = /(^|[;\t\r\n])(?= *[=+\-@\uff1d\uff0b\uff0d\uff20])/g
/** A number with a sign, or a single dash, which means "none". */
const SIGNED = /^[-+](?:\d[\d.,]*(?:e[-+]?\d{1,3})?%?)?$/i

/**
 * Renders text from outside as a cell that is not run as a formula and shows all its characters. Numbers and codes stay
 * unchanged.
 */
export function spreadsheetText(text: string): string {
  const shown = text.replace(CONTROL_CHARACTERS, found => (/[\t\r\n]/.test(found) ? found : ''))
  return SIGNED.test(shown) ? shown : shown.replace(FORMULA, "$1'")
}
