/** Renders CSV that reads back unchanged. */

/** Includes every separator, because Excel splits at that of its locale. */
const SPECIAL = /[",;\t\r\n]/

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

export function csvCells(cells: readonly string[], separator = ','): string {
  let line = ''
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (i > 0) line += separator
    line += SPECIAL.test(cell) ? quoted(cell) : cell
  }
  return line
}
