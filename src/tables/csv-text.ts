/** Cells → CSV. Whatever a cell holds, a reader gets it back as it was. */

/** Whatever ends a cell or a line to some reader: Excel splits at the separator of its country, not at that of the file. */
const SPECIAL = /[",;\t\r\n]/

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** `separator` is a comma, a semicolon or a tab. */
export function csvCells(cells: readonly string[], separator = ','): string {
  let line = ''
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (i > 0) line += separator
    line += SPECIAL.test(cell) ? quoted(cell) : cell
  }
  return line
}
