/** Renders CSV that reads back unchanged. */

/** Includes every separator, because Excel splits at that of its locale. */
const SPECIAL = /[",;\t\r\n]/

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

export function csvCells(cells: readonly string[], separator = ','): string {
  return cells.map(cell => (SPECIAL.test(cell) ? quoted(cell) : cell)).join(separator)
}
